import { setTimeout as sleep } from 'node:timers/promises';

/** A network folder does not answer while its machine is gone, and a pending file call cannot be cancelled. */
const PATIENCE_MS = 10_000;
const LATE = Symbol('late');

interface Call {
  folder: string;
  isLate: boolean;
}

const underway = new Set<Call>();

/**
 * Ends this process. Even `process.exit` would wait for a thread that hangs in a file call: then the process kills itself, and its exit code is 137.
 */
export function endProcess(code: number): void {
  if (underway.size > 0) process.kill(process.pid, 'SIGKILL');
  else process.exit(code);
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
