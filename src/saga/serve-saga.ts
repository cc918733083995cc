import type { Logger } from 'pino';
import { DomainError } from '@lib/domain/errors';
import {
  envelope,
  MalformedMessage,
  openEnvelope,
  READERS,
  TOO_LARGE_TOGETHER,
  type Answer,
  type SagaCalls,
} from '@lib/messaging/saga-messages';
import { SAGA_SUBJECTS, type SagaCall } from '@lib/messaging/subjects';
import type { Subscription, Transport } from '@lib/messaging/transport';
import type { SagaPort } from './saga-port';

/** Part of a message that its answers may fill. */
const REPLY_SHARE = 0.9;

/** Serves the saga's four calls over the transport, a batch a message; each item is answered by itself. */
export async function serveSaga(transport: Transport, saga: SagaPort, logger: Logger): Promise<Subscription> {
  const calls = Object.keys(SAGA_SUBJECTS) as SagaCall[];
  const subscriptions = await Promise.all(
    calls.map((call) =>
      transport.serve(SAGA_SUBJECTS[call], async (payload) => {
        const items = openEnvelope(payload);
        const answers = await Promise.all(items.map((item) => answer(call, item, saga, logger)));
        return envelope(fitting(answers, transport.maxPayloadBytes() * REPLY_SHARE));
      }),
    ),
  );
  return {
    stop: async () => {
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    },
  };
}

/** Replies to claims carry questions of any length: those that no longer fit are asked for again. */
function fitting<Reply>(answers: Answer<Reply>[], maxBytes: number): Answer<Reply>[] {
  if (maxBytes === Infinity) return answers;
  let bytes = 0;
  return answers.map((one, place) => {
    const size = Buffer.byteLength(JSON.stringify(one)) + 1;
    if (place > 0 && bytes + size > maxBytes) return TOO_LARGE_TOGETHER;
    bytes += size;
    return one;
  });
}

async function answer<Call extends SagaCall>(
  call: Call,
  item: unknown,
  saga: SagaPort,
  logger: Logger,
): Promise<Answer<SagaCalls[Call]['reply']>> {
  try {
    const request = READERS[call](item);
    return { reply: (await (saga[call] as (given: typeof request) => Promise<unknown>)(request)) as SagaCalls[Call]['reply'] };
  } catch (error) {
    if (error instanceof DomainError) return { error: error.code, retryable: error.code === 'conflict' };
    if (error instanceof MalformedMessage) {
      logger.warn({ call, reason: 'malformed_message', detail: error.message }, 'a worker sent what the saga cannot read');
      return { error: error.message, retryable: false };
    }
    logger.error({ call, reason: 'saga_call_failed', err: error }, 'a saga call failed');
    return { error: 'unavailable', retryable: true };
  }
}
