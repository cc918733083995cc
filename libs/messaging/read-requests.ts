import type { Citation } from '@lib/domain/citation';
import type { StepResult, ToldCall } from '@lib/domain/job/commands';
import { RUN_CANCELLATIONS } from '@lib/domain/job/facts';
import { isId } from '@lib/domain/ids';
import { isOfSecret } from '@lib/domain/job/holder';
import { MAX_CHARGE_MICROS, USAGE_COUNTS, type Charge, type Usage } from '@lib/domain/money';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import { readTraceparent } from '@lib/domain/trace-context';
import { ERROR_CLASSES, PROVENANCES } from '@lib/domain/vocabulary';
import { claimIdOfSecret } from './claim-secret';
import { asRecord, count, MalformedMessage, oneOf, shown, text, type Fields } from './fields';
import type { SagaCalls } from './saga-messages';

/**
 * Parsers of messages that came over the wire.
 * @throws MalformedMessage naming the field
 */
export const READERS: { [Call in keyof SagaCalls]: (item: unknown) => SagaCalls[Call]['request'] } = {
  claim: (item) => {
    const fields = asRecord(item, 'claim');
    const [claimId, claimSecret] = [text(fields, 'claimId', 100), secret(fields)];
    // The id is recorded where many can read it: only the secret proves who holds the claim.
    if (isOfSecret(claimId) && (claimSecret === undefined || claimIdOfSecret(claimSecret) !== claimId))
      throw new MalformedMessage('claimSecret is not the secret of claimId');
    return { ...stepIds(fields), claimId, claimSecret, process: optional(fields, 'process', processIdentity), ...heldLease(fields) };
  },
  recordExternalId: (item) => {
    const fields = asRecord(item, 'recordExternalId');
    return { ...attemptIds(fields), externalId: text(fields, 'externalId', 1000) };
  },
  heartbeat: (item) => {
    const fields = asRecord(item, 'heartbeat');
    return { ...attemptIds(fields), ...heldLease(fields) };
  },
  report: (item) => {
    const fields = asRecord(item, 'report');
    return { ...attemptIds(fields), result: stepResult(asRecord(fields.result, 'result')) };
  },
  abandonedRun: (item) => runIds(asRecord(item, 'abandonedRun')),
  runCancelled: (item) => {
    const fields = asRecord(item, 'runCancelled');
    // Workers of the previous release do not send this field.
    const outcome = fields.outcome === undefined ? 'unknown' : oneOf(RUN_CANCELLATIONS, fields, 'outcome');
    return { ...runIds(fields), outcome };
  },
};

function stepResult(fields: Fields): StepResult {
  const charge = fields.charge === null ? null : chargeOf(asRecord(fields.charge, 'charge'));
  if (fields.outcome === 'completed') {
    if (!charge) throw new MalformedMessage('charge is missing from a completed result');
    if (!Array.isArray(fields.citations)) throw new MalformedMessage('citations is not a list');
    return {
      outcome: 'completed',
      charge,
      rawSha256: text(fields, 'rawSha256', 64, SHA256),
      model: fields.model === null ? null : text(fields, 'model', 200),
      reportMarkdown: text(fields, 'reportMarkdown', Infinity),
      citations: fields.citations.map((item) => citation(asRecord(item, 'citation'))),
      truncated: fields.truncated === true,
      call: optional(fields, 'call', toldCall),
    };
  }
  return {
    outcome: 'failed',
    errorClass: oneOf(ERROR_CLASSES, fields, 'errorClass'),
    errorMessage: text(fields, 'errorMessage', 10_000),
    charge,
    retryAfterMs: fields.retryAfterMs === null ? null : count(fields, 'retryAfterMs'),
    runEnded: fields.runEnded === true,
    call: optional(fields, 'call', toldCall),
  };
}

/** A field that workers of an earlier build do not send. */
const optional = <Value>(fields: Fields, name: string, read: (inner: Fields) => Value): Value | undefined =>
  fields[name] === undefined ? undefined : read(asRecord(fields[name], name));

const SHA256 = /^[0-9a-f]{64}$/;

function chargeOf(fields: Fields): Charge {
  const usage = optional(fields, 'usage', usageOf);
  const pricesSha256 = fields.pricesSha256 === undefined ? undefined : text(fields, 'pricesSha256', 64, SHA256);
  return {
    micros: count(fields, 'micros', MAX_CHARGE_MICROS),
    provenance: oneOf(PROVENANCES, fields, 'provenance'),
    ...(usage && { usage }),
    ...(pricesSha256 !== undefined && { pricesSha256 }),
  };
}

const usageOf = (fields: Fields): Usage =>
  Object.fromEntries(
    USAGE_COUNTS.map((name) => [name, fields[name] === null ? null : count(fields, name, Number.MAX_SAFE_INTEGER)]),
  ) as unknown as Usage;

/** Printable and without spaces, because it appears in events and in the log. */
const IDENTITY = /^[\x21-\x7e]{1,100}$/;

const processIdentity = (fields: Fields): ProcessIdentity => ({
  instance: text(fields, 'instance', 100, IDENTITY),
  build: text(fields, 'build', 100, IDENTITY),
});

const toldCall = (fields: Fields): ToldCall => ({
  sentSha256: fields.sentSha256 === null ? null : text(fields, 'sentSha256', 64, SHA256),
  requestId: fields.requestId === null ? null : text(fields, 'requestId', 200),
  status: fields.status === null ? null : count(fields, 'status', 999),
});

function citation(fields: Fields): Citation {
  const textOrNull = (name: string) => (fields[name] === null ? null : text(fields, name, Infinity));
  const offset = (name: string) => (fields[name] === null ? null : count(fields, name));
  return {
    index: count(fields, 'index'),
    url: text(fields, 'url', Infinity),
    title: textOrNull('title'),
    snippet: textOrNull('snippet'),
    startIndex: offset('startIndex'),
    endIndex: offset('endIndex'),
    publishedAt: textOrNull('publishedAt'),
    domain: textOrNull('domain'),
  };
}

function stepIds(fields: Fields): { jobId: string; stepId: string; traceparent?: string } {
  const { jobId, stepId, traceparent } = fields;
  if (typeof jobId !== 'string' || !isId('job', jobId)) throw new MalformedMessage(`jobId ${shown(jobId)} is no job id`);
  if (typeof stepId !== 'string' || !isId('stp', stepId)) throw new MalformedMessage(`stepId ${shown(stepId)} is no step id`);
  // An invalid `traceparent` is no reason to refuse the request.
  return { jobId, stepId, ...(typeof traceparent === 'string' && readTraceparent(traceparent) && { traceparent }) };
}

const runIds = (fields: Fields) => ({ ...stepIds(fields), run: count(fields, 'run') });
const attemptIds = (fields: Fields) => ({ ...stepIds(fields), attempt: count(fields, 'attempt'), claimSecret: secret(fields) });
const heldLease = (fields: Fields) => (fields.leaseMs === undefined ? {} : { leaseMs: count(fields, 'leaseMs') });
const secret = (fields: Fields) => (fields.claimSecret === undefined ? undefined : text(fields, 'claimSecret', 100));
