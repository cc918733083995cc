import { ARTICLES } from '@lib/language/reading/articles';
import { sameName } from '@lib/language/reading/names';
import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { COMMA, SPACE } from '@lib/language/reading/characters';
import { POSSESSIVES } from '@lib/language/reading/function-words';
import { sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import { isOfSubject, type Compared } from './compared';
import { exchangesObject } from './thing-of-event';
import { kindOf, REPEATED } from '../alignment/edit-kinds';
import type { Edit } from '../alignment/edit';
import { isSuperlative, ORDINALS } from './superlatives';
import { areNegatedAlike } from './same-terms';

/** Least shared words for an exchange between two copies to be a contradiction: fewer suffice if both give the time. */
const LONG = 6;
const DATED = 3;
/** Least shared words for something that exists only once. */
const UNIQUE = 2;
const MAX_EXCHANGED = 4;
/** With such a word the thing may be one of several. */
const LISTING = new Set(
  'also include includes included including such other others among example like one member part role roles known best'.split(' '),
);
const COPULAS = FORMS_OF_BE.union(new Set(['become', 'becomes', 'became']));
/** After "the" these say that there is only one. */
const OF_ONE = new Set(
  'first last only main primary chief principal official current capital owner majority name title sole original highest lowest winner author founder inventor cause purpose national'.split(
    ' ',
  ),
);

/**
 * Whether two otherwise equal statements have different things in one place. They must be about a single event or about something unique, or share so
 * many words that one is an altered copy of the other. Two descriptions, two verbs or two lists can both hold.
 */
export function exchangesOneThing(compared: Compared): boolean {
  const { left, right, telling, besides, shared } = compared;
  const [edit] = telling;
  if (!edit || telling.length > 1 || besides.length > 0 || !sameDates(left.dates, right.dates)) return false;
  if (addsRank(compared, edit)) return true;
  const kind = kindOf(edit);
  if ((kind !== 'other' && kind !== 'name') || edit.left.length * edit.right.length === 0) return false;
  if (!areValues(edit) && !isRole(left, edit.left)) return false;
  if (compareAmounts(left.amounts, right.amounts).kind !== 'same' || !areNegatedAlike(left, right)) return false;
  if (left.effects.hedge !== right.effects.hedge || [...edit.left, ...edit.right].every(isOfFigure)) return false;
  if (shared >= DATED && isCounted(left, edit.left) && isCounted(right, edit.right)) return true;
  const isUnique = saysWhatThereIsOneOf(left, edit.left, edit) && saysWhatThereIsOneOf(right, edit.right, edit);
  if ((isOfSubject(compared, edit) || exchangesObject(compared, edit)) && !isUnique) return false;
  if (!isUnique && [left, right].some(({ tokens }) => tokens.some(mayBeOneOfSeveral))) return false;
  if (shared < (isUnique ? UNIQUE : left.dates.length > 0 ? DATED : LONG)) return false;
  if (areOrdinals(edit.left) && areOrdinals(edit.right)) return isUnique || isRanked(left, edit.left);
  if (kind === 'name' && sameName(partsOf(edit.left), partsOf(edit.right))) return false;
  // A firm has each of these measures, so they do not exclude each other.
  if (edit.left.some(isMeasure) && edit.right.some(isMeasure)) return false;
  return (
    isThing(left, edit.left, isUnique) &&
    isThing(right, edit.right, isUnique) &&
    wordBefore(left, edit.left) === wordBefore(right, edit.right) &&
    (isUnique || wordBefore(left, edit.left) !== 'and' || endsClosedList(left, edit.left))
  );
}

/** Whether both sides are values. Another writer may put other common words for the same: "the fasting arm", "the fasting group". */
const areValues = ({ left, right }: Edit): boolean => [left, right].every((words) => words.some(isValue));
const isValue = ({ word, isCapitalised }: Token): boolean => isCapitalised || word.hasDigit || ORDINALS.has(word.text);

/** Whether words tell what somebody was: "as a curator". */
function isRole({ tokens }: Reading, [first]: readonly Token[]): boolean {
  const at = first ? tokens.indexOf(first) - 1 : -1;
  return textAt(tokens, ARTICLES.has(textAt(tokens, at)) ? at - 1 : at) === 'as';
}

/** Whether a word is a number or a unit, which the amounts are compared by: "metres" and "m". */
const isOfFigure = ({ word }: Token): boolean => word.isAmount || word.unit !== null;

/** Whether only a rank is added: "the largest" and "the second largest". */
function addsRank({ left, right, shared }: Compared, edit: Edit): boolean {
  const [ranked, words] = edit.left.length > 0 ? [left, edit.left] : [right, edit.right];
  const [rank] = words;
  if (!rank || edit.left.length + edit.right.length > 1 || shared < DATED || !ORDINALS.has(rank.word.text)) return false;
  return rank.word.text !== 'first' && isSuperlative(ranked.tokens[ranked.tokens.indexOf(rank) + 1]?.word.text ?? '');
}

/** Whether the words end a list of a stated length, which has no further items: "two towers, Kelm and Weil". */
function endsClosedList(reading: Reading, [first]: readonly Token[]): boolean {
  return reading.enumerations.some(
    ({ items, isClosed }) => isClosed && first !== undefined && reading.tokens[items.at(-1)?.from ?? -1] === first,
  );
}

const MEASURES = new Set('income incomes revenue revenues earnings sales turnover'.split(' '));
const isMeasure = ({ word }: Token): boolean => MEASURES.has(word.text);

const mayBeOneOfSeveral = ({ word, isCapitalised }: Token): boolean =>
  (!isCapitalised && REPEATED.has(word.stem)) || LISTING.has(word.text);
const areOrdinals = (words: readonly Token[]): boolean => words.some(({ word }) => ORDINALS.has(word.text)) && words.length <= 2;
const partsOf = (words: readonly Token[]): ReadonlySet<string> => new Set(words.map(({ word }) => word.text));

/** Whether the edited words are what is unique: Y or "first" in "The first X was Y", Y in "Y is the capital of X". */
function saysWhatThereIsOneOf({ tokens }: Reading, words: readonly Token[], { isWithin }: Edit): boolean {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return false;
  const [from, to] = [tokens.indexOf(first), tokens.indexOf(last) + 1];
  const text = (at: number): string => tokens[at]?.word.text ?? '';
  const isOne = (at: number): boolean => OF_ONE.has(text(at)) || isSuperlative(text(at));
  const before = text(from - 1) === 'the' || text(from - 1) === 'a' || text(from - 1) === 'an' ? from - 2 : from - 1;
  if (COPULAS.has(text(before)) && (areOrdinals(words) || (text(0) === 'the' && tokens.slice(1, before).some((_, at) => isOne(at + 1)))))
    return true;
  return !isWithin && from <= 1 && COPULAS.has(text(to)) && text(to + 1) === 'the' && (isOne(to + 2) || isOne(to + 3));
}

/**
 * Whether the words count what happened by then, or rank: "died in 1930 on his fourth expedition", "its fifth bleaching since 2016", "finished third".
 * Without such a sign both may hold: somebody may publish a first and a second novel in one year.
 */
function isCounted({ tokens, dates }: Reading, words: readonly Token[]): boolean {
  const [word] = words;
  if (!word || words.length > 1 || !ORDINALS.has(word.word.text)) return false;
  const at = tokens.indexOf(word);
  const before = textAt(tokens, at - 1);
  if (FINISHING.has(before)) return true;
  const isCountedOn = OCCASION.has(textAt(tokens, at - 2)) || tokens.some((token, place) => place > at && token.word.text === 'since');
  return POSSESSIVES.has(before) && dates.length > 0 && isCountedOn;
}
const FINISHING = new Set('finished finish finishes placed ranked ranks'.split(' '));
const OCCASION = new Set(['on', 'during']);

/** Whether the words are followed by "place" or the like: "in 12th place". */
function isRanked({ tokens }: Reading, words: readonly Token[]): boolean {
  const last = words.at(-1);
  return last !== undefined && /^(?:place|position|rank)$/.test(tokens[tokens.indexOf(last) + 1]?.word.text ?? '');
}

/** Whether the words end a phrase that begins with an article or a preposition. */
function isThing({ tokens }: Reading, words: readonly Token[], isUnique: boolean): boolean {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || words.length > MAX_EXCHANGED || words.some(isVerbOrAdverb)) return false;
  const next = tokens[tokens.indexOf(last) + 1];
  const isNameGoingOn = last.isCapitalised && next?.isCapitalised === true;
  const isEnd = !next || next.word.isStopWord || (last.after & ~SPACE) !== 0 || isNameGoingOn;
  return isEnd && (first.before & COMMA) === 0 && (isUnique || !COPULAS.has(tokens[tokens.indexOf(first) - 1]?.word.text ?? ''));
}

const isVerbOrAdverb = (token: Token): boolean => isFiniteOrPast(token) || (!token.isCapitalised && token.word.verb.isAdverb);

const wordBefore = ({ tokens }: Reading, [first]: readonly Token[]): string => {
  const text = first ? (tokens[tokens.indexOf(first) - 1]?.word.text ?? '') : '';
  return text === 'an' ? 'a' : text;
};
