import { agendaOf, needsTurn } from '@lib/domain/job/agenda';
import type { JobCommand } from '@lib/domain/job/commands';
import { RUN_CANCELLATIONS } from '@lib/domain/job/facts';
import { dispensableSteps } from '@lib/domain/job/steps';
import { A, B, candidate, externalId, failure, given, lose, planTopics, report, request, start, success } from '../support/job-history';

/** Steps that the job need not wait for, where these providers are down. */
const dispensable = (commands: JobCommand[], ...down: string[]): string[] =>
  dispensableSteps(given(request(), ...commands).state, (provider) => down.includes(provider)).map(({ stepId }) => stepId);

describe('a job whose provider is down', () => {
  it('need not wait for it once another one has reported', () => {
    expect(dispensable([start(A), report(A, 1, success())], 'provider-b')).toEqual([B]);
  });

  it.each<[string, JobCommand[], string[]]>([
    ['nobody has reported', [], ['provider-a', 'provider-b']],
    ['another one still works', [start(A)], ['provider-b']],
    ['the provider is well', [start(A), report(A, 1, success())], ['provider-a']],
    ['its own run goes on', [start(A), report(A, 1, success()), start(B), externalId(B, 1), lose(B, 1)], ['provider-b']],
    ['the job has ended', [start(A), report(A, 1, success()), { type: 'CancelJob' }], ['provider-b']],
  ])('waits for it where %s', (_, commands, down) => {
    expect(dispensable(commands, ...down)).toEqual([]);
  });
});

it('a step waits for its turn at first and for a try that pays, and not for a run that it resumes', () => {
  const turnOf = (...commands: JobCommand[]) =>
    agendaOf(given(request(), ...commands).state, 1)
      .filter(({ stepId, kind }) => stepId === A && kind !== 'run')
      .map((entry) => [entry.kind, needsTurn(entry)]);
  expect(turnOf()).toEqual([['dispatch step', true]]);
  expect(turnOf(start(A))).toEqual([['lease', false]]);
  expect(turnOf(start(A), report(A, 1, failure({ retryAfterMs: 5_000 })))).toEqual([['retry', true]]);
  expect(turnOf(start(A), externalId(A, 1), lose(A, 1))).toEqual([[expect.stringMatching(/^(dispatch step|retry)$/), false]]);
});

it('a report of an attempt, or a cancellation of a run, that never was is refused as that', () => {
  given(request(), start(A)).when({ type: 'RecordRunCancelled', stepId: A, run: 9, outcome: 'agreed' }).thenThrows('attempt_not_found');
  given(request(), start(A))
    .when(report(A, 2, success()))
    .thenThrows('attempt_not_found');
});

it('a step that cannot be paid again says what is left', () => {
  const candidates = [candidate(A, 'provider-a', 400_000, 400_000), candidate(B, 'provider-b', 400_000, 400_000)];
  const [failed] = given(request({ candidates }), start(A))
    .when(report(A, 1, failure({ charge: null })))
    .events();
  expect(failed).toMatchObject({ type: 'StepFailed', facts: { retry: null, retryRefusal: { reason: 'budget', leftMicros: 200_000 } } });
});

it('a round has three topics at most', () => {
  const asked = ['c', 'd', 'e', 'f'].map((name) => candidate(`stp_${name}`, 'provider-a'));
  const reported = [start(A), report(A, 1, success()), start(B), report(B, 1, success())];
  const [planned] = given(request({ spideringEnabled: true }), ...reported)
    .when(planTopics(1, ...asked))
    .events();
  expect((planned as { facts: { topics: object[] } }).facts.topics).toHaveLength(3);
});

it('the words for what became of a cancellation stay as they are stored', () => {
  expect(RUN_CANCELLATIONS).toEqual(['agreed', 'refused', 'not_offered', 'given_up', 'unknown']);
});
