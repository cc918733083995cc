import { batch } from '@lib/batching/batch';
import { answeredInTime } from './answer-within';

/** Those who wait for their turn; more are refused. */
const MOST_WAITING = 50;

/**
 * A read that takes long, one request of this process at a time, so that others get to the connections and the event loop.
 * @throws StoreBusy if too many wait, StoreUnavailable if the answer takes too long
 */
export const inTurn = <Request, Reply>(read: (request: Request) => Promise<Reply>): ((request: Request) => Promise<Reply>) =>
  batch<Request, Reply>((requests) => Promise.all(requests.map(read)), {
    maxItems: 1,
    maxWaiting: { items: MOST_WAITING, bytes: Infinity },
    ...answeredInTime,
  });
