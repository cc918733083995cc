import { SEMICOLON } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { conditionOf } from './said-in-condition';

/**
 * Whether `theirs` has the condition of `mine` in one part and what follows from it in another: “If the laws keep over time, energy is conserved” and “If
 * the laws keep over time, momentum is conserved; if they keep everywhere, energy is conserved”.
 */
export function isOfAnotherCondition({ tokens: mine }: Reading, { tokens: theirs }: Reading): boolean {
  if (conditionOf(mine) === null) return false;
  const parts = partsOf(theirs);
  const told = mine.filter((token) => isContentWord(token) && isAmong(token, theirs));
  return parts.length > 1 && !parts.some((part) => told.every((token) => isAmong(token, part)));
}

function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if ((token.before & SEMICOLON) !== 0) parts.push([]);
    parts.at(-1)?.push(token);
  }
  return parts;
}
