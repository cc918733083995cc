import { batch } from '@lib/batching/batch';
import { answeredInTime } from './answer-within';

/** Requests that may wait for their turn; more are refused. */
const MAX_WAITING = 50;

/**
 * Runs a read that takes long. This process runs one at a time, so that other requests get connections and the event loop.
 * @throws StoreBusy if too many wait, StoreUnavailable if the answer takes too long
 */
export const inTurn = <Request, Reply>(read: (request: Request) => Promise<Reply>): ((request: Request) => Promise<Reply>) =>
  batch<Request, Reply>((requests) => Promise.all(requests.map(read)), {
    maxItems: 1,
    maxWaiting: { items: MAX_WAITING, bytes: Infinity },
    ...answeredInTime,
  });
