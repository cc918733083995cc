import { areWordedAlike } from '@lib/language/reading/plain-wording';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isIdle } from '../alignment/idle';
import { isAmong } from '../alignment/same-word';
import { tellsRank } from '../difference/superlatives';
import type { Statement } from '../statement/statement';

/** Whether a statement tells something that another one about the same leaves out: "and dancer", "in Chicago". */
export const addsTo = ({ reading, head }: Statement, { reading: other }: Statement): boolean =>
  !areWordedAlike(reading, other) &&
  reading.tokens.some(
    (token, at) =>
      (isContentWord(token) || tellsRank(token.word.text) || token.word.text === 'last') &&
      !isIdle(token.word) &&
      token.word.effect !== 'filler' &&
      !isEmpty(reading.tokens, at) &&
      !head.has(token.word.stem) &&
      !isAmong(token, other.tokens),
  );

/** "At last" and "four different wines" add nothing; "the last king" and "different keys" do. */
const isEmpty = (tokens: readonly Token[], at: number): boolean =>
  textAt(tokens, at) === 'last'
    ? textAt(tokens, at - 1) === 'at'
    : textAt(tokens, at) === 'different' && tokens[at - 1]?.word.isAmount === true;
