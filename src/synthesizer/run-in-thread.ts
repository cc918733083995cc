import { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  /** Beyond it the thread is ended as out of memory; the process lives on. */
  heapMb: number;
  /** Beyond it the thread is terminated. */
  timeMs: number;
}

/**
 * Runs a module in a thread of its own and gives the first message that it posts. The thread gets the input as `workerData` and is gone
 * afterwards, with its memory, however it ended.
 * @throws Error that the thread threw, or that says how it ended without a message
 */
export async function runInThread(modulePath: string, input: unknown, { heapMb, timeMs }: ThreadLimits): Promise<unknown> {
  const thread = new Worker(modulePath, { workerData: input, resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const impatience = setTimeout(() => reject(new Error(`the thread did not finish within ${String(timeMs)} ms and was ended`)), timeMs);
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`the thread ended with code ${String(code)} and without a result`)));
  try {
    return await promise;
  } finally {
    clearTimeout(impatience);
    await thread.terminate();
  }
}
