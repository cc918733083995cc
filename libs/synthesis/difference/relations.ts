import type { Reading } from '@lib/language/reading/reading';
import type { Word } from '@lib/language/reading/word';
import { withRelations } from './content-words';
import { meanTheSame } from '../alignment/same-word';

/** Pairs of prepositions that change the meaning: "played for Kelm" and "moved to Kelm", "until 1995" and "in 1995". */
const TURNING = new Set(
  [
    'for to',
    'for against',
    'for from',
    'against with',
    'from to',
    'by under',
    'by of',
    'by in',
    'by for',
    'by to',
    'in until',
    'until since',
    'until from',
    'before after',
    'with without',
  ].flatMap((pair) => {
    const [one = '', other = ''] = pair.split(' ');
    return [`${one} ${other}`, `${other} ${one}`];
  }),
);

/** Whether a name or number of the inner statement only occurs in the outer one under a preposition that changes the meaning. */
export function turnsRelation(inner: Reading, outer: Reading): boolean {
  const mine = valuesOf(inner).filter(({ relation }) => relation !== '');
  if (mine.length === 0) return false;
  const theirs = valuesOf(outer);
  return mine.some(({ word, relation }) => {
    const same = theirs.filter((other) => meanTheSame(word, other.word));
    return same.length > 0 && same.every((other) => TURNING.has(`${relation} ${other.relation}`));
  });
}

interface Value {
  word: Word;
  relation: string;
}

function valuesOf({ tokens }: Reading): Value[] {
  return withRelations(tokens).flatMap(({ at, relation }): Value[] => {
    const token = tokens[at];
    return token && (token.isCapitalised || token.word.isAmount) ? [{ word: token.word, relation }] : [];
  });
}
