import type { LineLimits } from '@lib/batching/waiting-line';
import { StoreBusy, StoreUnavailable } from './store-unavailable';

/** Every request to the database is answered within this time, if only with a failure: clients wait no longer. */
export const ANSWER_WITHIN_MS = 4_000;

/** The errors for requests that wait for a turn at the database in vain. */
export const refuse: NonNullable<LineLimits<unknown>['refuse']> = (reason) => {
  if (reason === 'full') return new StoreBusy();
  return new StoreUnavailable(
    new Error(reason === 'late' ? 'the database did not answer in time' : 'nobody waits for the answer any more'),
  );
};

/** Options of `batch` for reads that share a statement. */
export const answeredInTime = { refuse, answerBy: () => performance.now() + ANSWER_WITHIN_MS };
