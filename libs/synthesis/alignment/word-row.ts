import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { tellsByItself } from './edit-kinds';
import { comesAndGoes, isIdle } from './idle';

/** What a word is where two statements are aligned, as bits. */
export const STOP_WORD = 1;
/** It may come and go without changing what is said, by its text alone. */
export const COMES_AND_GOES = 1 << 1;
/** It may come and go, or it is a filler. */
export const IDLE = 1 << 2;
export const HAS_SYNONYMS = 1 << 3;
/** Added to a statement, it may do more than say more. */
export const TELLS = 1 << 4;
export const IS_OF = 1 << 5;

/**
 * The words of a statement as numbers, for a statement that is aligned with many others: to go through two rows of numbers takes a fraction of
 * the time that it takes to ask each word.
 */
export class WordRow {
  readonly hashes: number[] = [];
  readonly marks: number[] = [];
  readonly tokens: readonly Token[];

  constructor(readonly reading: Reading) {
    this.tokens = reading.tokens;
    for (const token of this.tokens) {
      this.hashes.push(token.word.stemHash);
      this.marks.push(markOf(token));
    }
  }
}

function markOf(token: Token): number {
  const { word } = token;
  return (
    (word.isStopWord ? STOP_WORD : 0) |
    (comesAndGoes(word) ? COMES_AND_GOES : 0) |
    (isIdle(word) ? IDLE : 0) |
    (word.synonyms === null ? 0 : HAS_SYNONYMS) |
    (tellsByItself(token) ? TELLS : 0) |
    (word.text === 'of' ? IS_OF : 0)
  );
}
