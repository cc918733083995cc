import type { LoggerService } from '@nestjs/common';
import { tellHolding } from '@lib/memory/holdings';
import pino, { type DestinationStream, type Logger } from 'pino';
import { isReaderGone } from '../runtime/reader-gone';

/**
 * Matches API keys anywhere, and any property called authorization with its value. One pass over the line is cheaper than pino's paths; looking back
 * from every character would make it four times as expensive.
 */
const SECRET = /rt_live_[0-9A-Za-z_]*|("authorization":")(?:[^"\\]|\\.)*/gi;
const REDACTED = '$1[redacted]';

/** Lines are collected for a tenth of a second, since a system call for each costs as much as the rest of a short request. */
const STANDARD_OUTPUT = {
  dest: 1,
  sync: false,
  minLength: 32 * 1024,
  maxWrite: 64 * 1024,
  periodicFlush: 100,
  contentMode: 'buffer',
} as const;
/** Lines wait while nobody reads them. Beyond this they are lost, since a process must not end because its log stands still. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What pino's destination takes in its byte mode. In the text mode, which its type describes, each line copies all lines collected so far. */
interface ByteOutput {
  write: (line: Buffer) => boolean;
  flush: (done: (error?: Error) => void) => void;
  /** At the end of the process. */
  flushSync: () => void;
  on: ((event: 'write', listener: (bytes: number) => void) => void) &
    ((event: 'drop', listener: (line: Buffer) => void) => void) &
    ((event: 'error', listener: (error: Error) => void) => void);
}

function standardOutput(): DestinationStream & Pick<ByteOutput, 'flush'> {
  const output = pino.destination({ ...STANDARD_OUTPUT, maxLength: MAX_BYTES }) as unknown as ByteOutput;
  let bytes = 0;
  output.on('write', (written) => (bytes -= written));
  output.on('drop', ({ length }) => (bytes -= length));
  heedUnwritable(output);
  tellHolding(output, 'log lines', MAX_BYTES, () => ({ items: bytes > 0 ? 1 : 0, bytes }));
  const write = (text: string) => {
    const line = Buffer.from(text);
    bytes += line.length;
    output.write(line);
  };
  return { write, flush: (done) => output.flush(done) };
}

/**
 * Lines that cannot be written, for example to a full disk, wait like those that nobody reads: each flush tries again. At the end of the process the
 * destination would otherwise try for ever, and the process would stay without serving anybody.
 */
function heedUnwritable(output: ByteOutput): void {
  const { flushSync } = output;
  let isWritable = true;
  output.on('error', (error) => {
    output.flushSync = () => undefined;
    const isNews = isWritable && !isReaderGone(process.stdout, error);
    if (isNews)
      process.stderr.write(`The log cannot be written: ${error.message}. Make room for it; its lines wait, up to ${MAX_BYTES} bytes.\n`);
    isWritable = false;
  });
  output.on('write', () => {
    output.flushSync = flushSync;
    isWritable = true;
  });
}

/** For a command's log: lines are written at once, and lost without harm if nobody reads them or the disk is full. */
export function standardError(): DestinationStream {
  const output = pino.destination({ dest: 2, sync: true });
  // Otherwise its process would end before it has stopped what it started.
  output.on('error', () => undefined);
  return output;
}

/**
 * The process's root logger: JSON lines to standard output, written asynchronously and flushed at exit. Authorization headers and API keys
 * are always removed.
 * @param level one of pino's levels, or `silent`
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: timeOnce(),
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => line.replace(SECRET, REDACTED) },
    },
    destination,
  );
}

/** As pino's `isoTime`, but lines of one millisecond share its text: under load that is dozens. */
function timeOnce(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`;
    at = now;
    return text;
  };
}

/** Nest's own messages, through the same logger. Its start-up messages have level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }

  fatal(message: unknown, context?: string): void {
    this.logger.fatal({ context }, String(message));
  }
}
