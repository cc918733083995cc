import fc from './properties';
import type { JobCommand } from '@lib/domain/job/commands';
import type { JobState } from '@lib/domain/job/state';
import type { StepState } from '@lib/domain/job/step';
import type { SynthesisAttempt } from '@lib/domain/job/synthesis-attempts';
import { candidate, complete, externalId, lose, planTopics, report, start } from './job-history';
import { charge, result, STEPS, type ScheduledCommand } from './job-schedules';

/** The last attempt or any other, those whose lease ended or whose job is over included. */
const whichAttempt = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat({ max: 9 }) });

function chosen<Item>(items: readonly Item[], which: number | null): Item | undefined {
  return which === null ? items.at(-1) : items[which % Math.max(1, items.length)];
}

const onStep = <Input>(
  inputs: fc.Arbitrary<Input>,
  command: (step: StepState, input: Input) => JobCommand | null,
): fc.Arbitrary<ScheduledCommand> =>
  fc.tuple(fc.nat({ max: 2 * STEPS.length }), inputs).map(([place, input]): ScheduledCommand => (state: JobState) => {
    const step = state.steps[place % Math.max(1, state.steps.length)];
    return step ? command(step, input) : null;
  });

const onAttempt = <Input>(inputs: fc.Arbitrary<Input>, command: (stepId: string, attempt: number, input: Input) => JobCommand) =>
  onStep(fc.tuple(whichAttempt, inputs), (step, [which, input]) => {
    const attempt = chosen(step.attempts, which);
    return attempt ? command(step.stepId, attempt.attempt, input) : null;
  });

const onSynthesis = <Input>(inputs: fc.Arbitrary<Input>, command: (attempt: SynthesisAttempt, input: Input) => JobCommand) =>
  fc.tuple(whichAttempt, inputs).map(([which, input]): ScheduledCommand => ({ syntheses }) => {
    const attempt = chosen(syntheses, which);
    return attempt ? command(attempt, input) : null;
  });

const nothing = fc.constant(null);

/** Topics that come up, or none; their steps reserve out of what is left. */
const topics = fc
  .tuple(fc.integer({ min: 1, max: 2 }), fc.array(fc.nat({ max: 400_000 }), { maxLength: 3 }))
  .map(([round, reserves]) =>
    planTopics(
      round,
      ...reserves.map((micros, place) => candidate(`stp_${round}_${place}`, 'provider-e', Math.min(micros, 100_000), micros)),
    ),
  );
const written = fc.record({
  charge: fc.option(charge.map((micros) => ({ micros, provenance: 'computed' as const }))),
  failure: fc.constantFrom(null, 'unusable' as const, 'timeout' as const),
});

/**
 * Work that mostly goes on: steps are claimed and reported, but also late, twice, with other charges the second time, from runs that
 * were lost or go on after the job, above and below their reservations, or not at all.
 */
export const hostileWork: fc.Arbitrary<ScheduledCommand[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: onStep(nothing, ({ stepId, attempts }) => start(stepId, `claim ${attempts.length + 1}`)) },
    { weight: 8, arbitrary: onAttempt(result, report) },
    { weight: 3, arbitrary: onAttempt(nothing, lose) },
    { weight: 1, arbitrary: onStep(nothing, ({ stepId }) => ({ type: 'RedriveSteps', stepIds: [stepId] })) },
    { weight: 3, arbitrary: onAttempt(fc.nat({ max: 3 }), (stepId, attempt, run) => externalId(stepId, attempt, `run-${run}`)) },
    {
      weight: 1,
      arbitrary: onStep(fc.integer({ min: 1, max: 3 }), ({ stepId }, run) => ({
        type: 'RecordRunCancelled',
        stepId,
        run,
        outcome: 'agreed',
      })),
    },
    {
      weight: 4,
      arbitrary: fc
        .nat({ max: 3 })
        .map((claim): ScheduledCommand => ({ type: 'ClaimSynthesis', claimId: `claim ${claim}`, model: 'm', priceDate: null })),
    },
    { weight: 1, arbitrary: onSynthesis(nothing, ({ attempt }) => ({ type: 'LoseSynthesis', attempt })) },
    { weight: 2, arbitrary: onSynthesis(written, ({ claimId }, told) => ({ ...complete, paid: { claimId, ...told } })) },
    { weight: 2, arbitrary: topics },
    {
      weight: 1,
      arbitrary: fc.constantFrom<ScheduledCommand>(
        { type: 'CancelJob' },
        { type: 'EraseContent' },
        { type: 'FailSynthesis' },
        { type: 'ReachDeadline', phase: 'running' },
        { type: 'ReachDeadline', phase: 'synthesis' },
        complete,
      ),
    },
  ),
  { maxLength: 80, size: 'max' },
);
