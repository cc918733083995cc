import fc from '../support/properties';
import { clausesOf } from '@lib/language/reading/clauses';
import { earlyEndsOf } from '@lib/language/reading/early-ends';
import { readingOf } from '@lib/language/reading/read-text';

const placesOf = (text: string) => {
  const reading = readingOf(text);
  return clausesOf(reading, 0, false).map(({ from, end }) => ({ start: from === 0 ? 0 : (reading.tokens[from]?.start ?? 0), end }));
};
const textsOf = (sentence: string): string[] => placesOf(sentence).map(({ start, end }) => sentence.slice(start, end));
const endsOf = (text: string): number[] => {
  const reading = readingOf(text);
  return earlyEndsOf(reading, { from: 0, to: reading.tokens.length, end: text.length }).map(({ end }) => end);
};

describe('clausesOf', () => {
  it.each<[string, string[]]>([
    ['The dam was built in 1936 and was visited by millions.', ['The dam was built in 1936', 'was visited by millions.']],
    ['Ada is a singer who moved to Rome in 1999.', ['Ada is a singer', 'moved to Rome in 1999.']],
    ['Ada Byron is a Swedish singer born on May 3, 1974.', ['Ada Byron is a Swedish singer', 'born on May 3, 1974.']],
    ['Ada worked for a bank, writing programs at night.', ['Ada worked for a bank', 'writing programs at night.']],
    ['Ada won prizes in judo, rowing and fencing.', ['Ada won prizes in judo, rowing and fencing.']],
    ['Ada lived in Rome; later moved to Paris.', ['Ada lived in Rome', 'later moved to Paris.']],
    ['Ada sold the mill in 1840 and put the money into bonds.', ['Ada sold the mill in 1840', 'put the money into bonds.']],
    // Nobody tells what was planned as what was done.
    [
      'The dam was planned to take five years and cost 40 million francs.',
      ['The dam was planned to take five years and cost 40 million francs.'],
    ],
    ['The dam will stand for a century and cost 40 million francs.', ['The dam will stand for a century and cost 40 million francs.']],
    ['Ada found that guards saw smoke but did not report it.', ['Ada found that guards saw smoke but did not report it.']],
    ['Ada found in 1840 that guards saw smoke, hiding it at night.', ['Ada found in 1840 that guards saw smoke, hiding it at night.']],
    ['Ada found that she had the key and opened the mill.', ['Ada found that she had the key', 'opened the mill.']],
    // Who backs a bank does not back who announced it.
    ['Ulm announced a bank, forked from Kelm and backed by Graz.', ['Ulm announced a bank, forked from Kelm and backed by Graz.']],
    [
      'Ada enrolled 17,802 people with normal LDL but raised C-reactive protein.',
      ['Ada enrolled 17,802 people with normal LDL but raised C-reactive protein.'],
    ],
    ['The bank is free and backed by Graz.', ['The bank is free', 'backed by Graz.']],
    ['Ada was born in Rome in 1815.', ['Ada was born in Rome in 1815.']],
    ['Ada was a writer and an acclaimed singer.', ['Ada was a writer and an acclaimed singer.']],
    ['Ada met the man who built the first engine.', ['Ada met the man who built the first engine.']],
    ['Ada (who was ill and was tired) left for Rome.', ['Ada (who was ill and was tired) left for Rome.']],
    ['Ada wrote and sang.', ['Ada wrote and sang.']],
    ['東京は日本の首都です。', ['東京は日本の首都です。']],
    ['', ['']],
  ])('%s', (sentence, expected) => {
    expect(textsOf(sentence)).toEqual(expected);
  });

  it('gives clauses in order that do not overlap, and ends inside the text, for any text', () => {
    const piece = fc.constantFrom(
      'Ada ',
      'was ',
      ' and ',
      ', ',
      '; ',
      'who ',
      'born in ',
      '(',
      ')',
      '"',
      'walking ',
      '[1]',
      '1999',
      'the ',
      '😀',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
          fc.string(),
        ),
        (text) => {
          let last = 0;
          for (const { start, end } of placesOf(text)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThanOrEqual(start);
            last = end;
          }
          expect(last).toBe(text.length);
          for (const end of endsOf(text)) expect(end).toBeLessThan(text.length);
        },
      ),
    );
  });
});

describe('earlyEndsOf', () => {
  it.each<[string, string[]]>([
    [
      'The harvest fell by 40 percent in Spain because of drought',
      ['The harvest fell by 40 percent in Spain', 'The harvest fell by 40 percent'],
    ],
    ['The show closed in May thanks to its maker', ['The show closed in May', 'The show closed']],
    ['The show closed in May according to its maker', ['The show closed']],
    ['They built a bridge in Ulm instead of a tunnel', ['They built a bridge']],
    ['The old cap applied in Ulm only to leases', ['The old cap applied']],
    ['The show closed in May due to a strike', ['The show closed']],
  ])('never ends within a preposition of two words, nor behind “only”: %s', (text, ends) => {
    expect(endsOf(text).map((end) => text.slice(0, end))).toEqual(ends);
  });

  it('ends before what is added or modifies, never after a word that needs another', () => {
    const clause = 'The museum was built by monks of granite, for the king';
    expect(endsOf(clause).map((end) => clause.slice(0, end))).toEqual([
      'The museum was built by monks of granite',
      'The museum was built by monks',
      'The museum was built',
    ]);
  });

  it.each([
    ['The village decided in spring to keep its ferry.', 'The village decided in spring'],
    ['The yard failed twice before noon to launch the hull.', 'The yard failed twice before noon'],
    ['The lake saw a sharp drop in visiting geese.', 'The lake saw a sharp drop'],
    ['Her report shows herds shrinking by nearly 30 percent.', 'Her report shows herds shrinking'],
    ['The guild holds 12 % of the land.', 'The guild holds 12 %'],
    ['In spring cows moved into fields after 12 weeks gave more milk.', 'In spring cows moved into fields'],
  ])('does not end before what the words before need: %s', (sentence, stump) => {
    expect(endsOf(sentence).map((end) => sentence.slice(0, end))).not.toContain(stump);
  });

  it.each([
    ['The village moved its ferry to Kelm to save rent.', 'The village moved its ferry to Kelm'],
    ['Output of the yard declined steadily in May to 12 boats.', 'Output of the yard declined steadily'],
    ['The lake saw a sharp drop in 2019.', 'The lake saw a sharp drop'],
    ['The lake saw a sharp drop in two years.', 'The lake saw a sharp drop'],
    ['Many herds of the north shrank by 1950.', 'Many herds of the north shrank'],
    ['The cows stayed in Kelm for 12 weeks.', 'The cows stayed in Kelm'],
  ])('ends before what tells why, when and where: %s', (sentence, beginning) => {
    expect(endsOf(sentence).map((end) => sentence.slice(0, end))).toContain(beginning);
  });
});
