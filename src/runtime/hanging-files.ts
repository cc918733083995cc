import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A network folder does not answer while its machine is gone, and a pending file call cannot be cancelled. */
const PATIENCE_MS = 10_000;
const LOG_PATIENCE_MS = 5_000;
const CALL_PATIENCE_MS = 2_000;
/** Node's names for calls that run in a thread: on a file, or `getaddrinfo`. */
const THREAD_CALL = /^(FSReq|GetAddrInfoReq)/;
const LATE = Symbol('late');

interface Call {
  folder: string;
  isLate: boolean;
}

const underway = new Set<Call>();

/**
 * Ends this process. Even `process.exit` would wait for a thread that hangs in a file call or a host look-up: if one takes too long, the process
 * kills itself, and its exit code is 137.
 */
function endProcess(code: number): void {
  const until = performance.now() + CALL_PATIENCE_MS;
  const look = () => {
    const isCalling = process.getActiveResourcesInfo().some((resource) => THREAD_CALL.test(resource));
    if (!isCalling) process.exit(code);
    if (performance.now() > until) process.kill(process.pid, 'SIGKILL');
    setTimeout(look, 20);
  };
  look();
}

/** For a command, which would otherwise not end while a late file call hangs. */
export function endIfFolderHangs(): void {
  if ([...underway].some(({ isLate }) => isLate)) process.kill(process.pid, 'SIGKILL');
}

/** Ends this process likewise, once its log is written or cannot be. Writing to a pipe that nobody reads blocks, even in `process.exit`. */
export function endLogged(logger: Pick<Logger, 'flush'>, code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LOG_PATIENCE_MS);
  logger.flush(() => endProcess(code));
}

/**
 * Does work on files of that folder. While some of it is late no further work is begun, because each holds one of the four threads that serve all
 * file reads and host look-ups of this process.
 * @throws Error where the folder does not answer in time; the work goes on
 */
export async function answered<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  const silent = `${folder} does not answer within ${PATIENCE_MS / 1000} s: see to the machine that has it, or set another folder`;
  if ([...underway].some((call) => call.folder === folder && call.isLate)) throw new Error(silent);
  const call = { folder, isLate: false };
  const over = new AbortController();
  underway.add(call);
  const working = work().finally(() => {
    underway.delete(call);
    over.abort();
  });
  const late = sleep(PATIENCE_MS, LATE, { signal: over.signal }).catch(() => working);
  const first = await Promise.race([working, late]);
  if (first !== LATE) return first;
  call.isLate = true;
  throw new Error(silent);
}
