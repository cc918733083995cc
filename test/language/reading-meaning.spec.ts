import { readingOf } from '@lib/language/reading/read-text';

/** The stems of a sentence, by which statements are compared. */
const stems = (text: string): string[] => [...readingOf(text).stems].sort();

describe('words of one meaning', () => {
  it.each([
    ['a purchase', 'Kelm acquired Nordlys.', 'Kelm purchased Nordlys.'],
    ['a noun of the verb', 'The approval of the vaccine.', 'They approved the vaccine.'],
    ['a trend', 'The glacier shrank.', 'The glacier diminished.'],
    ['a founder', 'Kelm, founder of Nordlys.', 'Kelm established Nordlys.'],
    ['spelling', 'The colour of the theatre.', 'The color of the theater.'],
  ])('have one stem: %s', (_name, one, other) => {
    expect(stems(one)).toEqual(stems(other));
  });

  it.each([
    ['what was found is not founded', 'Kelm found Nordlys.', 'Kelm founded Nordlys.'],
    ['a drop in price is no drop of support', 'Kelm dropped the price.', 'Kelm reduced the price.'],
  ])('are told apart: %s', (_name, one, other) => {
    expect(stems(one)).not.toEqual(stems(other));
  });
});

describe('the tense of a sentence', () => {
  it.each([
    ['past', 'The agency approved the drug.'],
    ['present', 'The hall, located near the river, serves the town.'],
    ['present', 'The dried leaf lacks the acid.'],
    ['past', 'The leaf was dried in the sun.'],
  ])('is %s: %s', (tense, text) => {
    expect(readingOf(text).tense).toBe(tense);
  });

  it('does not take what is used for what was used to be', () => {
    expect(readingOf('The program used the language.').effects.former).toBe('');
  });
});
