import type { Citation } from '@lib/domain/citation';
import type { CompletedResult } from '@lib/domain/job/commands';
import { PLAUSIBLE_CHARGE_MICROS } from '@lib/domain/money';
import { checkedResult as checked, citesDocuments } from '../../src/saga/checked-result';
import { CALL, failure, success } from '../support/job-history';

const checkedResult = (told: Parameters<typeof checked>[0], documents = true) => checked(told, documents);
const MAX_REPORT_LENGTH = 4 * 1024 * 1024;
const source: Citation = {
  ...{ index: 1, url: 'https://example.org/a', title: null, snippet: null },
  ...{ startIndex: null, endIndex: null, publishedAt: null, domain: 'example.org' },
};
const completed = (changes: Partial<CompletedResult> = {}) =>
  ({ ...success(1_000), citations: [source], call: CALL, ...changes }) as CompletedResult;

it('what keeps the rules is taken as it was told, without a doubt', () => {
  const told = completed();
  expect(checkedResult(told)).toEqual({ result: told, doubts: [] });
  expect(checkedResult(failure())).toEqual({ result: failure(), doubts: [] });
});

it('the longest report is taken; one that is longer by a character is a failed attempt, whose charge and call count', () => {
  const longest = completed({ reportMarkdown: 'x'.repeat(MAX_REPORT_LENGTH) });
  expect(checkedResult(longest)).toEqual({ result: longest, doubts: [] });
  const why = `The report has ${MAX_REPORT_LENGTH + 1} characters, more than ${MAX_REPORT_LENGTH}`;
  expect(checkedResult(completed({ reportMarkdown: 'x'.repeat(MAX_REPORT_LENGTH + 1) }))).toEqual({
    result: {
      outcome: 'failed',
      errorClass: 'malformed',
      errorMessage: `The report could not be recorded: ${why}.`,
      charge: { micros: 1_000, provenance: 'reported' },
      retryAfterMs: null,
      runEnded: true,
      call: CALL,
    },
    doubts: [{ reason: 'report_refused', detail: why }],
  });
});

it('of a report that cannot be recorded an estimated charge is none that is known', () => {
  const told = completed({ reportMarkdown: 'x'.repeat(MAX_REPORT_LENGTH + 1), charge: { micros: 1_000, provenance: 'estimated' } });
  expect(checkedResult(told).result).toMatchObject({ outcome: 'failed', charge: null });
});

it('a reason that quotes what a worker sent is cut before it is recorded', () => {
  const index = '9'.repeat(5_000) as unknown as number;
  const { result } = checkedResult(completed({ citations: [{ ...source, index }] }));
  expect(result.outcome === 'failed' && result.errorMessage).toMatch(/^The report could not be recorded: Citation 1 .+ index 9{1900,}$/);
  expect(result.outcome === 'failed' && result.errorMessage).toHaveLength(2_000);
});

it('a citation that cannot be shown is dropped and counted; the others are taken', () => {
  const told = completed({ citations: [source, { ...source, index: 2, url: 'javascript:alert(1)' }] });
  expect(checkedResult(told)).toEqual({ result: completed(), doubts: [{ reason: 'citations_dropped', detail: 1 }] });
});

it('a local document is dropped from a report of an adapter that reads none, however its URL is written', () => {
  const urls = ['corpus:/a.md#L1-L2', 'CORPUS:/a.md', ' corpus:/a.md', 'cor\tpus:/a.md'];
  const told = completed({ citations: [source, ...urls.map((url, place) => ({ ...source, index: place + 2, url }))] });
  expect(checkedResult(told, false)).toEqual({ result: completed(), doubts: [{ reason: 'citations_dropped', detail: urls.length }] });
  expect(checkedResult(told, true)).toMatchObject({ result: { outcome: 'completed', citations: { length: 5 } }, doubts: [] });
  expect([told, completed(), failure()].map(citesDocuments)).toEqual([true, false, false]);
});

it.each([
  [PLAUSIBLE_CHARGE_MICROS, []],
  [PLAUSIBLE_CHARGE_MICROS + 1, [{ reason: 'charge_large', detail: PLAUSIBLE_CHARGE_MICROS + 1 }]],
])('of a charge of %d micro-dollars the doubts are %j, whether the attempt failed or not', (micros, doubts) => {
  expect(checkedResult(completed({ charge: { micros, provenance: 'reported' } })).doubts).toEqual(doubts);
  expect(checkedResult(failure({ charge: { micros, provenance: 'reported' } })).doubts).toEqual(doubts);
});

it('a failed attempt whose charge nobody knows is taken', () => {
  expect(checkedResult(failure({ charge: null })).doubts).toEqual([]);
});

it('a fault of our own is not taken for one of the report', () => {
  expect(() => checkedResult(completed({ reportMarkdown: null as unknown as string }))).toThrow(TypeError);
});
