import { verbCertaintyInS } from '@lib/language/known-words';
import { COLON } from '@lib/language/reading/characters';
import { areOpposite } from '@lib/language/reading/opposites';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { deniedIn, denyAlike } from '../difference/denials';
import { isOfDifference, tellNoDifference } from '../difference/figures-stated-otherwise';
import type { ClaimFeatures } from './claim-features';
import { denyEachOther } from './denied-things';
import { moveAndKeep } from './moved-and-kept';
import { ruleOut } from './ruled-out';

/** Whether one claim denies the other, or says the plain opposite. */
export function denialBetween(left: ClaimFeatures, right: ClaimFeatures, asked: Reading): 'one denies it' | 'opposite words' | null {
  const [one, other, mine, theirs] = [left.reading, right.reading, left.main, right.main];
  const isDeniedHere =
    deniesItsVerb(mine) !== deniesItsVerb(theirs) &&
    !denyAlike(mine, theirs) &&
    !tellsNone(one) &&
    !tellsNone(other) &&
    // "Not open" does not deny "closed".
    !deniesOpposite(mine, theirs) &&
    !deniesOpposite(theirs, mine) &&
    denyEachOther(one, other, asked);
  if (isDeniedHere || (areOfOneStudy(one, other, asked) && tellNoDifference(one, other))) return 'one denies it';
  return contradictingPlainly(one, other, asked);
}

/** "Deaths: 0" says the same as "nobody died". */
const tellsNone = ({ amounts }: Reading): boolean => amounts.some(({ low, high }) => low === 0 && high === 0);

/** A contradiction so plain that it counts even if the claims share few words; null if there is none. */
export function contradictingPlainly(one: Reading, other: Reading, asked: Reading): 'one denies it' | 'opposite words' | null {
  if (ruleOut(one, other, asked)) return 'one denies it';
  return moveAndKeep(one, other) ? 'opposite words' : null;
}

/** Whether both mention the same name, such as that of a study, that is not in the question and not only the first word of a sentence. */
const areOfOneStudy = (one: Reading, other: Reading, asked: Reading): boolean =>
  one.tokens.some((token, at) =>
    other.tokens.some(
      (their, place) =>
        token.isCapitalised &&
        their.word.text === token.word.text &&
        !token.word.isStopWord &&
        !asked.stems.has(token.word.stem) &&
        (isNamedHere(token, at, one.tokens) || isNamedHere(their, place, other.tokens)),
    ),
  );
const isNamedHere = ({ isCapitalised }: Token, at: number, tokens: readonly Token[]): boolean =>
  isCapitalised && (at > 0 || ((tokens[at + 1]?.before ?? 0) & COLON) !== 0);

/**
 * Whether a claim's verb is denied: "it does not support …", "no report says …". Not "at no cost", "without an adapter" or "cut by 25 %, and is not
 * recommended for …", which deny something else.
 */
export const deniesItsVerb = ({ tokens, polarity }: Reading): boolean => polarity.negations.some((at) => deniesAt(tokens, at));

function deniesAt(tokens: readonly Token[], at: number): boolean {
  const [before, word, next] = [tokens[at - 1]?.word, tokens[at]?.word.text, tokens[at + 1]?.word];
  if (word === 'without') return false;
  if (word === 'against' || word === 'never') return true;
  if (word === 'cannot' || (word !== 'no' && (next?.verb.isPastForm || next?.text === 'been'))) return true;
  if (at === 0) return tokens.some((_, place) => isFiniteVerbAt(tokens, place));
  if (word !== 'no' || next?.text === 'longer')
    return tokens.some((_, place) => Math.abs(at - place) <= NEAR && isFiniteVerbAt(tokens, place));
  // As in "found no leak". "There was no significant difference" affirms that two things are alike.
  const isAlike = isOfDifference(tokens, at);
  const isVerb = isFiniteVerbAt(tokens, at - 1) || before?.verb.isPastForm === true || verbCertaintyInS(before?.text ?? '') !== undefined;
  return !isAlike && isVerb;
}
/** Most words between a verb and its negation. */
const NEAR = 3;

/** Whether the first denied word is the opposite of a word in the other claim: "not open" and "closed". */
const deniesOpposite = (denied: Reading, told: Reading): boolean =>
  deniedIn(denied.tokens, 1).some(({ word }) => told.tokens.some((other) => areOpposite(word.stem, other.word.stem)));
