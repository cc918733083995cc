import type { StepResult } from '@lib/domain/job/commands';
import { ProviderError } from '@lib/providers/research-provider';
import { failed, notCalled, outcomeOf } from '../../src/worker/attempt-result';
import { CALL, failure, success } from '../support/job-history';

it('a failure says what is known of it, and null for the rest', () => {
  const details = { charge: { micros: 7, provenance: 'computed' as const }, retryAfterMs: 1_500, runEnded: true };
  expect(failed(new ProviderError('overloaded', 'Busy.', details))).toEqual({
    ...{ outcome: 'failed', errorClass: 'overloaded', errorMessage: 'Busy.' },
    ...details,
  });
  expect(failed(new ProviderError('overloaded', 'Busy.', {}))).toMatchObject({ charge: null, retryAfterMs: null, runEnded: false });
});

it.each([
  [0, 0],
  [0.5, 1],
  [86_400_000, 86_400_000],
  [86_400_001, 86_400_000],
  [-1, null],
  [Number.NaN, null],
  [Infinity, null],
])('a wish to wait %p ms is reported as %p', (retryAfterMs, wanted) => {
  expect(failed(new ProviderError('overloaded', 'Busy.', { retryAfterMs })).retryAfterMs).toBe(wanted);
});

it('what was not called cost nothing', () => {
  expect(notCalled('the worker was stopping')).toMatchObject({
    ...{ errorClass: 'not_called', errorMessage: 'Not called: the worker was stopping.' },
    charge: { micros: 0, provenance: 'reported' },
  });
});

it.each<[string, StepResult | null, object]>([
  ['left', null, { attributes: { 'research.outcome': 'left' } }],
  [
    'completed',
    { ...success(7), call: CALL },
    {
      failed: false,
      attributes: {
        ...{ 'research.outcome': 'completed', 'research.failure': undefined },
        ...{ 'http.response.status_code': 200, 'research.charged_micros': 7 },
      },
    },
  ],
  [
    'failed at an unknown cost',
    { ...failure({ charge: null }), call: { ...CALL, status: null } },
    {
      failed: true,
      attributes: {
        ...{ 'research.outcome': 'failed', 'research.failure': 'overloaded' },
        ...{ 'http.response.status_code': undefined, 'research.charged_micros': undefined },
      },
    },
  ],
  [
    'not called',
    notCalled('no'),
    { failed: true, attributes: { 'research.outcome': 'failed', 'research.failure': 'not_called', 'research.charged_micros': 0 } },
  ],
])('the span of a run that was %s says so', (_, result, end) => {
  expect(outcomeOf(result)).toEqual(end);
});
