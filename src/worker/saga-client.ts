import { batch } from '@lib/batching/batch';
import { sizeOf, TOO_LARGE_TOGETHER, type Answer, type SagaCalls } from '@lib/messaging/saga-messages';
import { DomainError } from '@lib/domain/errors';
import type { ProviderId } from '@lib/domain/vocabulary';
import { HEARTBEAT_TO_ALL, heartbeatToAllSubject, SAGA_SUBJECTS, sagaSubject, type SagaCall } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { REPORT_AGAIN_MS, type LeaseTimes } from '@lib/settings/lease-times';
import type { SagaPort } from '../saga/saga-port';
import { askTogether, type Question } from './ask-together';
import { askRepeatedly } from './ask-repeatedly';

/** Calls per message. Fewer for reports, and for claims, whose replies hold questions and briefs; most others hold only ids. */
const MAX_ITEMS: Record<SagaCall, number> = {
  claim: 64,
  report: 64,
  recordExternalId: 256,
  heartbeat: 1000,
  abandonedRun: 64,
  runCancelled: 256,
};
const MAX_BYTES = 256 * 1024;
const WIDTH = 4;
/** How long to wait for an answer if the caller does not say. */
const CALL_MS = 15_000;

/** The saga refused for good: repeating the call cannot help. */
export class SagaRefused extends Error {
  override readonly name = 'SagaRefused';
}

/** Whether the saga refused for good, whether over the transport or in this process: such a call must not be repeated. */
export const isRefusal = (error: unknown): error is SagaRefused | DomainError =>
  error instanceof SagaRefused || (error instanceof DomainError && error.code !== 'conflict');

type Ask<Call extends SagaCall> = (question: Question<SagaCalls[Call]['request']>) => Promise<SagaCalls[Call]['reply']>;

/**
 * The saga over the transport. Calls waiting at the same time share a message, but each answer comes as soon as it is known. A call that rejects
 * with anything but `SagaRefused` may be repeated.
 */
export function createSagaClient(transport: Transport, times: LeaseTimes): SagaPort {
  const caller = <Call extends SagaCall>(call: Call): SagaPort[Call] => {
    const ask = asker(transport, call, (provider) => subjectsOf(call, provider), REPORT_AGAIN_MS);
    return (async (request: SagaCalls[Call]['request'], until = performance.now() + CALL_MS) => {
      // A grant that comes too late must still be received, because it has to be given back.
      const question = { request, until, deafAt: until + (call === 'claim' ? times.leaseMs : 0) };
      return askRepeatedly(() => ask(question), {
        until,
        againMs: REPORT_AGAIN_MS,
        afterFailureMs: () => null,
        isFinal,
        isTentative: isRefusedClaim,
      });
    }) as SagaPort[Call];
  };
  const claim = caller('claim');
  return {
    // A saga that was started with a shorter lease would take the attempt for lost between two heartbeats.
    claim: (request, until) => claim({ ...request, leaseMs: times.leaseMs }, until),
    recordExternalId: caller('recordExternalId'),
    report: caller('report'),
    abandonedRun: caller('abandonedRun'),
    runCancelled: caller('runCancelled'),
    heartbeat: heartbeat(transport, times),
  };
}

/** Asks one saga; if it fails or does not answer in time, asks all of them. Alternates between the two until shortly before the lease ends. */
function heartbeat(transport: Transport, { leaseMs, heartbeatMs, tryMs }: LeaseTimes): SagaPort['heartbeat'] {
  const one = asker(transport, 'heartbeat', (provider) => subjectsOf('heartbeat', provider), tryMs);
  const all = asker(transport, 'heartbeat', toAllSubjects, tryMs);
  const afterFailureMs = (tries: number): number => (tries === 1 ? 0 : tryMs / 4);
  return async (request, until = performance.now() + leaseMs - heartbeatMs) => {
    const question = { request: { ...request, leaseMs }, until, deafAt: until };
    return askRepeatedly((earlierTries) => (earlierTries % 2 === 0 ? one : all)(question), {
      until,
      againMs: tryMs,
      afterFailureMs,
      isFinal,
    });
  };
}

/**
 * A refusal is only tentative: another open try of the same claim may be granted a moment later. If nobody heard that grant, its attempt would be
 * lost only when its lease ends.
 */
const isRefusedClaim = (reply: unknown): boolean => (reply as { granted?: boolean }).granted === false;

const isFinal = (error: unknown): boolean => error instanceof SagaRefused;

/** The last subject is for sagas of the previous release, which serve only that one. */
const subjectsOf = (call: SagaCall, provider: ProviderId | undefined): string[] => [
  ...(provider ? [sagaSubject(call, provider)] : []),
  SAGA_SUBJECTS[call],
];
const toAllSubjects = (provider: ProviderId | undefined): string[] => [
  ...(provider ? [heartbeatToAllSubject(provider)] : []),
  HEARTBEAT_TO_ALL,
];

/** Sends each provider's requests in separate messages, since each provider has its own subject. */
function asker<Call extends SagaCall>(
  transport: Transport,
  call: Call,
  subjects: (provider: ProviderId | undefined) => string[],
  longestMs: number,
): Ask<Call> {
  const lines = new Map<ProviderId | undefined, Ask<Call>>();
  return (question) => {
    const { provider } = question.request;
    const ask = lines.get(provider) ?? line(transport, call, subjects(provider), longestMs);
    lines.set(provider, ask);
    return ask(question);
  };
}

function line<Call extends SagaCall>(transport: Transport, call: Call, subjects: readonly string[], longestMs: number): Ask<Call> {
  type Reply = SagaCalls[Call]['reply'];
  type Asked = Question<SagaCalls[Call]['request']>;
  const send = batch<Asked, Answer<Reply>>((questions) => askTogether(transport, subjects, questions, longestMs), {
    maxItems: MAX_ITEMS[call],
    // Read for each message: a reconnect may lead to a server with a lower limit.
    get maxBytes() {
      return Math.min(MAX_BYTES, transport.maxPayloadBytes() / 2);
    },
    sizeOf: ({ request }) => sizeOf(request),
    width: WIDTH,
  });
  const ask: Ask<Call> = async (question) => {
    const answer = await send(question);
    if ('reply' in answer) return answer.reply;
    if (answer.error === TOO_LARGE_TOGETHER.error) return ask(question);
    throw answer.retryable ? new Error(answer.error) : new SagaRefused(answer.error);
  };
  return ask;
}
