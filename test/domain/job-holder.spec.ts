import type { JobCommand } from '@lib/domain/job/commands';
import { claimIdOfDigest, isOfSecret, NotTheirs, type Speaker } from '@lib/domain/job/holder';
import { A, externalId, given, report, request, start, success } from '../support/job-history';

const CLAIM = claimIdOfDigest('ab'.repeat(32));
const by = (command: JobCommand, speaker: Speaker): JobCommand => ({ ...command, speaker }) as JobCommand;
const ofAttempt: [string, JobCommand, string][] = [
  ['a report', report(A, 1, success()), 'StepCompleted'],
  ['a run', externalId(A, 1), 'StepExternalIdRecorded'],
];

describe.each(ofAttempt)('%s of an attempt that was claimed by a secret', (_, command, recorded) => {
  const running = () => given(request(), start(A, CLAIM));

  it('is recorded for whoever knows the secret', () => {
    running()
      .when(by(command, { claimId: CLAIM, provider: 'provider-a' }))
      .thenTypes(recorded);
    running()
      .when(by(command, { claimId: CLAIM }))
      .thenTypes(recorded);
  });

  it.each<[string, Speaker]>([
    ['shows nothing', {}],
    ['shows nothing but the right provider', { provider: 'provider-a' }],
    ['knows another secret', { claimId: claimIdOfDigest('cd'.repeat(32)) }],
  ])('is refused for whoever %s', (__, speaker) => {
    running().when(by(command, speaker)).thenThrows('attempt_not_found');
  });

  it('is refused for a worker of another provider, whatever it knows', () => {
    running()
      .when(by(command, { claimId: CLAIM, provider: 'provider-b' }))
      .thenThrows('step_not_found');
  });
});

it.each<[string, Speaker, string]>([
  ['the provider that it is of', { provider: 'provider-b' }, 'a step of provider-a was spoken of by a worker of provider-b'],
  ['the attempt', { provider: 'provider-a' }, 'attempt 1 was spoken of by somebody who does not hold its claim'],
])('the log is told of a stranger by %s', (_, speaker, detail) => {
  const spokenOf = () =>
    given(request(), start(A, CLAIM))
      .when(by(report(A, 1, success()), speaker))
      .events();
  expect(spokenOf).toThrow(detail);
  expect(spokenOf).toThrow(NotTheirs);
});

it('a worker of the release before, whose claim has no secret, goes on without one', () => {
  expect([isOfSecret(CLAIM), isOfSecret('0b5c7f5e-9d5e-4f0e-8f3c-2f1f5b8f7a10')]).toEqual([true, false]);
  for (const [, command, recorded] of ofAttempt) {
    given(request(), start(A, 'a random claim')).when(by(command, {})).thenTypes(recorded);
    given(request(), start(A, 'a random claim'))
      .when(by(command, { claimId: CLAIM }))
      .thenTypes(recorded);
  }
});

it.each<[string, JobCommand]>([
  ['claim', start(A)],
  ['end a run', { type: 'RecordRunCancelled', stepId: A, run: 1, outcome: 'agreed' }],
])('a worker cannot %s of another provider’s step', (_, command) => {
  given(request())
    .when(by(command, { provider: 'provider-b' }))
    .thenThrows('step_not_found');
  expect(
    given(request())
      .when(by(command, { provider: 'provider-a' }))
      .events(),
  ).toHaveLength(1);
});
