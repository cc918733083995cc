import type { Reading } from '@lib/language/reading/reading';
import { tells, type Token } from '@lib/language/reading/token';
import { areAlike } from '../alignment/same-word';

/** Before "before" and "after" they tell how long. */
const SPANS = new Set('second seconds minute minutes hour hours day days week weeks month months year years shortly just soon'.split(' '));

/** Whether something is told to be before a thing by the one and after it by the other: "days after the games" and "nine days before the games". */
export function tellOtherOrder(one: Reading, other: Reading): boolean {
  return comesAgainst(one.tokens, 'before', other.tokens, 'after') || comesAgainst(one.tokens, 'after', other.tokens, 'before');
}

function comesAgainst(tokens: readonly Token[], word: string, others: readonly Token[], opposite: string): boolean {
  const mine = thingBehind(tokens, word);
  const theirs = mine && thingBehind(others, opposite);
  return mine !== undefined && theirs !== undefined && mine.some((token) => theirs.some((their) => areAlike(token, their)));
}

/** The first telling words behind "days before". */
function thingBehind(tokens: readonly Token[], word: string): readonly Token[] | undefined {
  const at = tokens.findIndex((token, place) => token.word.text === word && SPANS.has(tokens[place - 1]?.word.text ?? ''));
  return at < 0
    ? undefined
    : tokens
        .slice(at + 1)
        .filter(tells)
        .slice(0, MAX_WORDS);
}
const MAX_WORDS = 2;
