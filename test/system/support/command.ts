import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually } from '../../messaging/eventually';
import { PROGRAM_ENVIRONMENT } from '../../support/program-environment';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A program of the build while it runs. */
export interface Running {
  /** What it has written so far, both streams together. */
  said(): string;
  /** Waits until it has written this. */
  until(said: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Goes away, as the reader at the other end of a pipe. */
  stopReading(): void;
  ended: Promise<Ended>;
}

const DIST = resolve(__dirname, '../../../dist/src');
/** A service that is told to stop needs its drain, and one with a PostgreSQL of its own stops that too: killed, it would leave it running. */
const ENDS_WITHIN_MS = 60_000;

const running = new Set<ChildProcess>();

/** Ends what a test that failed has left running. Registered by the import, so before a file removes its folders. */
afterAll(async () => {
  await Promise.all(
    [...running].map(async (child) => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
      await closed;
      clearTimeout(impatience);
    }),
  );
}, 2 * ENDS_WITHIN_MS);

/** Starts the built `main.js` or `cli/main.js` with nothing in its environment but what is given, and this as its standard input. */
export function start(program: 'main.js' | 'cli/main.js', parameters: string[], environment: Record<string, string>, input = ''): Running {
  const file = resolve(DIST, program);
  if (!existsSync(file)) throw new Error(`dist/src/${program} is missing: run \`make build\` first, as \`make test\` does`);
  const child: ChildProcess = spawn(process.execPath, [file, ...parameters], {
    cwd: '/',
    env: { ...PROGRAM_ENVIRONMENT, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('the program has no input or no output');
  // A program that reads nothing may have ended before all of it is written.
  stdin.on('error', () => undefined).end(input);
  const written: string[] = [];
  const [output, errors] = [stdout, stderr].map((stream) => {
    const own: string[] = [];
    stream.setEncoding('utf8').on('data', (chunk: string) => own.push(chunk) && written.push(chunk));
    return own;
  });
  const code = new Promise<number | null>((accept) => child.once('close', accept));
  const said = () => written.join('');
  return {
    said,
    until: (wanted) => eventually(true, async () => said().includes(wanted), 30_000),
    kill: (signal) => void child.kill(signal),
    stopReading: () => [stdout, stderr].forEach((stream) => stream.destroy()),
    ended: code.then((code) => ({ code, stdout: (output ?? []).join(''), stderr: (errors ?? []).join('') })),
  };
}

/** Runs `research` to its end. */
export const research = (parameters: string[], environment: Record<string, string>, input = ''): Promise<Ended> =>
  start('cli/main.js', parameters, environment, input).ended;

/** The message of a start that failed: one line of the log, of which each line is JSON, on standard output alone. */
export function failureIn({ code, stdout, stderr }: Ended): string {
  const lines = stdout.trimEnd().split('\n');
  const logged = lines.map((line) => JSON.parse(line) as Record<'level' | 'time' | 'reason' | 'msg', string>);
  const [failed, ...others] = logged.filter(({ level }) => level === 'fatal');
  if (code === 1 && stderr === '' && others.length === 0 && failed?.reason === 'start_failed' && failed.time) return failed.msg;
  throw new Error(`this is no line of a failed start: code ${code}, ${stdout}, ${stderr}`);
}
