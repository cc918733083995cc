import type { Logger } from 'pino';
import { MINUTE_MS } from '@lib/domain/durations';
import type { Store } from '@lib/store/store';
import { startRounds, untilNoneIsLeft } from '../runtime/rounds';

const ROUND_MS = MINUTE_MS;
/** Rows removed in one statement: few enough not to hold up other writers. */
const TOGETHER = 500;

/** Removes recorded requests that have expired. Any number of processes may do it. @returns ends it */
export function removeExpiredRequests(requests: Pick<Store['requests'], 'removeExpired'>, logger: Logger): () => Promise<void> {
  const remove = async (stopped: AbortSignal): Promise<void> => {
    try {
      await untilNoneIsLeft(() => requests.removeExpired(TOGETHER), TOGETHER, stopped);
    } catch (error) {
      logger.warn(
        { reason: 'requests_not_removed', err: error },
        'recorded requests that have expired could not be removed; it is tried again in a minute',
      );
    }
  };
  return startRounds(remove, ROUND_MS);
}
