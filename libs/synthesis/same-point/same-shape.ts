import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { isInDate, isMonth } from '@lib/language/reading/dates';
import { verbCertainty } from '@lib/language/known-words';
import type { Reading } from '@lib/language/reading/reading';
import { NAMED } from '@lib/language/reading/measures';
import { areSiblings } from '@lib/language/reading/opposites';
import { isContentWord, isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import type { Edit } from '../alignment/edit';
import { kindOf } from '../alignment/edit-kinds';
import { alignWords } from '../alignment/edits';
import { ORDINALS } from '../difference/superlatives';

/** Least words that two sentences of one shape share, and most that only one of them adds. */
const MIN_SHARED = 2;
const MAX_ADDED = 1;
/** Most words exchanged in one place, of both together. */
const MAX_EXCHANGED = 4;

/** What two claims on the same point seem to differ in. */
export type Differing = 'names differ' | 'opposite words' | 'one denies it' | 'dates differ' | 'figures differ';

/**
 * Whether two sentences of one shape tell the same of different things, so that their different values may both hold: "On Linux the installer weighs 38
 * MB" and "On Windows the installer weighs 112 MB", "Line 1 opened in 1974" and "Line 3 opened in 1991".
 */
export function tellAlikeOfOthers(one: Reading, other: Reading, differing: Differing): boolean {
  const { edits, shared, moved } = alignWords(one, other);
  if (shared < MIN_SHARED || moved > 0) return false;
  const isOneFigure = edits.filter((edit) => kindOf(edit) === 'number').length < 2;
  let [added, exchanged, things] = [0, 0, 0];
  for (const edit of edits) {
    const [mine, yours] = [edit.left.length, edit.right.length];
    if (mine === 0 || yours === 0) added += mine + yours;
    else if (kindOf(edit) !== 'number') exchanged += Math.max(mine, yours);
    if (!isValue(one, edit, differing) && exchangesThing(one, other, edit, isOneFigure)) things += 1;
  }
  // One exchanged name may be the value.
  return added <= MAX_ADDED && exchanged <= shared && things > (differing === 'names differ' ? 1 : 0);
}

/**
 * What two sentences of one thing differ in if they have all words but one value in common: "opens at 7:30" and "opens at 8:30". Null if that is not so, or
 * if the exchanged word may only tell which one is meant: "pays 40 crowns in summer" and "in winter", "old phones" and "new phones", "part 2" and "part 3".
 */
export function differOnlyInValue(one: Reading, other: Reading): Differing | null {
  // Checked first, because it spares nearly all pairs the alignment.
  if (one.tokens.length !== other.tokens.length) return null;
  const { edits, shared, moved } = alignWords(one, other);
  const [edit] = edits;
  if (!edit || edits.length > 1 || shared < MIN_SHARED || moved > 0 || edit.left.length === 0 || edit.right.length === 0) return null;
  if (edit.leftFrom < one.subjectEnd || edit.rightFrom < other.subjectEnd) return null;
  const kind = kindOf(edit);
  const isBeforeNoun = [one.tokens[edit.leftTo], other.tokens[edit.rightFrom + edit.right.length]].some(isNoun);
  if (edit.left.length === 1 && areSiblings(edit.left[0]?.word.stem ?? '', edit.right[0]?.word.stem ?? ''))
    return isBeforeNoun || one.amounts.length > 0 ? null : 'opposite words';
  if (kind !== 'number') return null;
  if (edit.left.every(({ word }) => isMonth(word.text))) return 'dates differ';
  const areTimes = edit.left.every(({ word }) => TIME.test(word.text));
  return areTimes || (isBeforeNoun && compareAmounts(one.amounts, other.amounts).kind === 'different') ? 'figures differ' : null;
}
/** A time of day: "7:30". */
const TIME = /^\d{1,2}:\d{2}$/;
const isNoun = (token: Token | undefined): boolean => token !== undefined && isContentWord(token);

/** Whether an edit exchanges what the two differ in, or who did it: "founded in 1932 by Kelm" and "founded in 1934 by Ulm". */
function isValue({ tokens }: Reading, edit: Edit, differing: Differing): boolean {
  if (differing === 'opposite words') return kindOf(edit) === 'opposite' || kindOf(edit) === 'opposed';
  return differing !== 'names differ' && textAt(tokens, edit.leftFrom - 1) === 'by';
}

/** Whether an edit exchanges what the sentences tell of, or which of several: no value, denial, quantifier or verb. */
function exchangesThing(one: Reading, other: Reading, edit: Edit, isOneFigure: boolean): boolean {
  const { left, right, leftFrom, rightFrom } = edit;
  if (left.some(isOrdinal) && right.some(isOrdinal)) return true;
  const kind = kindOf(edit);
  if (kind === 'number') {
    if (leftFrom >= one.subjectEnd || rightFrom >= other.subjectEnd) return false;
    if (isInDate(one.dates, leftFrom)) return followsArticle(one, leftFrom) && followsArticle(other, rightFrom);
    return !isOneFigure || (isLabel(one, leftFrom) && isLabel(other, rightFrom));
  }
  if (kind === 'denial' || kind === 'exchanged for a denial' || kind === 'quantifier') return false;
  const [mine, yours] = [left.filter(isContentWord), right.filter(isContentWord)];
  if (left.length !== mine.length || right.length !== yours.length || mine.length + yours.length > MAX_EXCHANGED) return false;
  if (mine.length === 0 || yours.length === 0) return false;
  return (
    [...mine, ...yours].every(({ word }) => word.unit === null) && !mayBeVerbs(one, leftFrom, mine) && !mayBeVerbs(other, rightFrom, yours)
  );
}

const isOrdinal = ({ word }: Token): boolean => ORDINALS.has(word.text);

/** As in "the 1952 act", where the year tells which one is meant, and in "the starting dose". */
const followsArticle = ({ tokens }: Pick<Reading, 'tokens'>, at: number): boolean => tokens[at - 1]?.word.verb.isDeterminer === true;

/** Whether a number tells which one is meant, instead of counting: "line 1". */
const isLabel = ({ amounts }: Reading, at: number): boolean =>
  amounts.some(({ unit, from, to }) => from <= at && at < to && (unit === '' || unit.startsWith(NAMED)));

/** Whether some words may be verbs; an imperative is at the beginning: "Wait at least 4 hours". */
function mayBeVerbs({ tokens }: Reading, at: number, words: readonly Token[]): boolean {
  if (followsArticle({ tokens }, at)) return false;
  const isImperative = at === 0 && !tokens.some(isFiniteOrPast);
  return words.some(
    ({ word: { verb, text }, isCapitalised }) =>
      (!isCapitalised && (verb.isFinite || verb.isPastForm || verb.endsInIng)) || (isImperative && verbCertainty(text) !== undefined),
  );
}
