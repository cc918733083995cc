import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A network folder does not answer while its machine is gone, and calls to it cannot be cancelled. */
const PATIENCE_MS = 10_000;
const LOG_PATIENCE_MS = 5_000;
const CALL_PATIENCE_MS = 2_000;
/** Node's resource names for thread-pool work: on a file, or `getaddrinfo`. */
const THREAD_CALL = /^(FSReq|GetAddrInfoReq)/;
const LATE = Symbol('late');

interface Call {
  folder: string;
  isLate: boolean;
}

const underway = new Set<Call>();

/**
 * Ends this process. Node waits for threads that hang in a file call or host look-up, even in `process.exit`; if one takes too long, the process is
 * killed and ends with 137.
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

/** For commands: a pending file call would keep the process alive for as long as the folder hangs. */
export function endIfFolderHangs(): void {
  if ([...underway].some(({ isLate }) => isLate)) process.kill(process.pid, 'SIGKILL');
}

/** Likewise, once the log is written or cannot be written. A pipe that nobody reads blocks its writer, even in `process.exit`. */
export function endLogged(logger: Pick<Logger, 'flush'>, code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LOG_PATIENCE_MS);
  logger.flush(() => endProcess(code));
}

/**
 * Runs work on files of that folder, with a time limit. While some is late no other begins, since each holds one of the four threads that this
 * process has for all file access and host look-ups.
 * @throws Error if the folder does not answer in time; the work goes on
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
