import { verbCertaintyInS } from '@lib/language/known-words';
import { COLON } from '@lib/language/reading/characters';
import { conditionIn } from '@lib/language/reading/condition';
import { areOpposite } from '@lib/language/reading/opposites';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { deniedIn, denyAlike } from '../difference/denials';
import { isOfDifference, tellNoDifference } from '../difference/figures-stated-otherwise';
import { areOfOtherYears } from './clauses';
import type { ClaimFeatures } from './claim-features';
import { denyEachOther } from './denied-things';
import { moveAndKeep } from './moved-and-kept';
import { ruleOut } from './ruled-out';

/** Whether one claim denies the other, or says the plain opposite. */
export function denialBetween(left: ClaimFeatures, right: ClaimFeatures, asked: Reading): 'one denies it' | 'opposite words' | null {
  const [one, other, mine, theirs] = [left.reading, right.reading, left.main, right.main];
  if (goWithoutWhatIsDenied(one, other) || goWithoutWhatIsDenied(other, one)) return null;
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
  if (endsWhatRemains(one, other) || endsWhatRemains(other, one)) return 'one denies it';
  return contradictingPlainly(one, other, asked);
}

/** Whether one says that something is over, and the other that it goes on: "is no longer a risk" and "remains a risk". */
function endsWhatRemains({ tokens, polarity }: Reading, { tokens: others, hasNegation }: Reading): boolean {
  if (!polarity.isNoLonger || hasNegation || areOfOtherYears(tokens, others)) return false;
  // The first word is "longer".
  const [, ended] = deniedIn(tokens, 2);
  const subject = tokens.slice(0, polarity.negations[0]).filter(isContentWord);
  if (!subject.some((token) => isAmong(token, others))) return false;
  return ended !== undefined && others.some(({ word }) => GOING_ON.has(word.text)) && isAmong(ended, others);
}
const GOING_ON = new Set('still remain remains remained stay stays stayed continue continues continued'.split(' '));

/** Whether one is said to be without what the other denies: "57 days without using it" and "not used for 57 days". */
function goWithoutWhatIsDenied({ tokens }: Reading, { tokens: denying, hasNegation }: Reading): boolean {
  if (!hasNegation) return false;
  const at = tokens.findIndex(({ word }) => word.text === 'without');
  if (at < 0) return false;
  const denied = deniedIn(denying, MAX_DENIED);
  return tokens.slice(at + 1, at + 1 + MAX_DENIED).some((token) => isContentWord(token) && isAmong(token, denied));
}
/** How many words behind "without" or a negation belong to it. */
const MAX_DENIED = 3;

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
export function deniesItsVerb({ tokens, polarity: { negations } }: Reading): boolean {
  if (negations.length === 0) return false;
  // "If it does not double, it is not ready" denies only the second.
  const condition = conditionIn(tokens, ({ word }) => CONDITIONS.has(word.text));
  return negations.some((at) => !(condition && at > condition.from && at < condition.to) && deniesAt(tokens, at));
}
const CONDITIONS = new Set(['if', 'unless', 'until', 'when', 'where']);

function deniesAt(tokens: readonly Token[], at: number): boolean {
  const [before, word, next] = [tokens[at - 1]?.word, tokens[at]?.word.text, tokens[at + 1]?.word];
  if (word === 'without') return false;
  if (word === 'against' || word === 'never') return true;
  if (word === 'cannot' || (word !== 'no' && (next?.verb.isPastForm || next?.text === 'been'))) return true;
  if (at === 0) return tokens.some((_, place) => isFiniteVerbAt(tokens, place));
  if (word !== 'no' || next?.text === 'longer')
    return tokens.some((_, place) => Math.abs(at - place) <= MAX_WORDS_TO_NEGATION && isFiniteVerbAt(tokens, place));
  // As in "found no leak". "There was no significant difference" affirms that two things are alike.
  const isAlike = isOfDifference(tokens, at);
  const isVerb = isFiniteVerbAt(tokens, at - 1) || before?.verb.isPastForm === true || verbCertaintyInS(before?.text ?? '') !== undefined;
  return !isAlike && isVerb;
}
/** Most words between a verb and its negation. */
const MAX_WORDS_TO_NEGATION = 3;

/** Whether the first denied word is the opposite of a word in the other claim: "not open" and "closed". */
const deniesOpposite = (denied: Reading, told: Reading): boolean =>
  deniedIn(denied.tokens, 1).some(({ word }) => told.tokens.some((other) => areOpposite(word.stem, other.word.stem)));
