import fc from '../support/properties';
import { independentClausesOf } from '@lib/language/reading/independent-clauses';
import { readingOf } from '@lib/language/reading/read-text';

const textsOf = (sentence: string): string[] => {
  const reading = readingOf(sentence);
  return independentClausesOf(reading).map(({ from, end }) => sentence.slice(from === 0 ? 0 : (reading.tokens[from]?.start ?? 0), end));
};

describe('independentClausesOf', () => {
  it.each<[string, string[]]>([
    ['Ada lived in Rome; she later moved to Paris.', ['Ada lived in Rome', 'she later moved to Paris.']],
    ['Ada sang in Rome, and Ben Lund danced in Ulm.', ['Ada sang in Rome', 'Ben Lund danced in Ulm.']],
    ['The sea withdrew, and in 1986 the port was closed.', ['The sea withdrew', 'in 1986 the port was closed.']],
    ['Ada left Ulm in 1950, and finally she won a prize.', ['Ada left Ulm in 1950', 'finally she won a prize.']],
    ['The mill was burnt, while the barn, built in 1900, was saved.', ['The mill was burnt', 'the barn, built in 1900, was saved.']],
    ['The verdict came in May: the board was found guilty.', ['The verdict came in May', 'the board was found guilty.']],
    ["Most patients don't respond, and nobody can tell why.", ["Most patients don't respond", 'nobody can tell why.']],
    ['The old drug cannot help them, and no test can tell why.', ['The old drug cannot help them', 'no test can tell why.']],
    ['Ada wrote a novel and she painted in oil.', ['Ada wrote a novel', 'she painted in oil.']],
  ])('divides %s', (sentence, expected) => {
    expect(textsOf(sentence)).toEqual(expected);
  });

  it.each([
    'The dam was built in 1936 and was visited by millions.',
    'Ada left Ulm in 1950, and three years later the house was sold.',
    'It has doors, windows, and walls made of clay.',
    'The complex includes two buildings: a barn built in 1836 by the parish.',
    'It has the following faults: it does not record tones.',
    'It is not based on a chain, and instead uses the Tangle.',
    'The films are A Hard Day (2007), The Sun (2008), and My Girl is an Agent (2009).',
    'Ada (who was ill; she had a fever) left for Rome.',
    'She met Ada, who was a painter, and Ben.',
    '東京は日本の首都です。',
    '',
  ])('leaves %s whole', (sentence) => {
    expect(textsOf(sentence)).toEqual([sentence]);
  });

  it('gives clauses in order that do not overlap, and ends inside the text, for any text', () => {
    const piece = fc.constantFrom(
      'Ada ',
      'was ',
      ' and ',
      ', ',
      '; ',
      ': ',
      'she ',
      'the ',
      'in ',
      '(',
      ')',
      '"',
      '[1]',
      '1999 ',
      '😀',
      '\n',
    );
    const texts = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        const reading = readingOf(text);
        let last = 0;
        for (const { from, to, end } of independentClausesOf(reading)) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(end).toBeLessThanOrEqual(text.length);
          last = to;
        }
      }),
    );
  });
});
