/** So much waits for the threads for reports already that no more is taken: whoever asked tries again later. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}
