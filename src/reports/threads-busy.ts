/** Too many calls wait for the report threads already: the caller should try again later. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}
