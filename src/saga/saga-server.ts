import type { Logger } from 'pino';
import { DomainError } from '@lib/domain/errors';
import { NotTheirs } from '@lib/domain/job/holder';
import { tellHolding, type Held } from '@lib/memory/holdings';
import { MalformedMessage } from '@lib/messaging/fields';
import { READERS } from '@lib/messaging/read-requests';
import { answerPart, envelope, openEnvelope, sizeOf, type Answer } from '@lib/messaging/saga-messages';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { HEARTBEAT_TO_ALL, heartbeatToAllSubject, SAGA_SUBJECTS, sagaSubject, type SagaCall } from '@lib/messaging/subjects';
import { UnknownEvent } from '@lib/store/history/upcasters';
import { RowLocked, StoreBusy } from '@lib/store/postgres/store-unavailable';
import { NO_ANSWER, type RequestHandler, type Subscription, type Transport } from '@lib/messaging/transport';
import { fitting, inParts, type Refused } from './answers';
import type { SagaPort } from './saga-port';
import { undeliverable } from './undeliverable';
import { Standstill } from '../runtime/standstill';

/** Share of a message that answers may fill. */
const REPLY_SHARE = 0.9;
/** Most memory for requests that are being decided, counted by the length of their texts. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

const UNAVAILABLE = { error: 'unavailable', retryable: true } as const;
const OVERLOADED = { error: 'overloaded', retryable: true } as const;
const LOCKED = { error: 'locked', retryable: true } as const;
const TOO_LATE = { error: 'too_late', retryable: true } as const;

export interface Serving extends Subscription {
  /** Takes nothing new, and tells waiting callers to ask another saga. What they asked for may still be committed. */
  leave(): void;
}

export interface SagaServerTools {
  transport: Transport;
  saga: SagaPort;
  logger: Logger;
  /** Called when a call failed and this process may be the cause. */
  doubt?: () => void;
}

/**
 * Serves the workers' calls over the transport. A message holds a batch of calls; each is answered by itself, as soon as its answer is known.
 * @throws Error if one of the subjects cannot be served; then none of them is
 */
export async function serveSaga(tools: SagaServerTools): Promise<Serving> {
  const { transport } = tools;
  const server = new SagaServer(tools);
  const calls = Object.keys(SAGA_SUBJECTS) as SagaCall[];
  const begun = await Promise.allSettled([
    ...calls.map((call) => transport.serve(SAGA_SUBJECTS[call], server.answering(call))),
    transport.serve(HEARTBEAT_TO_ALL, server.answeringForAll(), 'every'),
    ...PROVIDERS.flatMap((provider) => [
      ...calls.map((call) => transport.serve(sagaSubject(call, provider), server.answering(call, provider))),
      transport.serve(heartbeatToAllSubject(provider), server.answeringForAll(provider), 'every'),
    ]),
  ]);
  const subscriptions = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = begun.find((one) => one.status === 'rejected');
  const stop = async (): Promise<void> => {
    await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    server.end();
  };
  const leave = (): void => {
    server.close();
    void stop();
  };
  if (failed) {
    leave();
    throw failed.reason;
  }
  return { stop, leave };
}

/** One call of a message. */
interface CallItem {
  call: SagaCall;
  item: unknown;
  provider: ProviderId | undefined;
}

/** Decides calls, and keeps track of those not yet answered. */
class SagaServer {
  /** One function per call being decided, which answers it. */
  private readonly callers = new Set<(answer: Answer<unknown>) => void>();
  /**
   * Claims that are being decided, by their content. A worker sends a claim again while a slow database decides; deciding it twice would slow down
   * all others.
   */
  private readonly claims = new Map<string, Promise<Answer<unknown>>>();
  private heldBytes = 0;
  private closed = false;
  private readonly standstill = new Standstill();

  constructor(private readonly tools: SagaServerTools) {
    this.standstill.start();
    tellHolding(this, 'requests of workers', MAX_HELD_BYTES, SagaServer.heldBy);
  }

  private static heldBy({ callers, heldBytes }: SagaServer): Held {
    return { items: callers.size, bytes: heldBytes };
  }

