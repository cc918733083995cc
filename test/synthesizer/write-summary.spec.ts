import { ProviderError } from '@lib/providers/research-provider';
import type { LanguageModel, Written, WritingPrompt } from '@lib/providers/language-model/language-model';
import type { CheckedSummary } from '@lib/synthesis/summary/check';
import { writeSummary } from '../../src/synthesizer/write-summary';
import { claimsOf, QUESTION } from '../synthesis/summary/claims';

const { sheet } = claimsOf();
const PARAGRAPHS = [[{ text: 'Errors of hooks go to the error handler.', claims: [] }]];
const GOOD: CheckedSummary = { paragraphs: PARAGRAPHS, refused: 0, problems: [] };
const BAD: CheckedSummary = {
  paragraphs: [],
  refused: 3,
  problems: [{ told: 'It cites a claim that is not there', shown: 'It cited a claim that is not there' }],
};
const written = (micros: number, changes: Partial<Written> = {}): Written => ({
  ...{ text: 'an answer', isCutOff: false, charge: { micros, provenance: 'reported' } },
  ...changes,
});

/** Writes with a model that gives these answers in turn, checked with these results in turn. */
async function write(answers: (Written | Error)[], checks: (CheckedSummary | Error)[], signal = new AbortController().signal) {
  const asked: { prompt: WritingPrompt; reservedMicros: number }[] = [];
  const model: LanguageModel = {
    write: async (prompt, reservedMicros) => {
      const answer = answers[asked.length] ?? new Error('asked too often');
      asked.push({ prompt, reservedMicros });
      if (!('text' in answer)) throw answer;
      return answer;
    },
  };
  let checked = 0;
  const check = async () => {
    const result = checks[checked++] ?? GOOD;
    if (result instanceof Error) throw result;
    return result;
  };
  return { summary: await writeSummary(model, { question: QUESTION, sheet, check }, 1_000, signal), asked };
}

it('asks once where the first answer keeps the rules', async () => {
  const { summary, asked } = await write([written(300)], [GOOD]);
  expect(summary).toEqual({ paragraphs: PARAGRAPHS, refused: 0, failure: null, charge: { micros: 300, provenance: 'reported' } });
  expect(asked.map(({ reservedMicros }) => reservedMicros)).toEqual([1_000]);
});

it('tells the model what was wrong, once, for what is left of the reservation', async () => {
  const { summary, asked } = await write([written(300), written(200)], [BAD, GOOD]);
  expect(summary).toEqual({ paragraphs: PARAGRAPHS, refused: 0, failure: null, charge: { micros: 500, provenance: 'reported' } });
  expect(asked.map(({ reservedMicros }) => reservedMicros)).toEqual([1_000, 700]);
  expect(asked[0]?.prompt.input).not.toContain('It cites a claim that is not there');
  expect(JSON.stringify(asked[1]?.prompt)).toContain('It cites a claim that is not there');
});

describe('an answer of which some sentences do not stand', () => {
  const partly = (stand: number, refused: number): CheckedSummary => ({
    ...{ paragraphs: [Array.from({ length: stand }, () => PARAGRAPHS[0]?.[0] ?? { text: '', claims: [] })], refused },
    problems: BAD.problems,
  });

  it('is taken without them where half of it stands, and nothing more is asked', async () => {
    const { summary, asked } = await write([written(300)], [partly(2, 2)]);
    expect(asked).toHaveLength(1);
    expect(summary).toMatchObject({ refused: 2, failure: null, charge: { micros: 300 } });
    expect(summary.paragraphs?.flat()).toHaveLength(2);
  });

  it('is mended where less than half stands, and the better of the two is taken', async () => {
    const better = await write([written(300), written(200)], [partly(1, 2), partly(3, 1)]);
    expect(better.summary).toMatchObject({ refused: 1, charge: { micros: 500 } });
    const worse = await write([written(300), written(200)], [partly(1, 2), BAD]);
    expect(worse.summary).toMatchObject({ refused: 2, failure: null, charge: { micros: 500 } });
    const less = await write([written(300), written(200)], [partly(2, 5), partly(1, 3)]);
    expect(less.summary).toMatchObject({ refused: 5 });
    const asMuch = await write([written(300), written(200)], [partly(2, 5), partly(2, 4)]);
    expect(asMuch.summary).toMatchObject({ refused: 5 });
  });

  it('is kept where the model fails to mend it, at the cost of both calls', async () => {
    const charge = { micros: 50, provenance: 'computed' } as const;
    const known = await write([written(300), new ProviderError('overloaded', 'Too busy.', { charge })], [partly(1, 2)]);
    expect(known.summary).toMatchObject({ refused: 2, failure: null, charge: { micros: 350, provenance: 'computed' } });
    const unknown = await write([written(300), new ProviderError('timeout', 'No answer.', {})], [partly(1, 2)]);
    expect(unknown.summary).toMatchObject({ refused: 2, failure: null, charge: { micros: 300, provenance: 'estimated' } });
  });
});

