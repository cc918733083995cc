import { AsyncLocalStorage } from 'node:async_hooks';
import type { LineLimits } from '@lib/batching/waiting-line';
import { StoreBusy, StoreUnavailable } from './store-unavailable';

/** Every request to the database is answered within this time, if only with a failure: clients wait no longer. */
export const ANSWER_WITHIN_MS = 4_000;
/** The same if no client waits: enough for several round trips that take seconds each, and as long as a worker waits for its grant. */
const PATIENT_MS = 15_000;

const patience = new AsyncLocalStorage<number>();

/** The deadline for the current request, on the monotonic clock. */
export const answerBy = (): number => performance.now() + (patience.getStore() ?? ANSWER_WITHIN_MS);

/** For work that is repeated until it is done, so that a slow database only slows it down and does not make it start over forever. */
export const patiently = <Result>(work: () => Result): Result => patience.run(PATIENT_MS, work);

/** The errors for requests that wait for a turn at the database in vain. */
export const refuse: NonNullable<LineLimits<unknown>['refuse']> = (reason) => {
  if (reason === 'full') return new StoreBusy();
  return new StoreUnavailable(
    new Error(reason === 'late' ? 'the database did not answer in time' : 'nobody waits for the answer any more'),
  );
};

/** Options of `batch` for reads that share a statement. */
export const answeredInTime = { refuse, answerBy };
