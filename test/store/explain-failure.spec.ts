import type { JobCommand } from '@lib/domain/job/commands';
import { explainFailure } from '@lib/store/views/explain-failure';
import { A, B, candidate, failure, given, lose, report, request, start } from '../support/job-history';

/** What the job that these commands lead to says of each step; `told` is the recorded text of its error. */
function reasons(told: string | null, ...commands: JobCommand[]): string[] {
  const { state } = given(...commands);
  return state.steps.map((step) => explainFailure(step, state, step.contentVersion === null ? null : told));
}

const deadlines = (jobMs: number) => ({ queueMs: 86_400_000, jobMs, synthesisMs: 300_000 });
const atDeadline: JobCommand = { type: 'ReachDeadline', phase: 'running' };
const C = 'stp_c';

describe('a step that the budget left no room for', () => {
  it('says what it needs and what the steps before it, the synthesis and nothing else had left', () => {
    const candidates = [
      candidate(A, 'provider-a', 0, 450_000),
      candidate(B, 'provider-b', 500_001, 600_000),
      candidate(C, 'provider-c', 0, 100_000),
    ];
    expect(reasons(null, request({ candidates, synthesisReserveMicros: 60_000 }))[1]).toBe(
      "Skipped: this provider needs at least 50.0001 cents, but only 49 of the budget's 100 cents remained for it.",
    );
  });

  it('says of a failure that another try had no room either, after what the provider said', () => {
    const candidates = [candidate(A, 'provider-a', 600_000, 600_000)];
    const failed = [request({ candidates }), start(A), report(A, 1, failure({ charge: null }))];
    expect(reasons('Too many requests', ...failed)).toEqual([
      "Too many requests. Not tried again: another try needs at least 60 cents, but only 40 of the budget's 100 cents remained.",
    ]);
    expect(reasons(null, request({ candidates }), start(A), lose(A, 1))).toEqual([
      "Failed: the worker that ran this step was lost. Not tried again: another try needs at least 60 cents, but only 40 of the budget's 100 cents remained.",
    ]);
  });
});

describe('a step that the deadline ended', () => {
  it.each([
    [7_200_000, '2 hours'],
    [1_200_000, '20 minutes'],
    [60_000, '1 minute'],
    [90_000, '90 seconds'],
    [1_500, '1.5 seconds'],
  ])('names a deadline of %d ms as %s', (jobMs, duration) => {
    expect(reasons(null, request({ deadlines: deadlines(jobMs) }), start(A), atDeadline)[0]).toContain(
      `the job's deadline of ${duration} was`,
    );
  });

  it('says how far it had come', () => {
    const twoMinutes = request({ deadlines: deadlines(120_000), researchMode: 'methodical' });
    expect(reasons(null, twoMinutes, start(A), atDeadline)).toEqual([
      "Stopped: the job's deadline of 2 minutes was reached before this provider had reported.",
      "Skipped: the job's deadline of 2 minutes was reached before this step started.",
    ]);
    expect(reasons(null, twoMinutes, start(A), lose(A, 1), atDeadline)[0]).toBe(
      "Skipped: the job's deadline of 2 minutes was reached before this step was tried again.",
    );
  });

  it('says so if nothing was ever started', () => {
    expect(reasons(null, request(), { type: 'ReachDeadline', phase: 'queue' })).toEqual(
      Array(2).fill("Skipped: the job's deadline was reached, since no step was started within 24 hours."),
    );
  });

  it('says that another try would have come too late', () => {
    const failed = report(A, 1, failure({ retryAfterMs: 60_000 }));
    expect(reasons('Slow down!', request({ deadlines: deadlines(30_000) }), start(A), failed)[0]).toBe(
      'Slow down! Not tried again: no time was left for it.',
    );
  });
});

it('a cancelled step says whether it ran', () => {
  expect(reasons(null, request(), start(A), { type: 'CancelJob' })).toEqual([
    'Stopped: the job was cancelled before this provider had reported.',
    'Skipped: the job was cancelled before this step started.',
  ]);
});

it('a step that failed too often says how often it was tried', () => {
  const tries = [1, 2, 3].flatMap((attempt) => [start(A, `claim-${attempt}`), report(A, attempt, failure())]);
  expect(reasons('It was overloaded.', request(), ...tries)[0]).toBe('It was overloaded. Given up after 3 attempts.');
});

it('a step that no other try could help says what its provider said, and nothing else', () => {
  const refused = report(A, 1, failure({ errorClass: 'auth' }));
  expect(reasons('The key was refused', request(), start(A), refused)[0]).toBe('The key was refused');
});
