import { CONTINUING } from '@lib/language/reading/function-words';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isOfSayer } from './attribution';
import type { Edit } from '../alignment/edit';
import { kindOf, tellsByItself } from '../alignment/edit-kinds';
import { alignWords, type WordAlignment } from '../alignment/edits';
import { contentWordsOf } from './content-words';
import { turnsRelation } from './relations';
import { meanTheSame } from '../alignment/same-word';
import { areEqual } from './values';
import { goOnApart } from './word-for-word';

/** Words from `from` to `to`, exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/** If two statements share this part of each in the same order, one is an altered copy of the other. */
const COPIED = 0.6;

/**
 * Whether the inner statement contains nothing that differs from the outer one, or reverses it.
 * @param named stems of the subject's name, which the outer statement may give in a shorter form
 */
export function saysNothingElse(inner: Reading, outer: Reading, named: ReadonlySet<string> = NO_WORDS): boolean {
  const alignment = alignWords(inner, outer);
  if (turnsRelation(inner, outer) || isDoneByAnother(inner, outer)) return false;
  const mayDiffer = !isCopy(alignment, inner, outer);
  return alignment.edits.every(
    (edit) =>
      saysNothingElseAt(edit, inner, outer) ||
      (mayDiffer && kindOf(edit) === 'other') ||
      (named.size > 0 && isNameInFull(edit, named)) ||
      bothGiveExamples(edit) ||
      isOnlySaid(edit, outer),
  );
}

const GIVING_EXAMPLES = new Set(['such', 'including', 'like', 'include', 'includes']);

/** Whether the edit only exchanges "such as" and "including" or the like. */
const bothGiveExamples = ({ left, right }: Edit): boolean =>
  left.length === 1 && right.length === 1 && [...left, ...right].every(({ word }) => GIVING_EXAMPLES.has(word.text));

/** Whether the edit only adds who says it: "Ada left" and "Ada said in an interview that she left". */
function isOnlySaid({ left, right: [verb, ...others] }: Edit, { tokens }: Reading): boolean {
  return (
    left.length === 0 && verb !== undefined && isOfSayer(tokens, tokens.indexOf(verb)) && !others.some((token) => tellsByItself(token))
  );
}

const NO_WORDS: ReadonlySet<string> = new Set();

/** Whether the edit only has the fuller name: "Ada Brandt" and "Since then, Brandt". */
const isNameInFull = (edit: Edit, named: ReadonlySet<string>): boolean =>
  edit.left.length > 0 && edit.left.every(({ word }) => named.has(word.stem)) && kindOf({ ...edit, left: [], kind: null }) === 'addition';

/**
 * Whether the agent of the one is mentioned in the other without being the agent: "The film won a prize" is not said by "Ada won a prize for her
 * film".
 */
function isDoneByAnother(inner: Reading, outer: Reading): boolean {
  const { tokens: mine, subjectEnd: verb } = inner;
  const { tokens: theirs, subjectEnd: other } = outer;
  const [did, does] = [mine[verb]?.word, theirs[other]?.word];
  if (!did || !does || did.isStopWord || !meanTheSame(did, does) || isPassiveBy(mine, verb) || isPassiveBy(theirs, other)) return false;
  const doer = mine.slice(0, verb).filter(({ word }) => !word.isStopWord);
  const isIn = (words: readonly Token[]): boolean => words.some(({ word }) => doer.some((token) => meanTheSame(token.word, word)));
  return doer.length > 0 && !isIn(theirs.slice(0, other)) && isIn(theirs.slice(other + 1));
}

const isPassiveBy = (tokens: readonly Token[], verb: number): boolean => tokens[verb + 1]?.word.text === 'by';

function saysNothingElseAt(edit: Edit, inner: Reading, outer: Reading): boolean {
  const kind = kindOf(edit);
  return kind === 'addition' || (kind === 'number' && isSameNumber(inner, outer)) || isWithinOneFigure(edit, inner, outer);
}