  /** @param provider the only provider that these callers may speak for; absent for workers of the previous release */
  answering(call: SagaCall, provider?: ProviderId): RequestHandler {
    return async (payload, say) => {
      const { items, answers, hearsParts } = this.open(call, payload, provider);
      const maxBytes = this.tools.transport.maxPayloadBytes() * REPLY_SHARE;
      if (!hearsParts) return envelope(fitting(await Promise.all(answers), maxBytes));
      const refused: Refused = (place, answer, bytes) => undeliverable(this.tools, { call, item: items[place], answer, bytes, maxBytes });
      return items.length === 0 ? answerPart([]) : inParts(answers, say, maxBytes, refused);
    };
  }

  /** For calls that go to every saga. The first answer counts, so a saga stays silent unless it could decide every call of the message. */
  answeringForAll(provider?: ProviderId): RequestHandler {
    return async (payload) => {
      const answers = await Promise.all(this.open('heartbeat', payload, provider).answers);
      if (answers.some((answer) => 'error' in answer && answer.retryable)) return NO_ANSWER;
      return answerPart(answers.map((answer, place) => [place, answer]));
    };
  }

  end(): void {
    this.standstill.stop();
  }

  close(): void {
    this.closed = true;
    for (const tell of this.callers) tell(UNAVAILABLE);
  }

  private open(call: SagaCall, payload: unknown, provider: ProviderId | undefined) {
    const { items, withinMs } = openEnvelope(payload);
    const askedAt = performance.now() - this.standstill.unreadMs();
    const untilOf = (place: number) => (withinMs ? askedAt + (withinMs[place] ?? 0) : Infinity);
    const answers = items.map((item, place) => this.answer({ call, item, provider }, untilOf(place)));
    return { items, answers, hearsParts: withinMs !== null };
  }

  private async answer(asked: CallItem, until: number): Promise<Answer<unknown>> {
    const { call } = asked;
    if (this.closed) return UNAVAILABLE;
    if (performance.now() >= until) return TOO_LATE;
    const request = this.read(asked);
    if ('error' in request) return request;
    const name = call === 'claim' ? JSON.stringify(request.request) : null;
    const same = name !== null && this.claims.get(name);
    if (same) return same;
    const bytes = sizeOf(request.request);
    // Heartbeats are small and always accepted: refusing one could lose an attempt that is already paid for.
    if (call !== 'heartbeat' && this.heldBytes + bytes > MAX_HELD_BYTES) return OVERLOADED;
    this.heldBytes += bytes;
    const { promise, resolve } = Promise.withResolvers<Answer<unknown>>();
    this.callers.add(resolve);
    if (name !== null) this.claims.set(name, promise);
    void this.decide(call, request.request, until).then((answer) => {
      this.callers.delete(resolve);
      if (name !== null) this.claims.delete(name);
      this.heldBytes -= bytes;
      resolve(answer);
    });
    return promise;
  }

  private read({ call, item, provider }: CallItem): { request: object } | { error: string; retryable: false } {
    try {
      return { request: { ...READERS[call](item), provider } };
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.tools.logger.warn({ call, reason: 'malformed_message', detail: error.message }, 'a worker sent what the saga cannot read');
      return { error: error.message, retryable: false };
    }
  }

  private async decide(call: SagaCall, request: object, until: number): Promise<Answer<unknown>> {
    const { saga, logger, doubt } = this.tools;
    try {
      return { reply: await (saga[call] as (given: object, until: number) => Promise<unknown>)(request, until) };
    } catch (error) {
      if (error instanceof NotTheirs)
        logger.warn({ call, reason: 'not_theirs', detail: error.message }, 'somebody spoke of a step that is not theirs');
      if (error instanceof DomainError) return { error: error.code, retryable: error.code === 'conflict' };
      if (error instanceof StoreBusy) return OVERLOADED;
      // No `doubt`: another saga would meet the same locked row, so this process is not the cause.
      if (error instanceof RowLocked) return LOCKED;
      if (error instanceof UnknownEvent) {
        logger.warn({ call, reason: 'newer_history', detail: error.message }, 'a saga of a newer build has to answer this call');
        return UNAVAILABLE;
      }
      if (performance.now() >= until) return TOO_LATE;
      logger.error({ call, reason: 'saga_call_failed', err: error }, 'a saga call failed');
      doubt?.();
      return UNAVAILABLE;
    }
  }
}
