import type { Amount } from '@lib/language/reading/amount';
import { stemOrStopWord } from '@lib/language/reading/lexicon';
import { FALLING, MOVING, RISING, UNMOVED } from '@lib/language/reading/movements';
import { periodBehind } from '@lib/language/reading/periods';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { areEqual, mayBeRounded, meet } from './values';

const UP: ReadonlySet<string> = new Set(['up', ...RISING]);
const DOWN: ReadonlySet<string> = new Set(['down', stemOrStopWord('narrow'), ...FALLING]);
/** Most words between a figure and a word for its movement, or the figure it is held against. */
const MAX_WORDS_TO_MOVEMENT = 3;

/** Whether two sentences use the same figures differently: from 12 to 19 % against from 19 to 12 %, or per week against per month. */
export const tellFiguresOtherwise = (one: Reading, other: Reading): boolean =>
  exchangeEnds(one, other) || differInPeriod(one, other) || holdAgainstOne(one, other) || leaves(one, other) || leaves(other, one);

/** Whether one sentence changes a figure and the other keeps it: "was raised from $0.22 to $0.24" and "stays at $0.22". */
function leaves({ amounts, tokens }: Reading, other: Reading): boolean {
  const isMoved = tokens.some(({ word }) => MOVING.has(word.stem));
  return (
    isMoved &&
    amounts.some(
      (amount) => amount.relation === 'from' && other.amounts.some((their) => areEqual(amount, their) && isKept(other.tokens, their)),
    )
  );
}

/** Whether one tells of all and the other of a part: "Only 12 of 21 work better" and "all 21 work better". */
export const tellAllAndSome = (one: Reading, other: Reading): boolean => tellsAll(one, other) || tellsAll(other, one);

function tellsAll({ tokens }: Reading, other: Reading): boolean {
  const all = tokens.find(({ word }, at) => word.numeral && tokens[at - 1]?.word.text === 'all')?.word.numeral?.value;
  return (
    all !== undefined &&
    other.tokens.some(({ word }, at) => {
      const part = other.tokens[at - 2]?.word.numeral?.value;
      return word.numeral?.value === all && other.tokens[at - 1]?.word.text === 'of' && part !== undefined && part < all;
    })
  );
}

const STAYING: ReadonlySet<string> = new Set([
  ...UNMOVED,
  ...'stay stays stayed remain remains remained same hold holds held keep keeps kept'.split(' '),
]);
const isKept = (tokens: readonly Token[], { from, to, relation }: Amount): boolean =>
  relation !== 'from' &&
  tokens.slice(Math.max(0, from - MAX_WORDS_TO_MOVEMENT), to + MAX_WORDS_TO_MOVEMENT).some(({ word }) => STAYING.has(word.text));

/** Whether different figures are compared with the same one: "4.6 % against 2.0 %" and "2.1 % versus 2.0 %". */
function holdAgainstOne(one: Reading, other: Reading): boolean {
  const [mine, theirs] = [heldAgainst(one), heldAgainst(other)];
  return mine.some(([figure, against]) =>
    theirs.some(
      ([their, base]) =>
        areEqual(against, base) && their.unit === figure.unit && !mayBeRounded(figure.high, their.high) && !meet(figure, their),
    ),
  );
}

const AGAINST = new Set('against versus vs compared than'.split(' '));

/**
 * Whether one denies a difference that the other states: "Found no significant difference between the two", and "20.2 % with the one versus 13.7 %
 * with the other".
 */
export const tellNoDifference = (one: Reading, other: Reading): boolean => deniesDifference(one, other) || deniesDifference(other, one);

function deniesDifference(denying: Reading, told: Reading): boolean {
  if (!hasNoDifference(denying) || heldAgainst(denying).length > 0 || !holdsApart(told)) return false;
  // A denial for one outcome does not cover others: "no difference in nausea" says nothing about deaths.
  const { tokens } = denying;
  const at = tokens.findIndex(({ word }) => word.stem === DIFFERENCE);
  const outcome = tokens[at + 1]?.word.text === 'in' ? tokens.slice(at + 2).find(isContentWord) : undefined;
  return outcome === undefined || isAmong(outcome, told.tokens);
}