/** Whether only the words around one figure differ: "over 13,000" and "more than 13,000". */
const isWithinOneFigure = ({ leftFrom, leftTo, rightFrom, right }: Edit, { amounts }: Reading, { amounts: others }: Reading): boolean =>
  amounts.some(
    (amount) =>
      amount.from <= leftFrom &&
      leftTo <= amount.to &&
      others.some((other) => other.from <= rightFrom && rightFrom + right.length <= other.to && areEqual(amount, other)),
  );

/** Whether two statements share so many words that one was made from the other. */
function isCopy({ shared }: WordAlignment, one: Reading, other: Reading): boolean {
  return shared >= COPIED * Math.max(one.meaningfulCount, other.meaningfulCount);
}

/** Whether the numbers are the same, only written differently. */
const isSameNumber = ({ amounts, dates }: Reading, other: Reading): boolean =>
  compareAmounts(amounts, other.amounts).kind === 'same' && sameDates(dates, other.dates);

/**
 * Whether the right statement says the beginning of the left one, up to the word at `end`. If the beginning still lacks a complement, the two must
 * continue in compatible ways: for example one with a time, the other with a place.
 * @param alignment of both statements, the same for each beginning of the left one
 */
export function beginAlike(
  alignment: WordAlignment,
  left: Reading,
  right: Reading,
  { end, isClosed }: { end: number; isClosed: boolean },
): boolean {
  if (goOnApart(left, right, end)) return true;
  const next = alignment.edits.findIndex(({ leftFrom, leftTo }) => leftFrom >= end || leftTo > end);
  const before = next < 0 ? alignment.edits : alignment.edits.slice(0, next);
  if (isCopy(alignment, left, right)) {
    if (!before.every((edit) => saysNothingElseAt(edit, left, right))) return false;
    if (fillsSamePlace(left, right, [{ from: end, to: left.tokens.length }])) return false;
  }
  const edit = alignment.edits[next];
  if ((isClosed && !isCopy(alignment, left, right)) || !edit) return true;
  const kind = kindOf(edit);
  if (kind === 'addition') return true;
  return (kind === 'other' || kind === 'name') && edit.left.length * edit.right.length > 0 && fillOtherPlaces(left, right, edit);
}

/** Whether the right statement has nothing different in place of the given stretches of the left one. In an altered copy every difference counts. */
export function mayBothHold(left: Reading, right: Reading, stretches: readonly Stretch[]): boolean {
  const alignment = alignWords(left, right);
  const isChanged = isCopy(alignment, left, right);
  return alignment.edits.every((edit) => {
    const isOnOneSide = edit.left.length === 0 || edit.right.length === 0;
    if (!isChanged && !stretches.some(({ from, to }) => edit.leftFrom < to && edit.leftTo > from)) return true;
    const kind = kindOf(edit);
    if (isChanged || isOnOneSide) return isOnOneSide && kind !== 'denial';
    return (kind === 'other' || kind === 'name') && fillOtherPlaces(left, right, edit);
  });
}

function fillOtherPlaces(left: Reading, right: Reading, edit: Edit): boolean {
  if (sortOf(edit.left) !== sortOf(edit.right)) return true;
  const joints = [left.tokens[edit.leftFrom], right.tokens[edit.rightFrom]].map((token) => token?.word.text ?? '');
  return joints[0] !== joints[1] && joints.every((joint) => CONTINUING.has(joint));
}

/** Whether `yours` has something else under the same preposition as the part left out of `mine`. */
export function fillsSamePlace(mine: Reading, yours: Reading, dropped: readonly Stretch[]): boolean {
  const relations = new Set(
    contentWordsOf(mine).flatMap(({ at, relation }) =>
      relation !== '' && dropped.some(({ from, to }) => at >= from && at < to && to - from > 1) ? [relation] : [],
    ),
  );
  return (
    relations.size > 0 &&
    contentWordsOf(yours).some(
      ({ token, relation }) => relations.has(relation) && !mine.tokens.some(({ word }) => meanTheSame(token.word, word)),
    )
  );
}

function sortOf(tokens: readonly Token[]): string {
  if (tokens.some(({ word }) => word.isAmount)) return 'number';
  return tokens.some(({ isCapitalised }) => isCapitalised) ? 'name' : 'words';
}
