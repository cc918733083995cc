import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import { newClaim } from '@lib/messaging/claim-secret';
import type { ClaimGranted, ClaimRequest } from '@lib/messaging/saga-messages';
import type { SagaPort } from '../saga/saga-port';
import { isRefusal } from './saga-client';

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 200;
/** How long a worker waits for a grant: half of the default lease, which begins with the grant. */
export const CLAIM_WITHIN_MS = 15_000;

/** A grant with the secret of its claim, and when the claim was first sent: an old grant may no longer hold. */
export type Claimed = ClaimGranted & { claimedAt: number; claimSecret: string };

export interface ClaimTools {
  saga: SagaPort;
  logger: Logger;
  /** The worker that claims. */
  process: ProcessIdentity;
  withinMs: number;
  /** Called with a grant that came too late. */
  unwanted: (granted: Claimed) => void;
}

/**
 * Claims a step. The claim's id is made once per delivery, so that a repeated request gets the same grant.
 * @returns `unanswered` if no answer came in time. A later grant is passed to `unwanted`; one that never arrives ends with its lease
 */
export async function claim(
  ids: Omit<ClaimRequest, 'claimId' | 'claimSecret' | 'process'>,
  tools: ClaimTools,
): Promise<Claimed | 'refused' | 'unanswered'> {
  const { saga, logger, process, withinMs, unwanted } = tools;
  const { claimId, claimSecret } = newClaim();
  const request = { ...ids, claimId, claimSecret, process };
  const claimedAt = performance.now();
  const until = claimedAt + withinMs;
  for (let tries = 1; tries <= MAX_TRIES && performance.now() < until; tries += 1) {
    try {
      const asked = saga.claim(request, until);
      const reply = await before(until, asked);
      if (reply === LATE) {
        logger.warn({ reason: 'claim_unanswered', ...ids, tries, withinMs });
        void asked.then((late) => late.granted && unwanted({ ...late, claimedAt, claimSecret })).catch(() => undefined);
        return 'unanswered';
      }
      if (reply.granted) return { ...reply, claimedAt, claimSecret };
      logger.debug({ reason: 'claim_refused', ...ids, cause: reply.reason });
      return 'refused';
    } catch (error) {
      if (isRefusal(error)) {
        logger.warn({ reason: 'claim_refused', ...ids, cause: error.message });
        return 'refused';
      }
      logger.warn({ reason: 'claim_unanswered', ...ids, tries, err: error });
      if (tries < MAX_TRIES) await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random() / 2));
    }
  }
  return 'unanswered';
}

const LATE = Symbol('late');

async function before<Reply>(until: number, reply: Promise<Reply>): Promise<Reply | typeof LATE> {
  const late = Promise.withResolvers<typeof LATE>();
  // Not an aborted `sleep`, which would create an error with a stack for each claim.
  const timer = setTimeout(late.resolve, Math.max(0, until - performance.now()), LATE);
  return Promise.race([reply, late.promise]).finally(() => clearTimeout(timer));
}
