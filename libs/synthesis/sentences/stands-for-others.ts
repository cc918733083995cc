import { FORMS_OF_HAVE, MODALS_AND_DO, SUBJECT_PRONOUNS_AND_POSSESSIVES } from '@lib/language/reading/function-words';
import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { isContentWord, isFiniteOrPast, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

/** Words whose reference is only known from the context. */
const REFERRING = SUBJECT_PRONOUNS_AND_POSSESSIVES.union(new Set('this that these those such here them'.split(' ')));
/** Whether a sentence leaves out its verb: "Almost all older adults did." But "works better than it did" is complete. */
export function endsInAuxiliary(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  // "May" may be the month: "In May".
  const isLast = last !== undefined && !last.isCapitalised && AUXILIARIES.has(last.word.text);
  return isLast && tokens.length <= MAX_ELLIPTICAL && !tokens.some(({ word }) => COMPARING.has(word.text));
}
const AUXILIARIES = MODALS_AND_DO.union(FORMS_OF_HAVE).union(FINITE_FORMS_OF_BE);
const COMPARING = new Set('than as what who how where when which that'.split(' '));
/** Most words of a sentence that leaves its verb out. */
const MAX_ELLIPTICAL = 10;

/**
 * Whether a sentence refers to things named before: "Both were built in 1990" and "There are two of them", but not "Both Ada and Bea …" and "There
 * are two dams on the Kelm".
 */
export function standsForOthers(tokens: readonly Token[]): boolean {
  const [first, second, third] = tokens;
  if (first?.word.text === 'both')
    return !(second?.isCapitalised || (second?.word.text === 'the' && third?.isCapitalised) || namesBoth(tokens));
  if (first?.word.text !== 'there') return false;
  return (
    !FINITE_FORMS_OF_BE.has(second?.word.text ?? '') ||
    tokens.some((token, at) => REFERRING.has(token.word.text) && !joinsClause(tokens, at))
  );
}

/** Whether both are named before the verb: "Both the tenant and the landlord must sign it". */
function namesBoth(tokens: readonly Token[]): boolean {
  const verb = tokens.findIndex((token, at) => at > 0 && (isFiniteOrPast(token) || isFiniteVerbAt(tokens, at)));
  return tokens.slice(1, Math.max(verb, 0)).some(({ word }) => word.text === 'and');
}

/** Whether "that" begins a clause: "evidence that exercise lowers it", unlike "a reason for that". */
function joinsClause(tokens: readonly Token[], at: number): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  return tokens[at]?.word.text === 'that' && before !== undefined && isContentWord(before) && next !== undefined;
}
