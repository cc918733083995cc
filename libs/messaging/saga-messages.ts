import type { StepResult } from '@lib/domain/job/commands';
import type { RunCancellation } from '@lib/domain/job/facts';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { ProviderId, ResearchMode } from '@lib/domain/vocabulary';
import { asRecord, count, MalformedMessage, shown, type Fields } from './fields';
import { WIRE_VERSION } from './subjects';

/** The fields of every request of a worker. */
interface OfStep {
  jobId: string;
  stepId: string;
  /** The provider that the worker speaks for, taken from the subject. A provider named in the message itself is ignored. */
  provider?: ProviderId | undefined;
  /** The worker's span in the job's trace; absent if nothing is traced. */
  traceparent?: string | undefined;
}

/** A worker's claim of a step. Every message carries a batch of requests that waited at the same time. */
export interface ClaimRequest extends OfStep {
  /** New for each handling of a delivery, never derived from it: repeating the request gets the same answer. */
  claimId: string;
  /** `claimId` is the digest of this secret. Workers of the previous release send no secret, and a random id. */
  claimSecret?: string | undefined;
  /** The worker; workers of an earlier build do not say. */
  process?: ProcessIdentity | undefined;
  leaseMs?: HeldLease;
}

/**
 * For how long the worker takes its lease to be: it sends its heartbeats by this, and the saga may have been started with another time. Workers of an
 * earlier build do not say.
 */
type HeldLease = number | undefined;

/** Of a granted attempt. */
interface OfAttempt extends OfStep {
  attempt: number;
  /** The secret of the claim to which the attempt was granted. */
  claimSecret?: string | undefined;
}

/** Everything a worker needs for one attempt; it has no database of its own. */
export interface ClaimGranted {
  granted: true;
  attempt: number;
  provider: ProviderId;
  /** The adapter that the step was planned with. Sagas of an earlier build do not say. */
  adapter?: string | undefined;
  model: string | null;
  query: string;
  brief: string | null;
  context: { question: string; claims: string[]; laterMessages: string[] } | null;
  mode: ResearchMode;
  /** What the run may cost at the provider, in micro-dollars: its reservation without the markup, and a hard limit. */
  reservedMicros: number;
  /** Milliseconds left of the job's time when the reply was made. */
  deadlineMs: number;
  /** The run of an earlier attempt, to be resumed. */
  externalId: string | null;
}
export type ClaimReply = ClaimGranted | { granted: false; reason: string };

export interface ExternalIdRequest extends OfAttempt {
  externalId: string;
}
export interface HeartbeatRequest extends OfAttempt {
  leaseMs?: HeldLease;
}
/**
 * An attempt that must stop leaves its run at the provider to the attempt after it, or cancels it if none will follow. `unfollowed`: its
 * step still waits for a next try, which would pay for another run. Sagas of an earlier build do not say so.
 */
export type HeartbeatReply = { goOn: true } | { goOn: false; run: 'cancel' } | { goOn: false; run: 'leave'; unfollowed?: true };

export interface ReportRequest extends OfAttempt {
  result: StepResult;
}

/** A run that continues at its provider though nobody needs it. */
export interface AbandonedRunRequest extends OfStep {
  run: number;
}

/** The outcome of asking a provider to stop a run. */
export interface RunCancelledRequest extends AbandonedRunRequest {
  outcome: RunCancellation;
}

/** The calls, each with its request and reply. */
export interface SagaCalls {
  claim: { request: ClaimRequest; reply: ClaimReply };
  recordExternalId: { request: ExternalIdRequest; reply: { recorded: true } };
  heartbeat: { request: HeartbeatRequest; reply: HeartbeatReply };
  report: { request: ReportRequest; reply: { committed: true } };
  /** Null: there is nothing to cancel any more. */
  abandonedRun: { request: AbandonedRunRequest; reply: { externalId: string | null } };
  runCancelled: { request: RunCancelledRequest; reply: { committed: true } };
}

