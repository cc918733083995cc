import { agendaOf } from '@lib/domain/job/agenda';
import { DomainError } from '@lib/domain/errors';
import { redriveTerms } from '@lib/domain/job/redrive';
import { reservedMicros } from '@lib/domain/job/reservations';
import type { JobCommand } from '@lib/domain/job/commands';
import type { JobState } from '@lib/domain/job/state';
import { A, B, complete, externalId, failure, given, historyOf, report, request, start, success } from '../support/job-history';
import { play } from '../support/job-schedules';

const again: JobCommand = { type: 'RedriveSteps', stepIds: null };
const refusedKey = failure({ errorClass: 'auth', charge: { micros: 0, provenance: 'reported' }, runEnded: true });
const failedA = [request(), start(A), report(A, 1, refusedKey)];
const stateAfter = (...commands: JobCommand[]): JobState => play(commands).state;

function why(decide: () => unknown): string {
  try {
    decide();
    return 'it was not refused';
  } catch (error) {
    return error instanceof DomainError ? `${error.code}: ${error.message}` : String(error);
  }
}

describe('redriving a failed step of an open job', () => {
  it('reserves for one more try, which is due at once, and keeps what was', () => {
    const [event, ...others] = given(...failedA)
      .when(again)
      .events();
    expect({ event, others }).toEqual({
      event: { type: 'StepRedriven', facts: { stepId: A, run: 2, reservedMicros: 400_000 } },
      others: [],
    });
    const state = stateAfter(...failedA, again);
    expect(state.steps[0]).toMatchObject({ status: 'queued', failure: null, completedAt: null, attempts: [{ attempt: 1 }] });
    expect(reservedMicros(state)).toBe(800_000);
    expect(agendaOf(state, 1).map(({ kind, ref }) => `${kind} ${ref}`)).toContain(`dispatch step ${A}#2`);
  });

  it('lets it be claimed, reported and written into the report like any other', () => {
    const state = stateAfter(...failedA, again, start(A, 'again'), report(A, 2, success(5)), start(B), report(B, 1, success(5)), complete);
    expect(state).toMatchObject({ status: 'completed', totals: { chargedMicros: 10 } });
  });

  it('is completed by a late report of the try before, and what the new one reserved is free', () => {
    const lost = [request(), start(A), report(A, 1, failure({ errorClass: 'auth', charge: null, runEnded: true })), again];
    const events = historyOf(...lost, start(A, 'again'));
    expect(events.at(-1)).toMatchObject({ type: 'StepStarted', facts: { run: 2, attempt: 2 } });
  });

  it('wins once: the step does not fail a second time by being tried', () => {
    expect(why(() => historyOf(...failedA, again, again))).toMatch(/^conflict: No step of this job has ended without a report/);
  });

  it.each<[string, JobCommand[], RegExp]>([
    ['a job in which nothing failed', [request(), start(A)], /nothing to try again/],
    ['a job that is written', [...failedA, start(B), report(B, 1, success())], /wait until it has ended/],
    ['a job that has ended', [...failedA, { type: 'CancelJob' }], /wait until it has ended/],
    [
      'a step whose run goes on',
      [request(), start(A), externalId(A, 1), report(A, 1, failure({ errorClass: 'auth', charge: null }))],
      /still goes on/,
    ],
    [
      'a budget that is spent',
      [request({ budgetCapCents: 50 }), start(A), report(A, 1, failure({ errorClass: 'auth', charge: null, runEnded: true }))],
      /left of the budget/,
    ],
  ])('refuses %s', (_, before, reason) => {
    expect(why(() => historyOf(...before, again))).toMatch(reason);
  });

  it('refuses a step that is none of those, and whom it names', () => {
    expect(why(() => historyOf(...failedA, { type: 'RedriveSteps', stepIds: [B] }))).toMatch(
      new RegExp(`The step ${B} is none of this job`),
    );
  });
});

describe('asking the failed steps of a final job again', () => {
  it('hands on the share of the rest that fits the steps that are named, and the rest with the last of them', () => {
    const bothFailed = [...failedA, start(B), report(B, 1, refusedKey)];
    const state = stateAfter(...bothFailed);
    expect(redriveTerms(state, null).capCents).toBe(100);
    expect(redriveTerms(state, [A, B]).capCents).toBe(100);
    expect(redriveTerms(state, [A]).capCents).toBe(50);
    const after = stateAfter(...bothFailed, { type: 'RedriveJob', jobId: 'job_2', stepIds: [A], capCents: 50 });
    expect(redriveTerms(after, [B]).capCents).toBe(50);
    expect(why(() => historyOf(...bothFailed, { type: 'RedriveJob', jobId: 'job_2', stepIds: [A], capCents: 100 }))).toMatch(
      /moved on meanwhile/,
    );
  });

  const ended = [...failedA, start(B), report(B, 1, success(100_000)), complete];

  it('leaves the job as it is, and gives the other one what is left of its budget', () => {
    const state = stateAfter(...ended);
    const { steps, capCents } = redriveTerms(state, null);
    expect({ steps: steps.map(({ stepId }) => stepId), capCents }).toEqual({ steps: [A], capCents: 90 });
    const redrive: JobCommand = { type: 'RedriveJob', jobId: 'job_2', stepIds: null, capCents };
    const after = stateAfter(...ended, redrive);
    const { version: _, redrives, ...rest } = after;
    const { version: __, ...before } = state;
    expect(rest).toEqual(before);
    expect(redrives).toEqual([{ jobId: 'job_2', stepIds: [A], capCents: 90 }]);
    expect(why(() => redriveTerms(after, null))).toMatch(/asked again by job_2 already/);
    expect(why(() => historyOf(...ended, redrive, { ...redrive, jobId: 'job_3' }))).toMatch(/asked again by job_2 already/);
  });

  it.each<[string, JobCommand[], RegExp]>([
    ['an open job', failedA, /has not ended/],
    ['one that was cancelled', [...failedA, { type: 'CancelJob' }], /was cancelled/],
    ['one that was erased', [...ended, { type: 'EraseContent' }], /thread_not_found/],
    [
      'one of which everything succeeded',
      [request({ candidates: request().candidates.slice(0, 1) }), start(A), report(A, 1, success()), complete],
      /nothing to try again/,
    ],
    [
      'one that spent its budget',
      [...failedA, start(B), report(B, 1, success(400_000)), complete, { type: 'RedriveJob', jobId: 'job_2', stepIds: [A], capCents: 60 }],
      /already/,
    ],
  ])('refuses %s', (_, before, reason) => {
    expect(why(() => redriveTerms(stateAfter(...before), null))).toMatch(reason);
  });

  it('says of a step that nobody asks again that nothing is left of the budget, not that it is asked again', () => {
    const both = [
      request({ budgetCapCents: 10 }),
      start(A),
      report(A, 1, refusedKey),
      start(B),
      report(B, 1, refusedKey),
      // No less would do for it.
      { type: 'RedriveJob', jobId: 'job_2', stepIds: [A], capCents: 10 } as const,
    ];
    expect(why(() => redriveTerms(stateAfter(...both), [A]))).toMatch(/asked again by job_2 already/);
    expect(why(() => redriveTerms(stateAfter(...both), [B]))).toMatch(/0 cents are left/);
  });

  it('refuses terms that are no longer those of the job', () => {
    expect(why(() => historyOf(...ended, { type: 'RedriveJob', jobId: 'job_2', stepIds: null, capCents: 91 }))).toMatch(
      /moved on meanwhile/,
    );
  });
});
