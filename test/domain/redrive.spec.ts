import { agendaOf } from '@lib/domain/job/agenda';
import { DomainError } from '@lib/domain/errors';
import { redriveTerms } from '@lib/domain/job/redrive';
import { reservedMicros } from '@lib/domain/job/reservations';
import type { JobCommand } from '@lib/domain/job/commands';
import type { JobState } from '@lib/domain/job/state';
import { decideJob } from '@lib/domain/job/decide';
import { AT } from '../support/decider';
import {
  A,
  B,
  candidate,
  complete,
  digest,
  externalId,
  failure,
  given,
  historyOf,
  planTopics,
  report,
  request,
  start,
  success,
} from '../support/job-history';
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

describe('why a step is not tried again', () => {
  const [spent] = [failure({ errorClass: 'auth', charge: null, runEnded: true })];
  const dear = request({ candidates: [candidate(A, 'provider-a', 400_000, 400_000), candidate(B, 'provider-b', 300_000, 300_000)] });

  it.each<[string, JobCommand[], JobCommand, string]>([
    [
      'nothing has failed',
      [request(), start(A)],
      again,
      'conflict: No step of this job has ended without a report, so there is nothing to try again.',
    ],
    [
      'the step is none of them',
      failedA,
      { type: 'RedriveSteps', stepIds: [A, B] },
      `conflict: ${B} is not a step of this job that ended without a report: leave out --step, or name one that did.`,
    ],
    [
      'its report is being written',
      [...failedA, start(B), report(B, 1, success())],
      again,
      'conflict: The job asks no provider any more: wait until it has ended, then redrive it.',
    ],
    [
      'its run goes on',
      [request(), start(A), externalId(A, 1), report(A, 1, failure({ errorClass: 'auth', charge: null }))],
      again,
      `conflict: Not tried again: ${A}: its last run still goes on at the provider, which is being told to stop it; try again once it has.`,
    ],
    [
      'too little is left',
      [dear, start(A), report(A, 1, spent)],
      again,
      `conflict: Not tried again: ${A}: 300000 micro-dollars are left of the budget, and it needs 400000.`,
    ],
  ])('is told where %s', (_, before, command, reason) => {
    expect(why(() => historyOf(...before, command))).toBe(reason);
  });

  it('is told of a run that goes on though an earlier one is over', () => {
    const twice = [
      request(),
      ...[start(A), report(A, 1, failure({ runEnded: true })), start(A, 'again'), externalId(A, 2)],
      report(A, 2, failure({ errorClass: 'auth', charge: null })),
    ];
    expect(why(() => historyOf(...twice, again))).toMatch(/still goes on/);
  });

  it('is told of each of them, and who names steps gets all of them or none', () => {
    const candidates = [
      candidate(A, 'provider-a', 400_000, 400_000),
      candidate(B, 'provider-b', 200_000, 200_000),
      candidate('stp_c', 'provider-c', 0, 0),
    ];
    const failed = [A, B].flatMap((step) => [start(step), report(step, 1, spent)]);
    const before = [request({ candidates, budgetCapCents: 80 }), ...failed];
    const left = (needs: number, micros = 200_000) => `${micros} micro-dollars are left of the budget, and it needs ${needs}`;
    expect(
      given(...before)
        .when(again)
        .events(),
    ).toEqual([{ type: 'StepRedriven', facts: { stepId: B, run: 2, reservedMicros: 200_000 } }]);
    expect(why(() => historyOf(...before, { type: 'RedriveSteps', stepIds: [A, B] }))).toBe(
      `conflict: Not tried again: ${A}: ${left(400_000)}.`,
    );
    given(...before)
      .when({ type: 'RedriveSteps', stepIds: [B] })
      .thenTypes('StepRedriven');
    const tight = [request({ candidates, budgetCapCents: 60 }), ...failed];
    expect(why(() => historyOf(...tight, again))).toBe(`conflict: Not tried again: ${A}: ${left(400_000, 0)}; ${B}: ${left(200_000, 0)}.`);
  });

  it('is that the job has run out of its time, to the millisecond', () => {
    const deadlines = { queueMs: 1_000, jobMs: 60_000, synthesisMs: 1_000 };
    const state = stateAfter(request({ deadlines }), start(A), report(A, 1, refusedKey));
    const at = (milliseconds: number) => new Date(Date.parse(AT) + milliseconds).toISOString();
    expect(decideJob(again, state, at(59_999), digest)).toHaveLength(1);
    expect(why(() => decideJob(again, state, at(60_000), digest))).toBe(
      'conflict: The deadline of the job is over: wait until it has ended, then redrive it.',
    );
  });

  it('is not that it waited in vain before the job began', () => {
    const skip: JobCommand = { type: 'SkipStep', stepId: A, reason: 'circuit_open' };
    const state = stateAfter(request(), skip);
    expect(state.startedAt).toBeNull();
    expect(decideJob(again, state, AT, digest)).toMatchObject([{ facts: { stepId: A, run: 2, reservedMicros: 400_000 } }]);
  });
});

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
    expect(state.steps[0]?.retry).toEqual({ run: 2, resumes: false, reservedMicros: 400_000, delayMs: 0 });
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
    expect(why(() => historyOf(...failedA, { type: 'RedriveSteps', stepIds: [B] }))).toMatch(new RegExp(`${B} is not a step of this job`));
  });
});

