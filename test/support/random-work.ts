import fc from 'fast-check';
import { DomainError } from '@lib/domain/errors';
import type { JobCommand } from '@lib/domain/job-commands';
import { ERROR_CLASSES } from '@lib/domain/vocabulary';
import type { Store } from '@lib/store/store';
import { complete, externalId, failure, report, start, success } from './job-history';
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
const command =
  (of: (job: RunJob) => JobCommand): Action['perform'] =>
  (store, job) =>
    onJob(store, job.jobId, of(job));
const always = (perform: Action['perform']) => fc.constant(perform);

const perform: fc.Arbitrary<Action['perform']> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(step, fc.nat({ max: 4 })).map(([place, claim]) => command((job) => start(stepOf(job, place), `claim-${claim}`))),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(step, attempt, result)
      .map(([place, number, outcome]) => command((job) => report(stepOf(job, place), number, outcome))),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(step, attempt).map(
      ([place, number]) =>
        (store, job) =>
          loseAttempt(store, job.jobId, stepOf(job, place), number),
    ),
  },
  { weight: 2, arbitrary: fc.tuple(step, attempt).map(([place, number]) => command((job) => externalId(stepOf(job, place), number))) },
  {
    weight: 4,
    arbitrary: fc.tuple(step, attempt).map(
      ([place, number]) =>
        (store, job) =>
          store.agenda.renewLeases([{ jobId: job.jobId, stepId: stepOf(job, place), attempt: number }], 1),
    ),
  },
  { weight: 3, arbitrary: always((store, job) => addMessage(store, job.threadId)) },
  { weight: 1, arbitrary: always((store, job) => pursue(store, job.threadId, job.jobId)) },
  { weight: 2, arbitrary: always(command(() => complete)) },
  {
    weight: 2,
    arbitrary: always((store) => store.agenda.takeDue(['lease', 'dispatch step', 'retry', 'job deadline', 'dispatch synthesis'], 50, 1)),
  },
  { weight: 1, arbitrary: always((store) => store.agenda.wakeDispatches()) },
  { weight: 1, arbitrary: always((store, job) => store.agenda.beginSynthesis(job.jobId)) },
  { weight: 1, arbitrary: always(command(() => ({ type: 'CancelJob' }))) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('queue', 'running', 'synthesis')
      .map((phase) => command(() => ({ type: 'ReachDeadline', phase }) as JobCommand)),
  },
  { weight: 1, arbitrary: always((store, job) => deleteThread(store, job.threadId)) },
);

/** Waves of actions; those of one wave run at the same time. */
export const waves = ({ processes, jobs, width, length }: { processes: number; jobs: number; width: number; length: number }) =>
  fc.array(
    fc.array(fc.record({ process: fc.nat({ max: processes - 1 }), job: fc.nat({ max: jobs - 1 }), perform }), {
      minLength: 1,
      maxLength: width,
    }),
    { minLength: 1, maxLength: length },
  );

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
