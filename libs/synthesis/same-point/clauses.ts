import { YEAR } from '@lib/language/reading/numeral';
import { COLON, COMMA, SEMICOLON, STOP } from '@lib/language/reading/characters';
import type { Token } from '@lib/language/reading/token';

/** Words that begin another clause without a comma. */
export const CLAUSE_BEGINNINGS: ReadonlySet<string> = new Set('but while whereas although though because since which who so'.split(' '));

/** Whether both name years, but none in common: "none were awarded in 2023" denies nothing about 2024. */
export function areOfOtherYears(some: readonly Token[], others: readonly Token[]): boolean {
  const [mine, theirs] = [yearsIn(some), yearsIn(others)];
  return mine.size > 0 && theirs.size > 0 && mine.isDisjointFrom(theirs);
}

const yearsIn = (tokens: readonly Token[]): ReadonlySet<string> =>
  new Set(tokens.flatMap(({ word }) => (YEAR.test(word.text) ? [word.text] : [])));

/** A sentence divided at its commas and at words that begin another clause. */
export function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [];
  for (const token of tokens) {
    const begins = (token.before & (COMMA | SEMICOLON | COLON | STOP)) !== 0 || CLAUSE_BEGINNINGS.has(token.word.text);
    const last = clauses.at(-1);
    if (last && !begins) last.push(token);
    else clauses.push([token]);
  }
  return clauses;
}
