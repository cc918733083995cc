import type { Citation } from '@lib/domain/citation';
import type { StepResult } from '@lib/domain/job/commands';
import { RUN_CANCELLATIONS } from '@lib/domain/job/events';
import { isId } from '@lib/domain/ids';
import { isOfSecret } from '@lib/domain/job/holder';
import { LARGEST_CHARGE_MICROS } from '@lib/domain/money';
import { ERROR_CLASSES, PROVENANCES } from '@lib/domain/vocabulary';
import { claimIdOf } from './claim-secret';
import { asRecord, count, MalformedMessage, oneOf, shown, text, type Fields } from './fields';
import type { SagaCalls } from './saga-messages';

/** Readers of what came over the wire. @throws MalformedMessage naming the field */
export const READERS: { [Call in keyof SagaCalls]: (item: unknown) => SagaCalls[Call]['request'] } = {
  claim: (item) => {
    const fields = asRecord(item, 'claim');
    const [claimId, claimSecret] = [text(fields, 'claimId', 100), secret(fields)];
    // The id is recorded where many can read it: only its secret shows whose claim it is.
    if (isOfSecret(claimId) && (claimSecret === undefined || claimIdOf(claimSecret) !== claimId))
      throw new MalformedMessage('claimSecret is not the secret of claimId');
    return { ...stepIds(fields), claimId, claimSecret };
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
const attemptIds = (fields: Fields) => ({ ...stepIds(fields), attempt: count(fields, 'attempt'), claimSecret: secret(fields) });
const secret = (fields: Fields) => (fields.claimSecret === undefined ? undefined : text(fields, 'claimSecret', 100));
