import { COLON, COMMA, SEMICOLON, STOP } from '@lib/language/reading/characters';
import type { Token } from '@lib/language/reading/token';

/** They begin another clause, without a comma before them. */
const JOINING = new Set('but while whereas although though because since which who so'.split(' '));

/** A sentence in pieces, at its commas and at the words that begin another clause. */
export function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [];
  for (const token of tokens) {
    const begins = (token.before & (COMMA | SEMICOLON | COLON | STOP)) !== 0 || JOINING.has(token.word.text);
    const last = clauses.at(-1);
    if (last && !begins) last.push(token);
    else clauses.push([token]);
  }
  return clauses;
}
