import { COMMA, DASH, SEMICOLON, STOP } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isNameWord, isContentWord, type Token } from '@lib/language/reading/token';
import { clausesOf } from './clauses';
import { DEEDS } from './deed-words';

/**
 * A role that one alone plays, with who or what plays it: who made a thing, at which firm it was made, of what somebody died. In any wording; of two
 * that are nearly the same `difference/fillers.ts` tells more.
 */
export interface StatedRole {
  role: string;
  by: readonly Token[];
  /** The telling words of what the deed is done to; empty where the role is of no deed. */
  object: readonly Token[];
  /** The telling words beside it. */
  beside: readonly Token[];
}

/** Of what one was taught by whom. */
export const UNDER = 'under';

/** Where another part of a sentence begins, or nothing stands any more. */
export const isBreak = (token: Token | undefined): boolean => token === undefined || (token.before & (COMMA | SEMICOLON | STOP)) !== 0;

/** Before a name they are no part of it. */
const TITLES = new Set('the sir dame lord lady'.split(' '));
/** The name that begins at a place, or behind "the" there, in a role. */
export const named = (reading: Reading, start: number, role: string, object: readonly Token[]): StatedRole[] => {
  const from = TITLES.has(reading.tokens[start]?.word.text ?? '') ? start + 1 : start;
  const name = reading.names.find((run) => run.tokens[0] === reading.tokens[from]);
  const last = name?.tokens.at(-1);
  if (!last) return [];
  let to = reading.tokens.indexOf(last) + 1;
  // "Moore-Bick".
  while (isNameWord(reading.tokens[to]) && reading.tokens[to]?.before === DASH) to += 1;
  return played(reading, role, from, to, object);
};

/** Nothing where it is played together with others: "Smith and Jones". */
export function played({ tokens }: Reading, role: string, from: number, to: number, object: readonly Token[] = []): StatedRole[] {
  const [before, behind] = [tokens[from - 1]?.word.text, tokens[to]?.word.text];
  const isListed = (behind === 'and' || behind === 'or') && !isFiniteOrPast(tokens[to + 1]);
  if (before === 'and' || before === 'or' || isListed) return [];
  if (isNameWord(tokens[to]) || (from > 0 && isBreak(tokens[from]) && isNameWord(tokens[from - 1]))) return [];
  const by = tokens.slice(from, to);
  const isTeacher = role === UNDER;
  const clause = isTeacher ? (clausesOf(tokens).find((words) => words.some((word) => word === by[0])) ?? []) : tokens;
  const beside = clause.filter(
    (token) => (isContentWord(token) || token.word.hasDigit) && !by.includes(token) && (isTeacher || !DEEDS.has(token.word.stem)),
  );
  return [{ role, by, object, beside }];
}