describe('what another job may cost that asks failed steps again', () => {
  const threeOf = (...most: [number, number, number]) =>
    most.map((micros, place) => candidate(`stp_${place}`, 'provider-a', micros / 10, micros));
  const failing = (step: string) => [start(step), report(step, 1, refusedKey)];
  const allFailed = (changes: object) => stateAfter(request(changes), ...['stp_0', 'stp_1', 'stp_2'].flatMap(failing));

  it('is what was neither charged nor lost, rounded down to cents', () => {
    const spending = [
      request({ candidates: [candidate(A, 'provider-a', 100, 100_001), candidate(B, 'provider-b', 100, 400_000)] }),
      start(A),
      report(A, 1, failure({ errorClass: 'auth', charge: null, runEnded: true })),
      start(B),
      report(B, 1, success(20_000)),
      complete,
    ];
    // 100 cents, less 2 that were charged and 10.0001 that were lost.
    expect(redriveTerms(stateAfter(...spending), null).capCents).toBe(87);
  });

  it('is enough where it covers the cheapest of them', () => {
    const candidates = [candidate(A, 'provider-a', 600_000, 600_000), candidate(B, 'provider-b', 100_000, 100_000)];
    const lost = report(A, 1, failure({ errorClass: 'auth', charge: null, runEnded: true }));
    const state = stateAfter(request({ candidates }), start(A), lost, ...failing(B));
    expect(redriveTerms(state, null)).toMatchObject({ capCents: 40, steps: [{ stepId: A }, { stepId: B }] });
  });

  it('is a share by the most that each may cost, and no less than what the cheapest of them needs', () => {
    const state = allFailed({ candidates: threeOf(600_000, 300_000, 100_000) });
    expect(redriveTerms(state, ['stp_0']).capCents).toBe(60);
    expect(redriveTerms(state, ['stp_1', 'stp_2']).capCents).toBe(40);
    expect(redriveTerms(state, ['stp_0', 'stp_1', 'stp_2']).capCents).toBe(100);
    const needing = allFailed({
      candidates: threeOf(600_000, 300_000, 100_000).map((one, place) => (place === 2 ? { ...one, minReserveMicros: 95_001 } : one)),
    });
    expect(redriveTerms(needing, ['stp_2']).capCents).toBe(10);
    const odd = allFailed({ candidates: threeOf(400_000, 200_000, 100_000) });
    expect(redriveTerms(odd, ['stp_0']).capCents).toBe(57);
  });

  it('is all that is left where no step costs anything', () => {
    const state = allFailed({ candidates: threeOf(0, 0, 0) });
    expect(redriveTerms(state, ['stp_1']).capCents).toBe(100);
  });

  it('is less what was given to others already, and counts their steps no more', () => {
    const history: JobCommand[] = [
      request({ candidates: threeOf(600_000, 300_000, 100_000) }),
      ...['stp_0', 'stp_1', 'stp_2'].flatMap(failing),
      { type: 'RedriveJob', jobId: 'job_2', stepIds: ['stp_0'], capCents: 60 },
    ];
    const state = stateAfter(...history);
    expect(redriveTerms(state, ['stp_1']).capCents).toBe(30);
    expect(redriveTerms(state, ['stp_1', 'stp_2']).capCents).toBe(40);
    const after = stateAfter(...history, { type: 'RedriveJob', jobId: 'job_3', stepIds: ['stp_1'], capCents: 30 });
    expect(after.redrives).toEqual([
      { jobId: 'job_2', stepIds: ['stp_0'], capCents: 60 },
      { jobId: 'job_3', stepIds: ['stp_1'], capCents: 30 },
    ]);
    expect(redriveTerms(after, ['stp_2']).capCents).toBe(10);
    expect(why(() => redriveTerms(after, ['stp_2', 'stp_1']))).toBe(
      'conflict: job_3 already asks again what failed: if it fails too, redrive that job.',
    );
  });

  it('is refused where it covers none of them', () => {
    const spent = (micros: number) => [
      request({ budgetCapCents: 50, candidates: [candidate(A, 'provider-a', 100_000, 100_000), candidate(B, 'provider-b', 0, 400_000)] }),
      ...[start(A), report(A, 1, refusedKey), start(B), report(B, 1, success(micros)), complete],
    ];
    expect(redriveTerms(stateAfter(...spent(400_000)), null).capCents).toBe(10);
    const lost = [
      ...spent(0).slice(0, 2),
      report(A, 1, failure({ errorClass: 'auth', charge: null, runEnded: true })),
      start(B),
      report(B, 1, success(300_001)),
      complete,
    ];
    expect(why(() => redriveTerms(stateAfter(...lost), null))).toBe(
      "conflict: Of the job's budget 9 cents are left, which covers none of its failed steps: pursue it with a budget of its own.",
    );
  });

  it('is asked of the question’s steps alone', () => {
    const topicFailed: JobCommand[] = [
      request({ spideringEnabled: true, candidates: [candidate(A, 'provider-a')] }),
      ...[
        start(A),
        report(A, 1, success()),
        planTopics(1, candidate('stp_t', 'provider-a')),
        start('stp_t'),
        report('stp_t', 1, refusedKey),
      ],
      { ...planTopics(2), topics: [] },
      complete,
    ];
    expect(why(() => redriveTerms(stateAfter(...topicFailed), null))).toBe(
      'conflict: Only steps on follow-on topics have failed: pursue the topics.',
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
    // Of all that failed, what nobody asks again yet.
    const rest = redriveTerms(after, null);
    expect({ steps: rest.steps.map(({ stepId }) => stepId), capCents: rest.capCents }).toEqual({ steps: [B], capCents: 50 });
    expect(why(() => redriveTerms(after, [A, B]))).toMatch(/job_2 already asks again/);
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
    expect(why(() => redriveTerms(after, null))).toMatch(/job_2 already asks again/);
    expect(why(() => historyOf(...ended, redrive, { ...redrive, jobId: 'job_3' }))).toMatch(/job_2 already asks again/);
  });

  it.each<[string, JobCommand[], RegExp]>([
    ['an open job', failedA, /^conflict: The job has not ended yet\.$/],
    [
      'one that was cancelled',
      [...failedA, { type: 'CancelJob' }],
      /^conflict: The job was cancelled by whoever asked for it: pursue it, or ask again\.$/,
    ],
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
    expect(why(() => redriveTerms(stateAfter(...both), [A]))).toMatch(/job_2 already asks again/);
    expect(why(() => redriveTerms(stateAfter(...both), [B]))).toMatch(/0 cents are left/);
  });

  it('refuses terms that are no longer those of the job', () => {
    expect(why(() => historyOf(...ended, { type: 'RedriveJob', jobId: 'job_2', stepIds: null, capCents: 91 }))).toMatch(
      /moved on meanwhile/,
    );
  });
});
