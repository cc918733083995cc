/** A thread was ended only because it took too long. */
export class PoolTimeout extends Error {
  override readonly name = 'PoolTimeout';

  constructor(timeMs: number, cause: unknown) {
    super(`the thread did not finish within ${String(timeMs)} ms and was ended`, { cause });
  }
}