it('has nothing left for the second answer where the first cost more than was kept, and never less', async () => {
  const { asked } = await write([written(1_500), written(0)], [BAD, GOOD]);
  expect(asked.map(({ reservedMicros }) => reservedMicros)).toEqual([1_000, 0]);
});

it('gives up after two answers that break the rules, and says why the last did', async () => {
  const { summary, asked } = await write([written(300), written(200), written(100)], [BAD, BAD, GOOD]);
  expect(asked).toHaveLength(2);
  expect(summary).toEqual({
    ...{ paragraphs: null, failure: 'unusable', charge: { micros: 500, provenance: 'reported' } },
    reason: 'what it wrote broke the rules twice. At last: It cited a claim that is not there.',
  });
});

it('says of an answer that was cut off to write less, and of one that no program could check so', async () => {
  const cut = written(100, { isCutOff: true });
  const cutOff = await write([cut, cut], [BAD, BAD]);
  expect(JSON.stringify(cutOff.asked[1]?.prompt)).toContain('The answer was cut off: write less');
  expect(cutOff.summary).toMatchObject({ reason: 'what it wrote broke the rules twice. At last: The answer was cut off.' });
  const unchecked = await write([written(1), written(1)], [new Error('out of memory'), new Error('out of memory')]);
  expect(JSON.stringify(unchecked.asked[1]?.prompt)).toContain('The answer could not be read');
  expect(unchecked.summary).toMatchObject({ reason: 'what it wrote broke the rules twice. At last: The answer could not be checked.' });
});

it.each([
  ['reported', 'reported', 'reported'],
  ['reported', 'computed', 'computed'],
  ['computed', 'reported', 'computed'],
  ['estimated', 'computed', 'estimated'],
] as const)('is as certain of %s and %s costs together as of the less certain: %s', async (one, other, both) => {
  const answers = [one, other].map((provenance) => written(10, { charge: { micros: 10, provenance } }));
  expect((await write(answers, [BAD, GOOD])).summary.charge).toEqual({ micros: 20, provenance: both });
});

describe('a model that fails', () => {
  it('says so in its own words, with what both calls cost, or at least what the known one cost', async () => {
    const charge = { micros: 50, provenance: 'computed' } as const;
    const known = await write([written(300), new ProviderError('overloaded', 'Too busy.', { charge })], [BAD]);
    expect(known.summary).toEqual({
      paragraphs: null,
      failure: 'overloaded',
      reason: 'Too busy.',
      charge: { micros: 350, provenance: 'computed' },
    });
    const unknown = await write([written(300), new ProviderError('timeout', 'No answer.', {})], [BAD]);
    expect(unknown.summary).toEqual({
      paragraphs: null,
      failure: 'timeout',
      reason: 'No answer.',
      charge: { micros: 300, provenance: 'estimated' },
    });
    const first = await write([new ProviderError('timeout', 'No answer.', {})], []);
    expect(first.summary).toMatchObject({ failure: 'timeout', charge: null });
  });

  it('in a way that nobody foresaw is malformed, at an unknown cost', async () => {
    const { summary } = await write([new TypeError('no such field')], []);
    expect(summary).toEqual({
      paragraphs: null,
      failure: 'malformed',
      reason: 'its answer could not be read: no such field',
      charge: null,
    });
  });

  it('with what is no error says that', async () => {
    const { summary } = await write([{ toString: () => 'no error at all' } as Error], []);
    expect(summary).toMatchObject({ failure: 'malformed', reason: 'its answer could not be read: no error at all' });
  });

  it('because the deadline came is a timeout', async () => {
    const late = new DOMException('late', 'TimeoutError');
    const { summary } = await write([late], [], AbortSignal.abort(late));
    expect(summary).toEqual({ paragraphs: null, failure: 'timeout', reason: 'it did not answer in time', charge: null });
  });

  it('because its synthesizer stops is left, and says nothing', async () => {
    const stopped = new Error('stopping');
    await expect(write([stopped], [], AbortSignal.abort(stopped))).rejects.toBe(stopped);
    const other = new DOMException('stopping', 'AbortError') as unknown as Error;
    await expect(write([other], [], AbortSignal.abort(other))).rejects.toBe(other);
  });
});
