import { SPACE } from '@lib/language/reading/characters';
import { isContentWord, isPastVerb, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { isSuperlative, ORDINALS } from '../difference/superlatives';

/** Most words behind a superlative that may say what is ranked: "the oldest stone church". */
const MAX_WORDS = 4;
/** These stand between words of one phrase: "the oldest and largest church". */
const JOINING = new Set('and or most'.split(' '));

/**
 * Whether a superlative or an ordinal that both have ranks other things: "the oldest city in the valley" and "the oldest church in the city", "its second
 * director" and "director of the second museum".
 */
export const ranksAnother = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some(({ word }, at) => {
    if (!isSuperlative(word.text) && !ORDINALS.has(word.text)) return false;
    const own = rankedAfter(mine, at);
    const others = theirs.flatMap((token, place) => (token.word.text === word.text ? [rankedAfter(theirs, place)] : []));
    return own.length > 0 && others.length > 0 && others.every((words) => words.length > 0 && !words.some((token) => isAmong(token, own)));
  });

/** The words right behind a superlative or an ordinal; none in "is the oldest in the valley". */
function rankedAfter(tokens: readonly Token[], at: number): Token[] {
  const behind = tokens.slice(at + 1, at + 1 + MAX_WORDS);
  const end = behind.findIndex(
    (token) =>
      token.before !== SPACE || isPastVerb(token) || (!isContentWord(token) && !token.word.isAmount && !JOINING.has(token.word.text)),
  );
  return (end < 0 ? behind : behind.slice(0, end)).filter(isContentWord);
}
