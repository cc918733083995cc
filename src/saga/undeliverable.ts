import type { Logger } from 'pino';
import { READERS } from '@lib/messaging/read-requests';
import type { Answer, ClaimGranted } from '@lib/messaging/saga-messages';
import type { SagaCall } from '@lib/messaging/subjects';
import type { SagaPort } from './saga-port';

/** The default `max_payload` of nats-server. Every answer fits into it. */
const ENOUGH_BYTES = 1024 * 1024;

interface Undelivered {
  call: SagaCall;
  item: unknown;
  answer: Answer<unknown>;
  bytes: number;
  maxBytes: number;
}

/**
 * Handles an answer that is longer than the broker accepts. The worker can only be told that it failed. A granted attempt is given up here;
 * otherwise each attempt of the step would be held until its lease ended, and count as paid.
 */
export function undeliverable(
  { saga, logger }: { saga: SagaPort; logger: Logger },
  { call, item, answer, bytes, maxBytes }: Undelivered,
): void {
  const why = `the answer to a worker has ${bytes} bytes, and NATS takes ${Math.floor(maxBytes)}: set max_payload of nats-server to ${ENOUGH_BYTES}`;
  logger.error({ call, reason: 'answer_too_long', bytes, maxBytes: Math.floor(maxBytes) }, why);
  const granted = 'reply' in answer ? (answer.reply as Partial<ClaimGranted>) : {};
  if (call !== 'claim' || granted.attempt === undefined) return;
  const { jobId, stepId, claimSecret } = READERS.claim(item);
  const errorMessage = `Not called: ${why}.`;
  const charge = { micros: 0, provenance: 'reported' } as const;
  const result = { outcome: 'failed', errorClass: 'invalid_request', errorMessage, charge, retryAfterMs: null, runEnded: false } as const;
  saga.report({ jobId, stepId, attempt: granted.attempt, claimSecret, provider: granted.provider, result }).catch((error: unknown) => {
    logger.warn({ reason: 'report_failed', jobId, stepId, err: error }, 'an attempt that nobody makes ends with its lease');
  });
}
