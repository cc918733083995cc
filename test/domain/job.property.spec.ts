import fc from '../support/properties';
import { agendaOf } from '@lib/domain/job/agenda';
import { grantOf } from '@lib/domain/job/grant';
import type { JobCommand } from '@lib/domain/job/commands';
import { isFinalEvent } from '@lib/domain/job/events';
import { committedMicros, reservedMicros } from '@lib/domain/job/reservations';
import { evolveJob, initialJob, isFinal } from '@lib/domain/job/state';
import { microsFromCents } from '@lib/domain/money';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { AT } from '../support/decider';
import {
  candidate,
  claimSynthesis,
  complete,
  completePaid,
  externalId,
  failure,
  lose,
  loseSynthesis,
  report,
  request,
  start,
  success,
} from '../support/job-history';
import { charge, ENDINGS, plan, play, result, STEPS, type ScheduledCommand } from '../support/job-schedules';

const stepId = fc.constantFrom(...STEPS);
const attempt = fc.integer({ min: 1, max: 5 });
const synthesisClaim = fc.constantFrom('synthesis-1', 'synthesis-2', 'synthesis-3');

/** Whatever workers, sweepers, clients and a network that loses, repeats and reorders can bring about. */
const command: fc.Arbitrary<JobCommand> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(stepId, fc.nat({ max: 8 })).map(([step, claim]) => start(step, `claim-${claim}`)) },
  { weight: 6, arbitrary: fc.tuple(stepId, attempt, result).map(([step, number, outcome]) => report(step, number, outcome)) },
  { weight: 4, arbitrary: fc.tuple(stepId, attempt).map(([step, number]) => lose(step, number)) },
  {
    weight: 2,
    arbitrary: fc.tuple(stepId, attempt, fc.nat({ max: 3 })).map(([step, number, id]) => externalId(step, number, `run-${id}`)),
  },
  { weight: 2, arbitrary: fc.option(stepId).map((step): JobCommand => ({ type: 'RedriveSteps', stepIds: step === null ? null : [step] })) },
  { weight: 2, arbitrary: synthesisClaim.map(claimSynthesis) },
  { weight: 1, arbitrary: fc.constantFrom(1, 2, 3).map(loseSynthesis) },
  { weight: 2, arbitrary: fc.tuple(fc.option(charge), synthesisClaim).map(([micros, claim]) => completePaid(micros, claim)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JobCommand>(
      { type: 'CancelJob' },
      { type: 'EraseContent' },
      { type: 'FailSynthesis' },
      { type: 'ReachDeadline', phase: 'queue' },
      { type: 'ReachDeadline', phase: 'running' },
      { type: 'ReachDeadline', phase: 'synthesis' },
      complete,
    ),
  },
);

describe('any schedule of claims, reports, losses, deadlines and cancellations', () => {
  it('keeps the budget after every event, ends in exactly one final state, and replays to the same state', () => {
    fc.assert(
      fc.property(plan, fc.array(command, { maxLength: 60 }), (changes, schedule) => {
        const cap = microsFromCents(changes.budgetCapCents);
        const { events, state } = play([request(changes), ...schedule, ...ENDINGS], {
          event: (before, event, after) => {
            expect(committedMicros(after) + reservedMicros(after)).toBeLessThanOrEqual(cap);
            if (isFinal(before))
              expect(['StepResultLate', 'StepExternalIdRecorded', 'StepRunCancelled', 'SynthesisSettled', 'ContentErased']).toContain(
                event.type,
              );
            if (before.erased) expect(event).not.toHaveProperty('content');
            if (isFinalEvent(event.type)) expect(before.steps.every((step) => !['queued', 'running'].includes(step.status))).toBe(true);
          },
        });
        if (events.length === 0) return; // refused: nothing fitted under the cap
        expect(events.filter(({ type }) => isFinalEvent(type))).toHaveLength(1);
        expect(state.totals?.chargedMicros).toBeLessThanOrEqual(cap);
        expect(agendaOf(state, 1000).filter(({ kind }) => kind !== 'cancel run')).toEqual([]);
        expect(events.reduce((folded, event) => evolveJob(folded, event, AT), initialJob)).toEqual(state);
      }),
      { numRuns: 2000 },
    );
  });

  it('grants a step to at most one open attempt, never grants after the end, and submits at most three runs', () => {
    fc.assert(
      fc.property(plan, fc.array(command, { maxLength: 60 }), (changes, schedule) => {
        play([request(changes), ...schedule], {
          event: (before, event, after) => {
            if (event.type === 'StepStarted') {
              expect(isFinal(before)).toBe(false);
              expect(grantOf(after, event.facts.stepId, event.facts.claimId).granted).toBe(true);
            }
            for (const step of after.steps) {
              expect(step.attempts.filter(({ open }) => open).length).toBeLessThanOrEqual(1);
              expect(step.runs.filter(({ submitted }) => submitted).length).toBeLessThanOrEqual(3);
            }
          },
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('submits as many as three runs where every one fails, and no fourth', () => {
    const failing = fc.record({
      errorClass: fc.constantFrom('overloaded' as const, 'unavailable' as const, 'timeout' as const, 'rate_limited' as const),
      runEnded: fc.boolean(),
      charge: fc.option(charge.map((micros) => ({ micros, provenance: 'reported' as const }))),
    });
    const terms = { budgetCapCents: 100_000, candidates: [candidate(STEPS[0] ?? '', 'provider-a', 0, 300_000)] };
    const submitted: number[] = [];
    fc.assert(
      fc.property(fc.array(failing, { minLength: 12, maxLength: 12 }), fc.boolean(), (failures, toldItsRun) => {
        const tries = failures.flatMap((outcome, place): ScheduledCommand[] => [
          start(STEPS[0] ?? '', `claim-${place}`),
          ...(toldItsRun ? [externalId(STEPS[0] ?? '', place + 1, `run-${place}`)] : []),
          report(STEPS[0] ?? '', place + 1, failure(outcome)),
        ]);
        const { state } = play([request(terms), ...tries]);
        submitted.push(state.steps[0]?.runs.filter((run) => run.submitted).length ?? 0);
        expect(state.status).toBe('failed');
      }),
    );
    // A schedule that never came to the limit would not show it.
    expect(Math.max(...submitted)).toBe(3);
  });

  it('comes to the same state when every command is delivered twice', () => {
    fc.assert(
      fc.property(plan, fc.array(command, { maxLength: 40 }), (changes, schedule) => {
        const all = [request(changes), ...schedule];
        const once = play(all);
        const twice = play(all.flatMap((one) => [one, one]));
        expect(twice.state).toEqual(once.state);
      }),
      { numRuns: 1000 },
    );
  });

  it('an order of reports changes who is late, never the number of final events or the charge of what completed', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(STEPS, { minLength: 3 }), fc.array(charge, { minLength: 3, maxLength: 3 }), (order, charges) => {
        const reports = order.map((step) => report(step, 1, success(charges[STEPS.indexOf(step)])));
        const candidates = STEPS.map((step, place) => candidate(step, PROVIDERS[place] ?? 'provider-a', 0, 300_000));
        const { state } = play([request({ candidates }), ...STEPS.map((step) => start(step)), ...reports, complete]);
        const expected = charges.reduce((sum, micros) => sum + Math.min(micros, 300_000), 0);
        expect(state).toMatchObject({ status: 'completed', totals: { chargedMicros: expected } });
      }),
    );
  });
});
