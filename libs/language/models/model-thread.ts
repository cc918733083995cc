import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Piscina } from 'piscina';

/** Beside the sources, or beside the folder of the built code. */
const [BESIDE_SOURCES, BESIDE_BUILT] = ['../../../models', '../../../../models'].map((path) => join(__dirname, path)) as [string, string];
/** A thread idle for this long is ended, to free 120 to 200 MB. */
const IDLE_MS = 60_000;

export const modelFolder = (name: string): string => join(existsSync(BESIDE_SOURCES) ? BESIDE_SOURCES : BESIDE_BUILT, name);

let pool: Piscina | undefined;

/**
 * Runs a task in the one thread that models run in, which is started on demand.
 * @param name that of a function of `model-tasks`
 * @throws Error if the model cannot be loaded or run, or `signal` is aborted
 */
export async function runModel<Result>(name: string, given: object, signal: AbortSignal): Promise<Result> {
  if (!pool) {
    pool = new Piscina({
      filename: require.resolve('./model-tasks'),
      ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS, recordTiming: false },
    });
    // The thread failed while nobody waited for it; the next question gets a new one.
    pool.on('error', () => undefined);
  }
  return (await pool.run(given, { name, signal })) as Result;
}
