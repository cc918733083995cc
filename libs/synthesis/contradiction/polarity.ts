import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { mayBeInName } from '@lib/language/reading/names';
import { HARDLY_DONE } from '../difference/conflicts';
import { denies, describesBy, isLeast } from '../difference/denials';
import type { TermAlignment } from '../alignment/term-alignment';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import { contradicts, type Stance } from './stance';
import { haveSameTerms } from '../difference/same-terms';

/** Most details that only the affirming side may have: a general denial denies a special case, but not the other way round. */
const MAX_DETAIL = 2;

/** One sentence affirms what the other denies: the same predicate, tense, time and conditions. */
export function differInPolarity(left: Reading, right: Reading, alignment: TermAlignment, stance: Stance): boolean {
  if (!stance.isNegation || !contradicts(stance)) return false;
  const [denied, affirmed] = left.polarity.isNegated ? [left, right] : [right, left];
  const [onlyDenied, onlyAffirmed] = left.polarity.isNegated
    ? [alignment.onlyLeft, alignment.onlyRight]
    : [alignment.onlyRight, alignment.onlyLeft];
  if (alignment.shared < 2 || onlyDenied.length > 0 || onlyAffirmed.length > MAX_DETAIL) return false;
  // "Exempt" is itself a denial: a person who is exempt does not pay.
  if (affirmed.words.some((token, at) => onlyAffirmed.includes(token.word.stem) && (mayBeInName(token, at) || isDeniedOf(affirmed, token))))
    return false;
  // "Hard to exclude" means nearly the same as "not excluded".
  if (affirmed.tokens.some(({ word }) => HARDLY_DONE.has(word.text))) return false;
  if (denied.polarity.isNoLonger && affirmed.tense === 'past') return false;
  if (describesBy(denied)) return false;
  return haveSameTerms(left, right) && compareAmounts(left.amounts, right.amounts).kind === 'same';
}

/** Whether one of two statements says nearly what its denial by the other says: "almost no downtime", "the least crowded palace". */
export const areNearlyAlike = (one: Reading, other: Reading): boolean =>
  [one, other].some((reading) => deniesAlmost(reading) || reading.tokens.some((_, at) => isLeast(reading.tokens, at)));

/** Whether a statement denies nothing wholly: "almost no downtime" is some. */
const deniesAlmost = ({ tokens, polarity: { negations } }: Reading): boolean =>
  negations.length > 0 && negations.every((at) => ALMOST.has(textAt(tokens, at - 1)));
const ALMOST = new Set('almost nearly virtually practically'.split(' '));

/** Whether a word denies its subject: "Students are exempt", but not "the untreated water". */
function isDeniedOf({ tokens }: Reading, token: Token): boolean {
  const before = tokens[tokens.indexOf(token) - 1]?.word;
  return denies(token) && (!/^(?:un|non)/.test(token.word.text) || FORMS_OF_BE.has(before?.text ?? ''));
}
