import type { Logger } from 'pino';
import { NO_CHARGE } from '@lib/domain/money';
import { READERS } from '@lib/messaging/read-requests';
import type { Answer, ClaimGranted } from '@lib/messaging/saga-messages';
import type { SagaCall } from '@lib/messaging/subjects';
import { MIN_PAYLOAD_BYTES } from '@lib/messaging/transport';
import type { SagaPort } from './saga-port';

interface Undelivered {
  call: SagaCall;
  item: unknown;
  answer: Answer<unknown>;
  bytes: number;
  maxBytes: number;
}

/**
 * Handles an answer that is too long for the broker. The worker can only be told that there is none, so the grant is given up here. Otherwise each of
 * the step's attempts would be held until its lease is over, and count as paid. A run that the provider already has is not given up with it: the next
 * attempt resumes it, once the broker takes the grant.
 */
export function undeliverable(
  { saga, logger }: { saga: SagaPort; logger: Logger },
  { call, item, answer, bytes, maxBytes }: Undelivered,
): void {
  const why = `the answer to a worker has ${bytes} bytes, and NATS takes ${Math.floor(maxBytes)}: set max_payload of nats-server to ${MIN_PAYLOAD_BYTES}`;
  logger.error({ call, reason: 'answer_too_long', bytes, maxBytes: Math.floor(maxBytes) }, why);
  const granted = 'reply' in answer ? (answer.reply as Partial<ClaimGranted>) : {};
  if (call !== 'claim' || granted.attempt === undefined) return;
  const { jobId, stepId, claimSecret } = READERS.claim(item);
  const errorMessage = `Not called: ${why}.`;
  const errorClass = granted.externalId === null ? 'invalid_request' : 'not_called';
  const result = { outcome: 'failed', errorClass, errorMessage, charge: NO_CHARGE, retryAfterMs: null, runEnded: false } as const;
  saga.report({ jobId, stepId, attempt: granted.attempt, claimSecret, provider: granted.provider, result }).catch((error: unknown) => {
    logger.warn({ reason: 'report_failed', jobId, stepId, err: error }, 'an attempt that nobody makes ends with its lease');
  });
}
