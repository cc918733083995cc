import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { tellsByItself } from './edit-kinds';
import { comesAndGoes, isIdle } from './idle';

/** Properties of a word that matter for aligning statements, as bits. */
export const STOP_WORD = 1;
/** A word of the list in `idle.ts`: its presence or absence does not change the meaning. */
export const COMES_AND_GOES = 1 << 1;
/** Such a word, or a filler. */
export const IDLE = 1 << 2;
export const HAS_SYNONYMS = 1 << 3;
/** Added to a statement, the word may change the statement instead of only adding to it. */
export const TELLS = 1 << 4;
export const IS_OF = 1 << 5;

/**
 * The words of a statement as numbers. When a statement is aligned with many others, comparing rows of numbers takes a fraction of the time of
 * comparing words.
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
