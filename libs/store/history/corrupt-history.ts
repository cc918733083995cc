/** The events of a stream cannot be folded: one was changed or is missing. Nothing is decided about it until it is restored from a backup. */
export class CorruptHistory extends Error {
  override readonly name = 'CorruptHistory';

  /**
   * @param of the thread or job
   * @param version of the event that could not be folded
   */
  constructor(
    readonly of: string,
    version: number,
    cause: unknown,
  ) {
    super(`the history of ${of} cannot be read at version ${version}: restore it from a backup`, { cause });
  }
}
