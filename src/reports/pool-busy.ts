/** Too many calls wait for the report pool already: the caller should try again later. */
export class PoolBusy extends Error {
  override readonly name = 'PoolBusy';
}
