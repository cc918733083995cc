/** A thread was ended since it took too long, and nothing was wrong with it otherwise. */
export class ThreadTooLate extends Error {
  override readonly name = 'ThreadTooLate';

  constructor(timeMs: number, cause: unknown) {
    super(`the thread did not finish within ${String(timeMs)} ms and was ended`, { cause });
  }
}
