import type { ContradictionCue } from '@lib/domain/vocabulary';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { datesConflict, sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import { DASH, SPACE } from '@lib/language/reading/characters';
import { stemsOf } from '@lib/language/reading/lexicon';
import { textAt, type Token } from '@lib/language/reading/token';
import { areTheSame } from '@lib/language/sets';
import { isBesideThePoint, isOfSubject, LONG_COPY, type Compared } from './compared';
import type { Edit } from '../alignment/edit';
import { kindOf, REPEATED } from '../alignment/edit-kinds';
import { happensOnce } from './fillers';
import { tellsOfOneThing } from './thing-of-event';
import { whichOf } from './which-measure';
import { areNegatedAlike } from './same-terms';

/** The cue for an edit that exchanges a count, a measure, or the time of a single event. */
export function numberConflict(compared: Compared): ContradictionCue | null {
  const { left, right, telling, besides, shared } = compared;
  const isOnlyEdit = telling.length === 1 && besides.length === 0;
  if (datesDiffer(left, right)) {
    if (telling.some((edit) => isOfSubject(compared, edit) && !exchangesDate(left, edit))) return null;
    if (telling.length > 1 && happensOnce(left) && happensOnce(right)) return tellsOfOneThing(compared) ? 'value' : null;
    const isTheRestTheSame = telling.every((edit) => kindOf(edit) === 'number' || isBesideThePoint(compared, edit)) && mayHappenOnce(left);
    return isTheRestTheSame && compareAmounts(left.amounts, right.amounts).kind === 'same' ? 'value' : null;
  }
  if (!sameDates(left.dates, right.dates)) return null;
  const amounts = compareAmounts(left.amounts, right.amounts);
  if (isOnlyEdit && amounts.kind === 'same' && telling.every((edit) => isExchangedMark(compared, edit))) return 'value';
  if (isOnlyEdit && telling.every((edit) => exchangesVersion(compared, edit))) return 'value';
  if (amounts.kind !== 'different' || telling.filter((edit) => kindOf(edit) === 'number').length > 1) return null;
  if (!isOnlyEdit && (shared < LONG_COPY || !telling.every((edit) => isOfMeasure(compared, edit)))) return null;
  if (measuresAnother(compared) || telling.some((edit) => countsAnother(compared, edit))) return null;
  if (!areNegatedAlike(left, right)) return null;
  return amounts.isBare ? 'value' : 'quantity';
}

const exchangesDate = ({ dates }: Reading, { leftFrom, leftTo }: Edit): boolean =>
  dates.some(({ from, to }) => leftFrom < to && from < leftTo);

/** Whether an edit exchanges a version, time, score or rank. These are not measures; if the rest is the same, one of the two is wrong. */
function isExchangedMark(compared: Compared, edit: Edit): boolean {
  const [mine, yours] = [edit.left[0]?.word, edit.right[0]?.word];
  if (edit.left.length !== 1 || edit.right.length !== 1 || !mine || !yours || compared.shared < MIN_SHARED_BESIDE_MARK) return false;
  if (isInScore(compared.left.tokens, edit.leftFrom) && isInScore(compared.right.tokens, edit.rightFrom)) return true;
  return MARK.test(mine.text) && MARK.test(yours.text) && !isOfSubject(compared, edit);
}

/** Whether a number is a side of a score, in a sentence about a match: "won 3–2". */
const isInScore = (tokens: readonly Token[], at: number): boolean =>
  tokens.some(({ word }) => OF_MATCH.has(word.stem)) &&
  [tokens[at - 1], tokens[at + 1]].some((other) => other?.word.hasDigit) &&
  (joins(tokens[at]) || joins(tokens[at + 1]));
const OF_MATCH = stemsOf('win beat lose draw defeat score match game final shoot penalty goal');
const joins = (token: Token | undefined): boolean => token !== undefined && (token.before & (DASH | SPACE)) === DASH;

/** Whether an edit exchanges the version that something needs for another one: "20" is no other one than "20.11". */
function exchangesVersion({ left, right }: Compared, { leftFrom, rightFrom }: Edit): boolean {
  if (!isRequiredVersion(left, leftFrom) || !isRequiredVersion(right, rightFrom)) return false;
  const [mine, yours] = [left.tokens[leftFrom], right.tokens[rightFrom]].map((token) => `${token?.word.text ?? ''}.`);
  return mine !== undefined && yours !== undefined && !mine.startsWith(yours) && !yours.startsWith(mine);
}

/** Whether a number is the version that something needs: "requires Python 3.9", "Node.js 20 or later". It is part of a name, not an amount. */
function isRequiredVersion({ tokens }: Reading, at: number): boolean {
  const name = tokens[at - 1];
  if (!tokens[at]?.word.hasDigit || !name?.isCapitalised || NUMBERED.has(name.word.text)) return false;
  const isMinimum = textAt(tokens, at + 1) === 'or' && OR_LATER.has(textAt(tokens, at + 2));
  return isMinimum || tokens.slice(Math.max(0, at - MAX_TO_VERSION), at).some(({ word }) => REQUIRING.has(word.stem));
}
/** What is numbered and has no versions. */
const NUMBERED = new Set(
  'room article form section chapter part class level grade stage phase type rule annex schedule table figure page step'.split(' '),
);
const OR_LATER = new Set('later newer higher above up'.split(' '));
const REQUIRING = stemsOf('require need');
const MAX_TO_VERSION = 5;

const MIN_SHARED_BESIDE_MARK = 3;
const MARK = /^\d+(?:[.:]\d+){1,3}$|^\d+(?:st|nd|rd|th)$/;

const KINDS_OF_MEASURE = new Set(['number', 'quantifier', 'opposite', 'opposed']);

const isOfMeasure = (compared: Compared, edit: Edit): boolean =>
  (KINDS_OF_MEASURE.has(kindOf(edit)) && !isOfSubject(compared, edit)) || isBesideThePoint(compared, edit);

/** Whether different things are counted: "7 substitutes" and "3 goalkeepers", "28 percent smokers" and "59 percent pensioners". */
const countsAnother = ({ left, right }: Compared, edit: Edit): boolean =>
  kindOf(edit) === 'other' &&
  edit.left.length > 0 &&
  edit.right.length > 0 &&
  left.amounts.some(({ to }) => to === edit.leftFrom) &&
  right.amounts.some(({ to }) => to === edit.rightFrom);

/** Whether another measure or case is meant: "38 percent of its area" and "52 percent of its volume", "in the final" and "in the group stage". */
function measuresAnother({ left, right, telling }: Compared): boolean {
  if (!areTheSame(whichOf(left), whichOf(right))) return true;
  const number = telling.find((edit) => kindOf(edit) === 'number');
  return telling.some(
    (edit) =>
      number !== undefined &&
      kindOf(edit) === 'other' &&
      edit.left.length > 0 &&
      edit.right.length > 0 &&
      NAMES_MEASURE.has(left.tokens[edit.leftFrom - 1]?.word.text ?? '') &&
      NAMES_MEASURE.has(right.tokens[edit.rightFrom - 1]?.word.text ?? '') &&
      isSoonAfter(edit.leftFrom, number.leftFrom) &&
      isSoonAfter(edit.rightFrom, number.rightFrom),
  );
}

const isSoonAfter = (at: number, before: number): boolean => at > before && at - before <= MEASURE_WITHIN;
const MEASURE_WITHIN = 4;
/** Words that stand right before the thing measured. */
const NAMES_MEASURE = new Set(['of', 'its', 'their', 'the']);

/** Whether exactly one of equally many dates conflicts. If both ends of a period differ, the periods are different ones. */
function datesDiffer({ dates: mine }: Reading, { dates: yours }: Reading): boolean {
  return mine.length === yours.length && mine.filter((date, at) => datesConflict(date, yours[at] ?? date)).length === 1;
}

/** Planned events, and changes that take effect on a day, happen once. */
const PLANNED = new Set(
  'expected scheduled planned due will must shall projected slated pledged set applies apply expires expire effect force'.split(' '),
);

function mayHappenOnce({ tokens, tense }: Reading): boolean {
  if (tense === 'present' && !tokens.some(({ word }, at) => PLANNED.has(word.text) || isTo(tokens, at))) return false;
  return tokens.some(({ word }) => word.text === 'first') || !tokens.some(({ word }) => REPEATED.has(word.stem));
}

/** A plan such as "is to be". */
const isTo = (tokens: readonly Token[], at: number): boolean =>
  /^(?:is|are)$/.test(tokens[at]?.word.text ?? '') && tokens[at + 1]?.word.text === 'to';
