import { COMMA, DASH, SEMICOLON, STOP } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isNameWord, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { clausesOf } from './clauses';
import { DEEDS } from './deed-words';

/**
 * A role with a single holder: the maker of a thing, the firm where it was made, the cause of somebody's death. In any wording; for nearly equal
 * statements `difference/fillers.ts` tells more.
 */
export interface StatedRole {
  role: string;
  by: readonly Token[];
  /** The content words of the deed's object; empty if the role is not about a deed. */
  object: readonly Token[];
  /** The other content words of the sentence. */
  beside: readonly Token[];
}

/** The role of a teacher. */
export const UNDER = 'under';

/** Whether another part of a sentence begins, or the sentence has ended. */
export const isBreak = (token: Token | undefined): boolean => token === undefined || (token.before & (COMMA | SEMICOLON | STOP)) !== 0;

/** Words before a name that are not part of it. */
const TITLES = new Set('the sir dame lord lady'.split(' '));
/** The role for the name that begins at an index, or after "the" there. */
export const named = (reading: Reading, start: number, role: string, object: readonly Token[]): StatedRole[] => {
  const from = TITLES.has(textAt(reading.tokens, start)) ? start + 1 : start;
  const name = reading.names.find((run) => run.tokens[0] === reading.tokens[from]);
  const last = name?.tokens.at(-1);
  if (!last) return [];
  let to = reading.tokens.indexOf(last) + 1;
  // Includes the second part of a name such as "Moore-Bick".
  while (isNameWord(reading.tokens[to]) && reading.tokens[to]?.before === DASH) to += 1;
  return played(reading, role, from, to, object);
};

/** The role for its holder; empty if several hold it together: "Smith and Jones". */
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
