import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What lives in this process after its garbage was collected: objects, and the bytes of buffers beside them. */
export async function livingBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    // What ended in this turn of the event loop is garbage in the next.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
