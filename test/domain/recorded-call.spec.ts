import type { JobCommand } from '@lib/domain/job/commands';
import { A, CALL, claimSynthesis, completePaid, failure, given, report, request, start, success, told } from '../support/job-history';

const DIGESTS = { sentDigest: `sent ${'cd'.repeat(32)}`, requestIdDigest: 'request id req-1', status: 200 };
const NOBODY = { sentDigest: null, requestIdDigest: null, status: null };
const one = request({ candidates: request().candidates.slice(0, 1), synthesisReserveMicros: 50_000 });
const running = given(one, start(A));
const first = (command: JobCommand) => running.when(command).events()[0];

it.each([
  [success(), { facts: { call: NOBODY, rawDigest: `raw response ${'ab'.repeat(32)}` }, content: { requestId: null } }],
  [told(success()), { facts: { call: DIGESTS }, content: { requestId: 'req-1' } }],
  [failure(), { facts: { call: NOBODY }, content: { errorMessage: 'The provider was overloaded.', requestId: null } }],
  [told(failure()), { facts: { call: DIGESTS }, content: { requestId: 'req-1' } }],
])('what a worker tells of its call is recorded by keyed digests, and the id of the request as content', (result, recorded) => {
  expect(first(report(A, 1, result))).toMatchObject(recorded);
});

it('what was not sent, or has no id, has no digest', () => {
  const call = (changes: object) => ({ ...success(), call: { ...CALL, ...changes } });
  expect(first(report(A, 1, call({ sentSha256: null, status: null })))).toMatchObject({
    facts: { call: { sentDigest: null, requestIdDigest: 'request id req-1', status: null } },
  });
  expect(first(report(A, 1, call({ requestId: null })))).toMatchObject({
    facts: { call: { sentDigest: DIGESTS.sentDigest, requestIdDigest: null, status: 200 } },
  });
});

it('each call of a synthesis is recorded with what it cost', () => {
  const paid = { ...completePaid(10).paid, calls: [CALL, { ...CALL, requestId: null, status: 500 }] } as NonNullable<
    ReturnType<typeof completePaid>['paid']
  >;
  const [settled] = given(one, start(A), report(A, 1, success()), claimSynthesis())
    .when({ ...completePaid(10), paid })
    .events();
  expect(settled).toMatchObject({
    type: 'SynthesisSettled',
    facts: { calls: [DIGESTS, { ...DIGESTS, requestIdDigest: null, status: 500 }] },
  });
});

it('a late report tells of its call too', () => {
  const [late] = given(one, start(A), { type: 'CancelJob' })
    .when(report(A, 1, told(success())))
    .events();
  expect(late).toMatchObject({ type: 'StepResultLate', facts: { call: DIGESTS } });
});
