import { nounPhrases } from '@lib/language/noun-phrases';

describe('the things that a sentence names', () => {
  it('are its nouns with the adjectives before them, without articles', () => {
    expect(nounPhrases('The keeper reads the mercury gauge before a long night.')).toEqual(['keeper', 'mercury gauge', 'long night']);
  });

  it('are whole words: no part of one with a hyphen, which may mean the opposite', () => {
    const phrases = nounPhrases('If it is provided it must be a finite, non-negative number, otherwise a read-only snapshot is made.');
    expect(phrases.join()).not.toMatch(/(?:^|,)(?:negative number|only snapshot)/);
    expect(nounPhrases('It takes a negative number.')).toEqual(['negative number']);
  });
});
