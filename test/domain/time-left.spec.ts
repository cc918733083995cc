import type { JobCommand } from '@lib/domain/job/commands';
import { decideJob } from '@lib/domain/job/decide';
import { evolveJob, initialJob, stepOf, type JobState } from '@lib/domain/job/state';
import { shareOfTime, stepTimeLeftMs } from '@lib/domain/job/time-left';
import fc from '../support/properties';
import { candidate, digest, failure, report, request, start, success } from '../support/job-history';

const MINUTE_MS = 60_000;
const JOB_MINUTES = 20;
const BEGUN = '2026-11-21T12:00:00.000Z';
const after = (minutes: number) => new Date(Date.parse(BEGUN) + minutes * MINUTE_MS).toISOString();
const [FIRST, SECOND, THIRD] = ['stp_1', 'stp_2', 'stp_3'] as const;

const ask = (researchMode: 'fast' | 'methodical', steps: readonly string[] = [FIRST, SECOND, THIRD]): JobCommand =>
  request({
    researchMode,
    deadlines: { queueMs: 86_400_000, jobMs: JOB_MINUTES * MINUTE_MS, synthesisMs: 300_000 },
    candidates: steps.map((stepId) => candidate(stepId, 'provider-a', 10_000, 10_000)),
  });

const stateAfter = (...commands: [minute: number, JobCommand][]): JobState =>
  commands.reduce(
    (state, [minute, command]) =>
      decideJob(command, state, after(minute), digest).reduce((next, event) => evolveJob(next, event, after(minute)), state),
    initialJob,
  );

/** The minute of the job at which the step's time is over. */
const endOf = (stepId: string, state: JobState, minute: number): number =>
  minute + stepTimeLeftMs(state, stepOf(state, stepId), after(minute)) / MINUTE_MS;

const timedOut = failure({ errorClass: 'timeout', charge: null, runEnded: true });

describe('the time of a step', () => {
  it('is all of the job’s where all steps go at once', () => {
    const state = stateAfter([0, ask('fast')], [0, start(FIRST)], [1, start(SECOND)]);
    expect([FIRST, SECOND, THIRD].map((stepId) => endOf(stepId, state, 5))).toEqual([20, 20, 20]);
  });

  it('leaves each later wave half of an equal share, and the last one all that is left', () => {
    const first = stateAfter([0, ask('methodical')], [0, start(FIRST)]);
    expect(endOf(FIRST, first, 7)).toBeCloseTo(20 - 2 * (20 / 6));
    const upToSecond: [number, JobCommand][] = [
      [0, ask('methodical')],
      [0, start(FIRST)],
      [4, report(FIRST, 1, success())],
      [4, start(SECOND)],
    ];
    expect(endOf(SECOND, stateAfter(...upToSecond), 9)).toBe(4 + 16 * 0.75);
    expect(endOf(THIRD, stateAfter(...upToSecond, [9, report(SECOND, 1, success())], [9, start(THIRD)]), 10)).toBe(20);
  });

  it('begins with its first start, however long it had waited, and not anew with another try', () => {
    const waited = stateAfter([0, ask('methodical')], [0, start(FIRST)], [2, report(FIRST, 1, success())]);
    expect(endOf(SECOND, waited, 16)).toBe(16 + 4 * 0.75);
    const again = stateAfter([0, ask('methodical')], [0, start(FIRST, 'c1')], [1, report(FIRST, 1, timedOut)], [2, start(FIRST, 'c2')]);
    expect(endOf(FIRST, again, 2)).toBeCloseTo(20 - 2 * (20 / 6));
  });

  it('is over for the first of them while there is time for the others: it fails, and the next wave opens', () => {
    const state = stateAfter([0, ask('methodical')], [0, start(FIRST)], [14, report(FIRST, 1, timedOut)]);
    expect(stepOf(state, FIRST)).toMatchObject({ status: 'failed', retryRefusal: { reason: 'deadline' } });
    expect(stepOf(stateAfter([0, ask('fast')], [0, start(FIRST)], [14, report(FIRST, 1, timedOut)]), FIRST).status).toBe('queued');
    const next = stateAfter([0, ask('methodical')], [0, start(FIRST)], [14, report(FIRST, 1, timedOut)], [14, start(SECOND)]);
    expect(stepOf(next, SECOND).status).toBe('running');
  });

  it('is none for an operator’s other try that would take that of the next wave', () => {
    const commands: [number, JobCommand][] = [
      [0, ask('methodical')],
      [0, start(FIRST)],
      [14, report(FIRST, 1, timedOut)],
      [14, start(SECOND)],
    ];
    const redrive: JobCommand = { type: 'RedriveSteps', stepIds: null };
    expect(() => stateAfter(...commands, [15.5, redrive])).toThrow('is kept for the steps that follow');
    const all = stateAfter(...commands, [15, report(SECOND, 1, success())], [15, start(THIRD)], [15.5, redrive]);
    expect(stepOf(all, FIRST).status).toBe('queued');
    expect(endOf(FIRST, all, 15.5)).toBe(20);
  });

  it('is never less than half of what the job has left at its start, and leaves every wave some, whoever hangs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), (waves, hangs) => {
        const steps = Array.from({ length: waves }, (_, at) => `stp_${at + 1}`);
        const commands: [number, JobCommand][] = [[0, ask('methodical', steps)]];
        let minute = 0;
        for (const [at, stepId] of steps.entries()) {
          commands.push([minute, start(stepId)]);
          const state = stateAfter(...commands);
          expect(stepOf(state, stepId).status).toBe('running');
          const left = stepTimeLeftMs(state, stepOf(state, stepId), after(minute)) / MINUTE_MS;
          expect(left).toBeGreaterThanOrEqual((JOB_MINUTES - minute) / 2);
          if (hangs[at]) minute += left;
          commands.push([minute, report(stepId, 1, hangs[at] ? timedOut : success())]);
        }
        expect(shareOfTime(waves)).toBeGreaterThan(0.5);
      }),
      { numRuns: 60 },
    );
  });
});
