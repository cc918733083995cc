import fc from './properties';
import { AGENDA_KINDS } from '@lib/domain/job/agenda';
import { DomainError } from '@lib/domain/errors';
import type { JobCommand } from '@lib/domain/job/commands';
import { ERROR_CLASSES } from '@lib/domain/vocabulary';
import type { Store } from '@lib/store/store';
import { claimSynthesis, complete, completePaid, externalId, failure, loseSynthesis, report, start, success } from './job-history';
import { addMessage, deleteThread, loseAttempt, onJob, pursue } from './streams';

/** What a process does to the streams of a run: `job` and `step` are places, so that the ids can be made later. */
export interface Action {
  process: number;
  job: number;
  perform: (store: Store, job: RunJob) => Promise<unknown>;
}

export interface RunJob {
  threadId: string;
  jobId: string;
  stepIds: readonly string[];
}

const CHARGE = { micros: 5_000, provenance: 'reported' as const };
const step = fc.nat({ max: 1 });
const attempt = fc.integer({ min: 1, max: 3 });
const result = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }).map((micros) => success(micros)),
  fc
    .record({ errorClass: fc.constantFrom(...ERROR_CLASSES), runEnded: fc.boolean(), charge: fc.constantFrom(null, CHARGE) })
    .map((changes) => failure(changes)),
);

const stepOf = ({ stepIds }: RunJob, place: number): string => stepIds[place] ?? '';
const ALL_KINDS = [...AGENDA_KINDS];

/** One kind of action: how often it comes, what varies, and what is done then. */
const action = <Input>(
  weight: number,
  inputs: fc.Arbitrary<Input>,
  perform: (store: Store, job: RunJob, input: Input) => Promise<unknown>,
) => ({
  weight,
  arbitrary: inputs.map(
    (input): Action['perform'] =>
      (store, job) =>
        perform(store, job, input),
  ),
});
const command = <Input>(weight: number, inputs: fc.Arbitrary<Input>, of: (job: RunJob, input: Input) => JobCommand) =>
  action(weight, inputs, (store, job, input) => onJob(store, job.jobId, of(job, input)));
const nothing = fc.constant(null);
const synthesisClaim = fc.constantFrom('synthesis-1', 'synthesis-2', 'synthesis-3');
const phases = fc.constantFrom('queue' as const, 'running' as const, 'synthesis' as const);

const perform: fc.Arbitrary<Action['perform']> = fc.oneof(
  command(8, fc.tuple(step, fc.nat({ max: 4 })), (job, [place, claim]) => start(stepOf(job, place), `claim-${claim}`)),
  command(8, fc.tuple(step, attempt, result), (job, [place, number, outcome]) => report(stepOf(job, place), number, outcome)),
  command(2, fc.tuple(step, attempt), (job, [place, number]) => externalId(stepOf(job, place), number)),
  command(2, nothing, () => complete),
  command(2, synthesisClaim, (_, claim) => claimSynthesis(claim)),
  command(1, fc.constantFrom(1, 2), (_, number) => loseSynthesis(number)),
  command(2, synthesisClaim, (_, claim) => completePaid(70_000, claim)),
  command(1, nothing, () => ({ type: 'CancelJob' })),
  command(1, phases, (_, phase) => ({ type: 'ReachDeadline', phase })),
  action(4, fc.tuple(step, attempt), (store, job, [place, number]) => loseAttempt(store, job.jobId, stepOf(job, place), number)),
  action(4, fc.tuple(step, attempt), (store, job, [place, number]) =>
    store.agenda.renewLeases([{ jobId: job.jobId, stepId: stepOf(job, place), attempt: number, leaseMs: 1 }]),
  ),
  action(2, nothing, (store) => store.agenda.takeDue(ALL_KINDS, 50, 1)),
  action(1, nothing, (store) => store.agenda.wakeDispatches()),
  action(1, nothing, (store, job) => store.agenda.beginSynthesis(job.jobId)),
  action(1, nothing, (store, job) => store.agenda.beginSynthesisDeadline(job.jobId, 300_000)),
  action(3, nothing, (store, job) => addMessage(store, job.threadId)),
  action(1, nothing, (store, job) => pursue(store, job.threadId, job.jobId)),
  action(1, nothing, (store, job) => deleteThread(store, job.threadId)),
);

export interface Extent {
  processes: number;
  jobs: number;
  /** Actions of a wave, and waves, each from the least to the most. */
  width: [least: number, most: number];
  length: [least: number, most: number];
}

/** Waves of actions; those of one wave run at the same time. */
export const waves = ({ processes, jobs, width, length }: Extent): fc.Arbitrary<Action[][]> => {
  const anyAction = fc.record({ process: fc.nat({ max: processes - 1 }), job: fc.nat({ max: jobs - 1 }), perform });
  const wave = fc.array(anyAction, { minLength: width[0], maxLength: width[1], size: 'max' });
  return fc.array(wave, { minLength: length[0], maxLength: length[1], size: 'max' });
};

/** Runs the waves; only the domain may refuse anything, so whatever else is thrown comes back. */
export async function runWaves(all: readonly (readonly Action[])[], stores: readonly Store[], jobs: readonly RunJob[]): Promise<unknown[]> {
  const surprises: unknown[] = [];
  for (const wave of all) {
    const outcomes = await Promise.allSettled(
      wave.map(({ process, job, perform: act }) => act(stores[process] as Store, jobs[job] as RunJob)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !(outcome.reason instanceof DomainError)) surprises.push(outcome.reason);
    }
  }
  return surprises;
}