const hasNoDifference = ({ tokens }: Reading): boolean => tokens.some(({ word }, at) => word.text === 'no' && isOfDifference(tokens, at));
/** Whether "no" refers to a difference: "no difference", "no significant difference". */
export const isOfDifference = (tokens: readonly Token[], no: number): boolean =>
  tokens.slice(no + 1, no + 3).some(({ word }) => word.stem === DIFFERENCE);
const DIFFERENCE = stemOrStopWord('difference');
const holdsApart = (reading: Reading): boolean =>
  !hasNoDifference(reading) && heldAgainst(reading).some(([figure, base]) => !mayBeRounded(figure.high, base.high) && !meet(figure, base));

/** Pairs of neighbouring figures of the same unit, with "against" or a similar word between them. */
const heldAgainst = ({ amounts, tokens }: Reading): [Amount, Amount][] =>
  amounts.flatMap((figure, place): [Amount, Amount][] => {
    const next = amounts[place + 1];
    const between = next ? tokens.slice(figure.to, next.from) : [];
    return next?.unit === figure.unit && between.length <= MAX_WORDS_TO_MOVEMENT && between.some(({ word }) => AGAINST.has(word.text))
      ? [[figure, next]]
      : [];
  });

/** Whether a shared figure goes up in one sentence and down in the other. */
export const moveAgainst = (one: Reading, other: Reading): boolean =>
  one.amounts.some((amount) => {
    const mine = movementOf(one.tokens, amount);
    const theirs = other.amounts.filter((their) => areEqual(amount, their)).map((their) => movementOf(other.tokens, their));
    return mine !== null && theirs.length > 0 && theirs.every((their) => their !== null && their !== mine);
  });

/** The direction given by the words around a figure; null if there is none or both. */
function movementOf(tokens: readonly Token[], { from, to }: Amount): 'up' | 'down' | null {
  const around = tokens.slice(Math.max(0, from - MAX_WORDS_TO_MOVEMENT), to + MAX_WORDS_TO_MOVEMENT);
  const [isUp, isDown] = [UP, DOWN].map((words) => around.some(({ word }, at) => words.has(word.stem) && !hasObject(around, at)));
  return isUp === isDown ? null : isUp ? 'up' : 'down';
}

/** Whether "up" or "down" has an object and so moves no figure: "held up work for nine months", unlike "up 5 %". */
function hasObject(tokens: readonly Token[], at: number): boolean {
  const [text, next] = [tokens[at]?.word.text, tokens[at + 1]?.word];
  if ((text !== 'up' && text !== 'down') || !next) return false;
  return !next.isStopWord && !next.isAmount && !next.verb.isAdverb && !next.effect;
}

/** Whether the start and end of a change are exchanged: one goes to the figure that the other starts from. */
function exchangeEnds({ amounts: mine }: Reading, { amounts: theirs }: Reading): boolean {
  const has = (amounts: readonly Amount[], wanted: Amount, relation: string): boolean =>
    amounts.some((amount) => amount.relation === relation && areEqual(amount, wanted));
  return mine.some(
    (start) =>
      start.relation === 'from' &&
      has(theirs, start, 'to') &&
      !has(theirs, start, 'from') &&
      mine.some((end) => end.relation === 'to' && end.unit === start.unit && has(theirs, end, 'from')),
  );
}

/** Whether the same figure applies to different periods, such as a week and a month. */
export const differInPeriod = (one: Reading, other: Reading): boolean =>
  one.amounts.some((amount) => {
    const mine = periodsOf(one, amount);
    const theirs = periodsOf(other, amount);
    return mine.size > 0 && theirs.size > 0 && mine.isDisjointFrom(theirs);
  });

/** The periods that follow a figure, anywhere in the text. */
const periodsOf = ({ amounts, tokens }: Reading, wanted: Amount): ReadonlySet<string> =>
  new Set(amounts.flatMap((amount) => (areEqual(amount, wanted) ? (periodBehind(tokens, amount.to) ?? []) : [])));
