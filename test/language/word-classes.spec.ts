import { describingWords } from '@lib/language/word-classes';

describe('the words that describe or say what is done', () => {
  it('are verbs, adjectives and adverbs, and no things', () => {
    const found = describingWords('How do I silently print a fixed table with borders?');
    expect(['print', 'silently', 'fixed', 'table', 'borders'].map((word) => found.has(word))).toEqual([true, true, true, false, false]);
  });
});
