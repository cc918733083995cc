import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { areAlike, countSharedContentWords } from '../alignment/same-word';
import { isSuperlative, ORDINALS } from '../difference/superlatives';

/** Things that exist only once per position; "from the third day of absence". */
const RANKED = new Set('floor floors storey storeys place deck day'.split(' '));
/** Least number of other words that both must share. */
const MIN_SHARED = 3;

/**
 * Whether two sentences give a thing different ranks or positions: "the second-largest lake" and "the fourth-largest lake", "on the second floor" and
 * "on the fourth".
 */
export function rankOtherwise(one: Reading, other: Reading, asked: Reading): boolean {
  const mine = rankIn(one.tokens);
  const theirs = mine && rankIn(other.tokens);
  return (
    mine !== undefined &&
    theirs !== undefined &&
    mine[0].word.text !== theirs[0].word.text &&
    areAlike(mine[1], theirs[1]) &&
    countSharedContentWords(one, other, asked) >= MIN_SHARED
  );
}

/** The single ordinal before a superlative or a floor, together with that word; undefined if there is none, or several. */
function rankIn(tokens: readonly Token[]): readonly [Token, Token] | undefined {
  const found = tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    const isRanked = next !== undefined && (isSuperlative(next.word.text) || RANKED.has(next.word.text));
    return isRanked && ORDINALS.has(token.word.text) ? [[token, next] as const] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
