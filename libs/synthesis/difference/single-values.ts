import { PREPOSITIONS_OF_PLACE } from '@lib/language/reading/function-words';
import { sameName } from '@lib/language/reading/names';
import { stemsOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import { textOfWords, textAt, type Token } from '@lib/language/reading/token';
import { placesConflict } from './places';
import type { Edit } from '../alignment/edit';

/** Stems of facts for which a thing has only one place, such as where it lies or begins. */
const SINGLE = stemsOf(
  `born birth bury inter locate situate base headquarter hold founded establish build construct erect derive originate capital seat grow raise settle`,
);
/** A date with a day identifies an event, which happens at only one place. */
const isDated = ({ dates }: Reading): boolean => dates.some(({ day }) => day !== null);

/** Whether two names at the same place of two statements exclude each other. */
export function namesExclude(left: Reading, right: Reading, edit: Edit): boolean {
  if (!isDated(left) && !left.tokens.some(({ word }) => SINGLE.has(word.stem))) return false;
  if (!namesPlace(left, edit.left) || !namesPlace(right, edit.right)) return false;
  const parts = (tokens: readonly Token[]): Set<string> => new Set(tokens.map(({ word }) => word.text));
  return (
    !sameName(parts(edit.left), parts(edit.right)) && placesConflict(textOfWords(left.text, edit.left), textOfWords(right.text, edit.right))
  );
}

/** Whether the words are a name after "in", "near" or the like. */
function namesPlace({ tokens }: Reading, [first]: readonly Token[]): boolean {
  const before = first ? textAt(tokens, tokens.indexOf(first) - 1) : '';
  return PREPOSITIONS_OF_PLACE.has(before);
}
