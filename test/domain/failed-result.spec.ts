import type { CompletedResult } from '@lib/domain/job/commands';
import { failedResult, unrecordable } from '@lib/domain/job/failed-result';
import { shortened } from '@lib/domain/shortened';
import { CALL, success } from '../support/job-history';

const charge = { micros: 7, provenance: 'reported' as const };
const completed = { ...success(), charge, call: CALL } as CompletedResult;

it('what cannot be recorded cost what it cost, if that is known', () => {
  expect(unrecordable(completed, 'report_unreadable')).toEqual({
    ...{ outcome: 'failed', errorClass: 'malformed', errorMessage: 'The report could not be recorded: report_unreadable' },
    ...{ charge, call: CALL, retryAfterMs: null, runEnded: true },
  });
  expect(unrecordable({ ...completed, charge: { ...charge, provenance: 'estimated' } }, 'report_unreadable').charge).toBeNull();
});

it('the message of a failure is cut, whoever wrote it', () => {
  const told = { errorClass: 'overloaded' as const, charge: null, retryAfterMs: null, runEnded: false };
  expect(failedResult({ ...told, errorMessage: 'x'.repeat(2_001) }).errorMessage).toBe('x'.repeat(2_000));
  expect(unrecordable(completed, 'x'.repeat(2_001)).errorMessage).toHaveLength(2_000);
});

it('a text is cut between units, and is one that can be stored', () => {
  expect(shortened('a\0b\ud800c', 100)).toBe('ab\ufffdc');
  expect(shortened('abc', 2)).toBe('ab');
});
