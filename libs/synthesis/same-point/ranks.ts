import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { areAlike, countSharedContentWords } from '../alignment/same-word';
import { isSuperlative, ORDINALS } from '../difference/superlatives';

/** Of which a thing has one alone. */
const RANKED = new Set('floor floors storey storeys place deck'.split(' '));
/** So many words both have to tell beside it. */
const MIN_SHARED = 3;

/** Whether two sentences give a thing another rank, or put it elsewhere in an order: "the second-largest lake" and "the fourth-largest lake", "on the second floor" and "on the fourth". */
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

/** The only word of order before a superlative or a floor, with that; undefined where there is none, or several. */
function rankIn(tokens: readonly Token[]): readonly [Token, Token] | undefined {
  const found = tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    const isRanked = next !== undefined && (isSuperlative(next.word.text) || RANKED.has(next.word.text));
    return isRanked && ORDINALS.has(token.word.text) ? [[token, next] as const] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
