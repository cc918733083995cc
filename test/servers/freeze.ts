import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from '../messaging/eventually';

/** Stops a process and waits until none of its threads runs any more: for a moment after the signal, they still may. Linux alone. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await eventually(true, async () => threadsOf(pid).every((state) => state === 'T'));
}

/** One letter for each thread, which follows the program's name in brackets. */
function threadsOf(pid: number): (string | undefined)[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((thread) => /\) (\w)[^)]*$/.exec(readFileSync(`${folder}/${thread}/stat`, 'utf8'))?.[1]);
}
