import { countPlainEvents, type PlainEvents } from '@lib/store/history/plain-events';
import type { Pool } from '@lib/store/postgres/pool';

/** Only information: the migration has succeeded even if the events cannot be counted in time. */
export async function plainEventsRemark(pool: Pool): Promise<string | null> {
  try {
    return plainEventsText(await countPlainEvents(pool));
  } catch (error) {
    return `What earlier builds recorded could not be counted (${(error as Error).message}); nothing else depends on it.`;
  }
}

/** What events of earlier builds still reveal; null if nothing. They cannot be corrected, because their hashes are chained. */
export function plainEventsText({ digests, models, requestIds }: PlainEvents): string | null {
  if (digests + models + requestIds === 0) return null;
  return `Earlier builds recorded what a deletion does not take away, and what stays, since their hashes cover it: ${digests} events with a plain \
digest of an answer or of a run's id, ${models} with a provider's name of its model, ${requestIds} with what a client may have sent as its id of the \
request. New events have none of it (docs/security.md, Erasure).`;
}
