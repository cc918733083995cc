import { causeOf } from '@lib/domain/job/cause';
import type { JobCommand } from '@lib/domain/job/commands';
import {
  A,
  B,
  candidate,
  claimSynthesis,
  complete,
  completePaid,
  externalId,
  historyOf,
  lose,
  loseSynthesis,
  planTopics,
  report,
  request,
  start,
  success,
} from '../support/job-history';
import { play } from '../support/job-schedules';

/** Which event a command answers to, by its type and its place among those of that type. */
function cause(command: JobCommand, ...before: JobCommand[]): string | null {
  const version = causeOf(command, play(before).state);
  const events = historyOf(...before);
  return version === null ? null : `${events[version - 1]?.type ?? 'none'} at ${version}`;
}

const spidering = request({ spideringEnabled: true, synthesisReserveMicros: 50_000 });
const reported = [start(A), report(A, 1, success()), start(B), report(B, 1, success())];
const explored = [spidering, ...reported];
const C = candidate('stp_c', 'provider-a', 0, 0);
const D = candidate('stp_d', 'provider-b', 0, 0);
const written = [request({ synthesisReserveMicros: 50_000 }), ...reported];

it.each<[string, JobCommand, JobCommand[], string | null]>([
  ['what a client asks for answers to nothing', { type: 'CancelJob' }, [request(), start(A)], null],
  ['so does a request', request(), [], null],
  ['a first claim answers to the plan', start(B), [request(), start(A)], 'JobRequested at 1'],
  ['a second one to the end of the first', start(A, 'again'), [request(), start(A), lose(A, 1)], 'StepAttemptLost at 3'],
  [
    'a claim of a later wave to the end of the last step before it',
    start('stp_c'),
    [
      request({ researchMode: 'methodical', candidates: [candidate(A, 'provider-a'), candidate(B, 'provider-b'), C, D] }),
      ...[start(A), report(A, 1, success()), start(B), report(B, 1, success())],
    ],
    'StepCompleted at 5',
  ],
  [
    'a skip to what the step waits for',
    { type: 'SkipStep', stepId: A, reason: 'circuit_open' },
    [request(), start(A), lose(A, 1)],
    'StepAttemptLost at 3',
  ],
  ['steps that are asked again answer to nothing', { type: 'RedriveSteps', stepIds: null }, [request(), start(A)], null],
  ['nor does a job that is', { type: 'RedriveJob', jobId: 'job_2', stepIds: null, capCents: 1 }, [request(), start(A)], null],
  ['nor does an erasure', { type: 'EraseContent' }, [request(), start(A)], null],
  [
    'a run that nobody knows by its id has no such cause',
    { type: 'RecordRunCancelled', stepId: A, run: 1, outcome: 'agreed' },
    [request(), start(A)],
    null,
  ],
  ['a synthesis that fails answers to its start', { type: 'FailSynthesis' }, written, 'SynthesisStarted at 6'],
  ['a report answers to its attempt', report(A, 1, success()), [request(), start(A), start(B)], 'StepStarted at 2'],
  ['so does a run’s id', externalId(B, 1), [request(), start(A), start(B)], 'StepStarted at 3'],
  ['so does the loss of it', lose(B, 1), [request(), start(A), start(B)], 'StepStarted at 3'],
  [
    'a run that was told to stop answers to its id',
    { type: 'RecordRunCancelled', stepId: A, run: 1, outcome: 'agreed' } as unknown as JobCommand,
    [request(), start(A), start(B), externalId(A, 1), { type: 'CancelJob' }],
    'StepExternalIdRecorded at 4',
  ],
  ['topics answer to the look for them', planTopics(1, C), explored, 'ExploreStarted at 6'],
  ['a claim of a synthesis answers to its start', claimSynthesis(), written, 'SynthesisStarted at 6'],
  ['so does a report that nobody claimed', complete, written, 'SynthesisStarted at 6'],
  ['a deadline answers to the phase that it ends', { type: 'ReachDeadline', phase: 'synthesis' }, written, 'SynthesisStarted at 6'],
  ['a paid report answers to its claim', completePaid(10), [...written, claimSynthesis()], 'SynthesisClaimed at 7'],
  ['so does its loss', loseSynthesis(1), [...written, claimSynthesis()], 'SynthesisClaimed at 7'],
  ['what nobody claimed has no such cause', loseSynthesis(2), [...written, claimSynthesis()], null],
])('%s', (_, command, before, wanted) => {
  expect(cause(command, ...before)).toBe(wanted);
});
