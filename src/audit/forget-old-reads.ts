import type { Logger } from 'pino';
import { HOUR_MS } from '@lib/domain/durations';
import { forgetReads } from '@lib/store/log/read-trail';
import type { Pool } from '@lib/store/postgres/pool';
import { startRounds, untilNoneIsLeft } from '../runtime/rounds';

const ROUND_MS = HOUR_MS;
/** Rows removed in one statement: few enough not to slow down other writers. */
const TOGETHER = 1_000;

/** Removes reads of the audit routes once they are old. Any number of processes may do it. @returns ends it */
export function forgetOldReads(pool: Pool, days: number, logger: Logger): () => Promise<void> {
  const forget = async (stopped: AbortSignal): Promise<void> => {
    try {
      await untilNoneIsLeft(() => forgetReads(pool, days, TOGETHER), TOGETHER, stopped);
    } catch (error) {
      logger.warn(
        { reason: 'reads_not_forgotten', err: error },
        'old reads of the audit routes could not be removed; it is tried again in an hour',
      );
    }
  };
  return startRounds(forget, ROUND_MS);
}
