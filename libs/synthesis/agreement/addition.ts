import { isContentWord } from '@lib/language/reading/token';
import { isIdle } from '../alignment/idle';
import { isAmong } from '../alignment/same-word';
import type { Statement } from '../statement/statement';

/** Words that add nothing to their context: "four different wines", "at last". */
const EMPTY = new Set(['different', 'last']);

/** Whether a statement tells something that another one about the same leaves out: "and dancer", "in Chicago". */
export const addsTo = ({ reading, head }: Statement, { reading: other }: Statement): boolean =>
  reading.tokens.some(
    (token) =>
      isContentWord(token) &&
      !isIdle(token.word) &&
      token.word.effect !== 'filler' &&
      !EMPTY.has(token.word.text) &&
      !head.has(token.word.stem) &&
      !isAmong(token, other.tokens),
  );
