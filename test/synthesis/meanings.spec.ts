import { meaningsOf } from '@lib/synthesis/comparison/meanings';
import fc from '../support/properties';
import { findingsOf } from '@lib/synthesis/synthesize';
import { reported } from './steps';

const wordsOf = (...texts: string[]): Set<string>[] => texts.map((text) => new Set(text.split(' ')));

describe('the meanings of texts', () => {
  it('are alike for texts that tell of one thing, whatever their words', () => {
    const alike = meaningsOf(
      wordsOf(
        'mayor won second term',
        'lost election office',
        'bridge collapsed into river',
        'doctors measured blood pressure',
        'flood destroyed the dam',
      ),
    );
    expect(alike(0, 1)).toBeGreaterThan(0.2);
    for (const other of [2, 3, 4]) expect(alike(0, other)).toBeLessThan(alike(0, 1) - 0.2);
    expect(alike(2, 4)).toBeGreaterThan(alike(2, 3));
  });

  it('count what all of the texts speak of as nothing', () => {
    const texts = ['tunnel tolls', 'tunnel ventilation', 'tunnel contract', 'tunnel traffic'];
    const alike = meaningsOf(wordsOf(...texts));
    for (const other of [1, 2, 3]) expect(alike(0, other)).toBeLessThan(0.3);
  });

  it('lie from 0 to 1, are those of either order, and are none of what has no words', () => {
    const word = fc.constantFrom('dam', 'flood', 'mayor', 'election', 'zzyzx', '株式会社', 'ﬀ', '', '__proto__');
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 6 }), { minLength: 2, maxLength: 6 }), (texts) => {
        const alike = meaningsOf(texts.map((words) => new Set(words)));
        for (const left of texts.keys())
          for (const right of texts.keys()) {
            const cosine = alike(left, right);
            expect(cosine >= 0 && cosine <= 1 + 1e-9).toBe(true);
            expect(cosine).toBe(alike(right, left));
            if (texts[left]?.length === 0 && texts.every((words) => words.length === 0)) expect(cosine).toBe(0);
          }
      }),
    );
  });
});

it('stand below each other where two tell of one thing in words of their own', () => {
  const says = (provider: 'provider-a' | 'provider-b', ...sentences: string[]) =>
    reported(provider, sentences.map((sentence) => `${sentence} [1].`).join(' '), [`https://${provider}.example/1`]);
  const { outline } = findingsOf({
    query: 'How did Tolm fare?',
    mode: 'fast',
    tier: 'L',
    steps: [
      says(
        'provider-a',
        'Mayor Brandal won a second term',
        'The harbour froze for six weeks',
        'Two schools teach in Sami',
        'Herring landings were the largest since 1960',
      ),
      says(
        'provider-b',
        'Voters drove mayor Brandal out of office',
        'A ferry runs to the islands',
        'Reindeer graze on the airfield',
        'The museum shows whaling boats',
      ),
    ],
  });
  const groups = [...outline.samePoint].map(([first, others]) => [first, ...others].map(({ text }) => text).sort());
  expect(groups).toEqual([['Mayor Brandal won a second term.', 'Voters drove mayor Brandal out of office.']]);
});
