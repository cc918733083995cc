import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '@lib/domain/errors';
import type { ClaimGranted, ClaimRequest } from '@lib/messaging/saga-messages';
import type { SagaPort } from '../saga/saga-port';
import { SagaRefused } from './saga-client';

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 200;

/** A grant, and how long ago its claim was first sent: the older it is, the less it says about now. */
export type Claimed = ClaimGranted & { claimedAt: number };

/**
 * Asks for the step with one claim id, made for this handling of the delivery: a repeated request finds the same grant.
 * `unanswered`: nobody said yes or no; the grant may exist, and then its lease ends it.
 */
export async function claim(
  saga: SagaPort,
  ids: Omit<ClaimRequest, 'claimId'>,
  logger: Logger,
): Promise<Claimed | 'refused' | 'unanswered'> {
  const request = { ...ids, claimId: randomUUID() };
  const claimedAt = performance.now();
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    try {
      const reply = await saga.claim(request);
      if (reply.granted) return { ...reply, claimedAt };
      logger.debug({ reason: 'claim_refused', ...ids, cause: reply.reason });
      return 'refused';
    } catch (error) {
      if (error instanceof SagaRefused || (error instanceof DomainError && error.code !== 'conflict')) {
        logger.warn({ reason: 'claim_refused', ...ids, cause: error.message });
        return 'refused';
      }
      logger.warn({ reason: 'claim_unanswered', ...ids, tries, err: error });
      if (tries < MAX_TRIES) await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random() / 2));
    }
  }
  return 'unanswered';
}
