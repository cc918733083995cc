import type { FailedResult } from '@lib/domain/job/commands';
import { decideJob } from '@lib/domain/job/decide';
import { evolveJob, initialJob, type JobState } from '@lib/domain/job/state';
import type { ErrorClass } from '@lib/domain/vocabulary';
import type { EventRecord } from '@lib/store/history/event-record';
import { maySignal, signalOf } from '../../src/saga/provider-signals';
import { AT } from '../support/decider';
import { A, digest, failure, historyOf, report, request, start, success } from '../support/job-history';

const JOB_MS = request().deadlines.jobMs;
const later = (milliseconds: number) => new Date(Date.parse(AT) + milliseconds).toISOString();

/** What the last event of these commands says of its provider, at that time. */
function signalAfter(commands: Parameters<typeof historyOf>, at = AT) {
  let state: JobState = historyOf(request(), ...commands.slice(0, -1)).reduce((before, event) => evolveJob(before, event, AT), initialJob);
  const events = decideJob(commands.at(-1) as (typeof commands)[0], state, at, digest);
  state = events.reduce((before, event) => evolveJob(before, event, at), state);
  const [{ type, facts } = { type: '', facts: {} }] = events;
  const record = { type, facts, meta: { occurredAt: at } } as unknown as EventRecord;
  return { signal: signalOf(record, state), maySignal: maySignal(record) };
}

const afterFailure = (changes: Partial<FailedResult>, at = AT) => signalAfter([start(A), report(A, 1, failure(changes))], at);

it.each<ErrorClass>(['overloaded', 'unavailable', 'timeout'])('%s of a submit says that the provider is down', (errorClass) => {
  expect(afterFailure({ errorClass })).toEqual({ maySignal: true, signal: { provider: 'provider-a', kind: 'failure', errorClass } });
});

it.each<ErrorClass>(['auth', 'quota', 'invalid_request', 'malformed', 'content_filtered', 'model_gone'])(
  '%s is an answer: it says nothing of the next job',
  (errorClass) => {
    expect(afterFailure({ errorClass }).signal).toEqual({ provider: 'provider-a', kind: 'answer' });
  },
);

it.each<ErrorClass>(['lost', 'not_called'])('%s says nothing of the provider', (errorClass) => {
  expect(afterFailure({ errorClass }).signal).toBeNull();
});

it('a step that a cancellation ends says nothing of the provider', () => {
  expect(signalAfter([start(A), { type: 'CancelJob' }])).toEqual({ maySignal: true, signal: null });
});

it.each([
  [5_000, 5_000],
  [60_000, 60_000],
  [300_000, 60_000],
])('a wish for %d ms holds back others for %d ms', (retryAfterMs, milliseconds) => {
  expect(afterFailure({ errorClass: 'rate_limited', retryAfterMs }).signal).toEqual({ provider: 'provider-a', kind: 'hold', milliseconds });
});

it('a wish for time of a step that is not tried again holds back nobody', () => {
  const signal = afterFailure({ errorClass: 'rate_limited', retryAfterMs: 5_000 }, later(JOB_MS - 10)).signal;
  expect(signal).toEqual({ provider: 'provider-a', kind: 'hold', milliseconds: 0 });
});

it('a report is an answer, and so is the name of a run', () => {
  const answer = { maySignal: true, signal: { provider: 'provider-a', kind: 'answer' } };
  expect(signalAfter([start(A), report(A, 1, success())])).toEqual(answer);
  expect(signalAfter([start(A), { type: 'RecordExternalId', stepId: A, attempt: 1, externalId: 'run-1' }])).toEqual(answer);
});

it('a failed poll of a run that was accepted says nothing', () => {
  const accepted = { type: 'RecordExternalId', stepId: A, attempt: 1, externalId: 'run-1', externalIdSha256: 'sha' } as const;
  expect(signalAfter([start(A), accepted, report(A, 1, failure({ errorClass: 'overloaded' }))]).signal).toBeNull();
});

it('a timeout for the end of the job’s time says nothing; one before does', () => {
  expect(afterFailure({ errorClass: 'timeout' }, later(JOB_MS - 1_000)).signal).toBeNull();
  expect(afterFailure({ errorClass: 'timeout' }, later(JOB_MS - 1_001)).signal).toMatchObject({ kind: 'failure' });
  expect(afterFailure({ errorClass: 'overloaded' }, later(JOB_MS - 1_000)).signal).toMatchObject({ kind: 'failure' });
});

it('other events say nothing of providers', () => {
  for (const type of ['JobRequested', 'StepStarted', 'StepSkipped', 'JobCompleted']) expect(maySignal({ type })).toBe(false);
});
