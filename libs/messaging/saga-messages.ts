import type { Citation } from '@lib/domain/citation';
import type { StepResult } from '@lib/domain/job/commands';
import { RUN_CANCELLATIONS, type RunCancellation } from '@lib/domain/job/events';
import { isId } from '@lib/domain/ids';
import { LARGEST_CHARGE_MICROS } from '@lib/domain/money';
import { ERROR_CLASSES, PROVENANCES, type ProviderId, type ResearchMode } from '@lib/domain/vocabulary';
import { WIRE_VERSION } from './subjects';

/** What a worker asks the saga. Every message carries a batch: what waited together travels together. */
export interface ClaimRequest {
  jobId: string;
  stepId: string;
  /** Random per handling of a delivery, never derived from it: repeating the request gets the same answer. */
  claimId: string;
}

/** Everything a worker needs for one attempt; it has no database of its own. */
export interface ClaimGranted {
  granted: true;
  attempt: number;
  provider: ProviderId;
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

export interface ExternalIdRequest {
  jobId: string;
  stepId: string;
  attempt: number;
  externalId: string;
}
export interface HeartbeatRequest {
  jobId: string;
  stepId: string;
  attempt: number;
}
/** An attempt that must stop leaves its run at the provider to the attempt after it, or cancels it where none will follow. */
export type HeartbeatReply = { goOn: true } | { goOn: false; run: 'cancel' | 'leave' };

export interface ReportRequest {
  jobId: string;
  stepId: string;
  attempt: number;
  result: StepResult;
}

/** A run that goes on at its provider though nobody needs it. */
export interface AbandonedRunRequest {
  jobId: string;
  stepId: string;
  run: number;
}

/** What came of asking for its end. */
export interface RunCancelledRequest extends AbandonedRunRequest {
  outcome: RunCancellation;
}

/** The calls, each with its request and reply. */
export interface SagaCalls {
  claim: { request: ClaimRequest; reply: ClaimReply };
  external: { request: ExternalIdRequest; reply: { recorded: true } };
  heartbeat: { request: HeartbeatRequest; reply: HeartbeatReply };
  report: { request: ReportRequest; reply: { committed: true } };
  /** Null: there is nothing to cancel any more. */
  abandonedRun: { request: AbandonedRunRequest; reply: { externalId: string | null } };
  runCancelled: { request: RunCancelledRequest; reply: { committed: true } };
}

/** One answer of a batch. `retryable` refusals may be asked again, the others never change. */
export type Answer<Reply> = { reply: Reply } | { error: string; retryable: boolean };

/** The answer of an item whose reply did not fit into the message beside the others: ask again, it will be among fewer. */
export const TOO_LARGE_TOGETHER = { error: 'too_large_together', retryable: true } as const;

export interface Envelope<Item> {
  v: number;
  items: Item[];
  /** For how many milliseconds more the answer of each item is waited for. Whoever says so hears the answers in parts. */
  withinMs?: number[];
}

export const envelope = <Item>(items: Item[], withinMs?: number[]): Envelope<Item> => ({
  v: WIRE_VERSION,
  items,
  ...(withinMs ? { withinMs } : {}),
});

/** @throws MalformedMessage unless the payload is an envelope of this version */
export function openEnvelope(payload: unknown): { items: unknown[]; withinMs: number[] | null } {
  const { v, items, withinMs } = asRecord(payload, 'message');
  if (v !== WIRE_VERSION) throw new MalformedMessage(`version ${shown(v)} is not ${WIRE_VERSION}: run the same release everywhere`);
  if (!Array.isArray(items)) throw new MalformedMessage('items is not a list');
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

export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** Readers of what came over the wire. @throws MalformedMessage naming the field */
export const READERS: { [Call in keyof SagaCalls]: (item: unknown) => SagaCalls[Call]['request'] } = {
  claim: (item) => {
    const fields = asRecord(item, 'claim');
    return { ...stepIds(fields), claimId: text(fields, 'claimId', 100) };
  },
  external: (item) => {
    const fields = asRecord(item, 'external');
    return { ...attemptIds(fields), externalId: text(fields, 'externalId', 1000) };
  },
  heartbeat: (item) => attemptIds(asRecord(item, 'heartbeat')),
  report: (item) => {
    const fields = asRecord(item, 'report');
    return { ...attemptIds(fields), result: stepResult(asRecord(fields.result, 'result')) };
  },
  abandonedRun: (item) => runIds(asRecord(item, 'abandonedRun')),
  runCancelled: (item) => {
    const fields = asRecord(item, 'runCancelled');
    // Workers of the release before say nothing of it.
    const outcome = fields.outcome === undefined ? 'unknown' : oneOf(RUN_CANCELLATIONS, fields, 'outcome');
    return { ...runIds(fields), outcome };
  },
};

type Fields = Record<string, unknown>;

/**
 * About how many bytes a request takes in a message. Only reports are large; the rest of a request is ids. A UTF-16 unit is at most 3 bytes,
 * or 6 where JSON escapes it.
 */
export function sizeOf(request: object): number {
  if ('externalId' in request) return 200 + 3 * (request as ExternalIdRequest).externalId.length;
  if (!('result' in request)) return 200;
  const { result } = request as ReportRequest;
  if (result.outcome === 'failed') return 500 + 3 * result.errorMessage.length;
  const citations = result.citations.map(
    ({ url, title, snippet }) => 300 + 3 * (url.length + (title?.length ?? 0) + (snippet?.length ?? 0)),
  );
  return citations.reduce((bytes, citation) => bytes + citation, 500 + 3 * result.reportMarkdown.length);
}

function stepResult(fields: Fields): StepResult {
  const charge = fields.charge === null ? null : chargeOf(asRecord(fields.charge, 'charge'));
  if (fields.outcome === 'completed') {
    if (!charge) throw new MalformedMessage('charge is missing from a completed result');
    if (!Array.isArray(fields.citations)) throw new MalformedMessage('citations is not a list');
    return {
      outcome: 'completed',
      charge,
      rawSha256: text(fields, 'rawSha256', 64, /^[0-9a-f]{64}$/),
      model: fields.model === null ? null : text(fields, 'model', 200),
      reportMarkdown: text(fields, 'reportMarkdown', Infinity),
      citations: fields.citations.map((item) => citation(asRecord(item, 'citation'))),
      truncated: fields.truncated === true,
    };
  }
  return {
    outcome: 'failed',
    errorClass: oneOf(ERROR_CLASSES, fields, 'errorClass'),
    errorMessage: text(fields, 'errorMessage', 10_000),
    charge,
    retryAfterMs: fields.retryAfterMs === null ? null : count(fields, 'retryAfterMs'),
    runEnded: fields.runEnded === true,
  };
}

const chargeOf = (fields: Fields) => ({
  micros: count(fields, 'micros', LARGEST_CHARGE_MICROS),
  provenance: oneOf(PROVENANCES, fields, 'provenance'),
});

function citation(fields: Fields): Citation {
  const optional = (name: string) => (fields[name] === null ? null : text(fields, name, Infinity));
  const offset = (name: string) => (fields[name] === null ? null : count(fields, name));
  return {
    index: count(fields, 'index'),
    url: text(fields, 'url', Infinity),
    title: optional('title'),
    snippet: optional('snippet'),
    startIndex: offset('startIndex'),
    endIndex: offset('endIndex'),
    publishedAt: optional('publishedAt'),
    domain: optional('domain'),
  };
}

function stepIds(fields: Fields): { jobId: string; stepId: string } {
  const { jobId, stepId } = fields;
  if (typeof jobId !== 'string' || !isId('job', jobId)) throw new MalformedMessage(`jobId ${shown(jobId)} is no job id`);
  if (typeof stepId !== 'string' || !isId('stp', stepId)) throw new MalformedMessage(`stepId ${shown(stepId)} is no step id`);
  return { jobId, stepId };
}

const runIds = (fields: Fields) => ({ ...stepIds(fields), run: count(fields, 'run') });
const attemptIds = (fields: Fields) => ({ ...stepIds(fields), attempt: count(fields, 'attempt') });

function asRecord(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new MalformedMessage(`${name} is not an object`);
}

function text(fields: Fields, name: string, longest: number, pattern = /^[^\0]*$/): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.length > longest || !pattern.test(value) || !value.isWellFormed()) {
    throw new MalformedMessage(`${name} is not a text of that form`);
  }
  return value;
}

function count(fields: Fields, name: string, most = 2 ** 31 - 1): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw new MalformedMessage(`${name} ${shown(value)} is not a whole number from 0 to ${most}`);
}

function oneOf<Value extends string>(values: readonly Value[], fields: Fields, name: string): Value {
  const value = values.find((other) => other === fields[name]);
  if (value === undefined) throw new MalformedMessage(`${name} ${shown(fields[name])} is none of ${values.join(', ')}`);
  return value;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);
