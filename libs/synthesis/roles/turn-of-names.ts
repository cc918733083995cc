import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import { areOpposite } from '@lib/language/reading/opposites';
import { type NameRun, sameName } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import { isTelling, type Token } from '@lib/language/reading/token';
import { prepositionOf } from './verb-and-object';

/** Two names in one part of a sentence, with the words between them. */
interface NamedPair {
  first: NameRun;
  second: NameRun;
  between: readonly Token[];
}

/** Prepositions before the second party of an action or comparison; in "positive for EPO" or "born in Ulm" there is none. */
const SIDES = new Set('than over against to from by'.split(' '));

/**
 * How two statements that mention two names differ in the names' roles. A passive explains another order; a word of opposite meaning makes them
 * `converse`: "Kelm beat Sund" and "Sund lost to Kelm"; otherwise they are `exchanged`: "Denvora protected better than Qitavax" and "Qitavax
 * outperformed Denvora". Null if the roles do not differ.
 */
export function turnOfNames(one: Reading, other: Reading): 'exchanged' | 'converse' | null {
  const theirs = pairsIn(other);
  for (const mine of pairsIn(one))
    for (const yours of theirs) {
      const isTurned = sameName(mine.first.parts, yours.second.parts) && sameName(mine.second.parts, yours.first.parts);
      const isAlike = sameName(mine.first.parts, yours.first.parts) && sameName(mine.second.parts, yours.second.parts);
      if (!isTurned && !isAlike) continue;
      if (isTurned === (isPassive(mine) === isPassive(yours))) return areConverse(mine, yours) ? 'converse' : 'exchanged';
    }
  return null;
}

/** Pairs of names within a part without commas, where one may act on the other. */
function pairsIn({ names, tokens }: Reading): NamedPair[] {
  const places = names.map((name) => ({ name, at: tokens.findIndex((token) => token === name.tokens[0]) }));
  return places.flatMap(({ name: first, at: from }, place) =>
    places.slice(place + 1).flatMap(({ name: second, at: to }): NamedPair[] => {
      const between = tokens.slice(from + first.tokens.length, to);
      const isSetOff = tokens.slice(from + 1, to + 1).some(({ before }) => (before & (COMMA | SEMICOLON)) !== 0);
      const preposition = prepositionOf(tokens, to);
      const isSide = preposition === null || SIDES.has(preposition) || between.some(({ word }) => word.text === 'than');
      return !isSetOff && isSide && between.some(isTelling) ? [{ first, second, between }] : [];
    }),
  );
}

const isPassive = ({ between }: NamedPair): boolean =>
  between.some(({ word }) => word.text === 'by') && between.some(({ word }) => FORMS_OF_BE.has(word.text));

/** Whether the verbs are opposites: "Kelm beat Sund" and "Sund lost to Kelm". */
const areConverse = ({ between: mine }: NamedPair, { between: yours }: NamedPair): boolean =>
  mine.some(({ word }) => yours.some((other) => areOpposite(word.stem, other.word.stem)));
