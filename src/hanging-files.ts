import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A folder of another machine answers nothing while that machine is gone, and no call for it can be taken back. */
const PATIENCE_MS = 10_000;
const LOG_PATIENCE_MS = 5_000;
const CALL_PATIENCE_MS = 2_000;
/** What Node calls a thread's work: on a file, or `getaddrinfo`. */
const THREAD_CALL = /^(FSReq|GetAddrInfoReq)/;
const LATE = Symbol('late');

interface Call {
  folder: string;
  isLate: boolean;
}

const underway = new Set<Call>();

/**
 * Ends this process. Node would wait for a thread that hangs in a call for a file or a look-up of a host, even in `process.exit`: where one goes on for
 * too long the process is killed, and ends with 137.
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

/** For a command: its last call for a file would keep it for as long as the folder hangs. */
export function endIfFolderHangs(): void {
  if ([...underway].some(({ isLate }) => isLate)) process.kill(process.pid, 'SIGKILL');
}

/** Likewise, once its log is written, or cannot be. A pipe that nobody reads hangs whoever writes to it, also in `process.exit`. */
export function endLogged(logger: Pick<Logger, 'flush'>, code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LOG_PATIENCE_MS);
  logger.flush(() => endProcess(code));
}

/**
 * What the work on files of that folder answers. While some of it is late no other is begun, since each holds one of the four threads that read
 * all files and look up all hosts of this process.
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