/** One answer of a batch. `retryable` refusals may be asked again, the others never change. */
export type Answer<Reply> = { reply: Reply } | { error: string; retryable: boolean };

/** The answer to an item whose reply did not fit into the message with the others. If it is asked again, it will be with fewer others. */
export const TOO_LARGE_TOGETHER = { error: 'too_large_together', retryable: true } as const;

export interface Envelope<Item> {
  v: number;
  items: Item[];
  /** For how many more milliseconds each item is waited for. A sender that says this takes the answers in parts. */
  withinMs?: number[];
}

export const envelope = <Item>(items: Item[], withinMs?: number[]): Envelope<Item> => ({
  v: WIRE_VERSION,
  items,
  ...(withinMs ? { withinMs } : {}),
});

/** Most items of a message: several times as many as any worker sends, and so few that one message does not hold up others for long. */
const MAX_ITEMS = 10_000;

/** @throws MalformedMessage unless the payload is an envelope of this version */
export function openEnvelope(payload: unknown): { items: unknown[]; withinMs: number[] | null } {
  const { v, items, withinMs } = asRecord(payload, 'message');
  if (v !== WIRE_VERSION) throw new MalformedMessage(`version ${shown(v)} is not ${WIRE_VERSION}: run the same release everywhere`);
  if (!Array.isArray(items)) throw new MalformedMessage('items is not a list');
  if (items.length > MAX_ITEMS) throw new MalformedMessage(`${items.length} items are more than ${MAX_ITEMS}`);
  if (withinMs === undefined) return { items, withinMs: null };
  if (!Array.isArray(withinMs) || withinMs.length !== items.length)
    throw new MalformedMessage('withinMs is not a list of one time an item');
  return { items, withinMs: withinMs.map((_, place) => count(withinMs as unknown as Fields, String(place))) };
}

/** Some of the answers to a message, each with the place of its item. */
export interface AnswerPart<Reply> {
  v: number;
  answers: [number, Answer<Reply>][];
}

export const answerPart = <Reply>(answers: [number, Answer<Reply>][]): AnswerPart<Reply> => ({ v: WIRE_VERSION, answers });

/**
 * The answers in a part, or in the whole answer of a saga that knows no parts.
 * @throws MalformedMessage if it is neither
 */
export function readAnswers<Reply>(payload: unknown, itemCount: number): [number, Answer<Reply>][] {
  const { answers, items } = asRecord(payload, 'answer');
  const given: unknown = Array.isArray(items) ? items.map((answer: unknown, place) => [place, answer]) : answers;
  if (!Array.isArray(given)) throw new MalformedMessage('answers is not a list');
  return given.map((entry: unknown) => {
    const [place, answer] = (Array.isArray(entry) ? entry : []) as unknown[];
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place >= itemCount)
      throw new MalformedMessage(`${shown(place)} is the place of none of ${itemCount} items`);
    const fields = asRecord(answer, 'answer');
    if (!('reply' in fields) && typeof fields.error !== 'string') throw new MalformedMessage('an answer holds neither reply nor error');
    return [place, fields as Answer<Reply>];
  });
}

/**
 * About how many bytes a request takes in a message. Only reports are large; the rest of a request is ids. A UTF-16 unit is at most 3 bytes,
 * or 6 where JSON escapes it.
 */
export function sizeOf(request: object): number {
  if ('externalId' in request) return 200 + 3 * (request as ExternalIdRequest).externalId.length;
  if (!('result' in request)) return 'process' in request ? 400 : 200;
  const { result } = request as ReportRequest;
  if (result.outcome === 'failed') return 1_000 + 3 * result.errorMessage.length;
  const citations = result.citations.map(
    ({ url, title, snippet }) => 300 + 3 * (url.length + (title?.length ?? 0) + (snippet?.length ?? 0)),
  );
  return citations.reduce((bytes, citation) => bytes + citation, 1_000 + 3 * result.reportMarkdown.length);
}
