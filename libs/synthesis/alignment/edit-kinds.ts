import { COMMA, STOP } from '@lib/language/reading/characters';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import { isMonth } from '@lib/language/reading/dates';
import { stemsOf } from '@lib/language/reading/lexicon';
import { areOpposite, excludeEachOther } from '@lib/language/reading/opposites';
import { isFiniteOrPast, hasCommaBefore, type Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';
import type { Edit, EditKind } from './edit';

/** Most words on either side of an exchanged quantifier or opposite. */
const SHORT = 3;

/** Kinds of quantity as bits, since a word may have several: "few" is both less than many and more than none. */
const MANY = 1;
const ONE = 1 << 1;
const NONE = 1 << 2;
const FEW = 1 << 3;
const SOME = 1 << 4;
const ALL = 1 << 5;
const MOST = 1 << 6;
const QUANTIFIERS = quantifiersOf([
  [MANY, 'many several numerous various multiple most all every both each lots plenty majority'],
  [ALL, 'all every'],
  [MOST, 'most majority'],
  [ONE, 'one single sole only'],
  [NONE, 'no none zero nobody neither'],
  [FEW, 'few little hardly minority'],
  [SOME, 'some few minority certain'],
]);
const BESIDE_NUMBERS = AROUND_FIGURES.difference(new Set(['up'])).union(
  new Set('exactly precisely back at early late mid mere'.split(' ')),
);
/** Adding one of these words may make a statement hold for less, for something else, or not yet. */
export const NARROWING = new Set(
  `than only just solely exclusively merely off outside beyond far away near almost nearly partly partially half former formerly future planned proposed
would could may might should must will allegedly supposedly reportedly considered potential potentially attempted attempt try tried tries plan plans
planning want wanted intend intended until unless if nominally honorary acting deputy assistant vice anti pseudo ex second third need needs needed left`.split(
    /\s+/,
  ),
);

export function kindOf(edit: Edit): EditKind {
  return (edit.kind ??= edit.left.length === 0 || edit.right.length === 0 ? kindOfAdded(edit) : kindOfExchange(edit));
}

/** The kind of an edit with words on one side only. */
function kindOfAdded(edit: Edit): EditKind {
  const words = edit.left.length === 0 ? edit.right : edit.left;
  const denials = words.length - affirmingIn(words);
  if (denials === 0) return changesSense(edit, words) ? 'other' : 'addition';
  // At the beginning or end, only a real negation denies the shared part: "one block north of" does not mean that something blocks it.
  if ((!edit.isWithin || isSetOff(words)) && !words.some(isNegating)) return 'addition';
  if (addsAlternative(words)) return 'addition';
  if (deniesWhatItAdds(words) && (isAtEnd(edit) || endsAtComma(words) || !words.some(isNegating))) return 'addition';
  return denials % 2 === 0 ? 'other' : 'denial';
}

const isAtEnd = ({ isWithin, leftFrom, rightFrom }: Edit): boolean => !isWithin && leftFrom > 0 && rightFrom > 0;

/** Whether the added words are one of two alternatives, of which the other side has the second: "incorrect or misleading information". */
const addsAlternative = (words: readonly Token[]): boolean =>
  words.at(-1)?.word.text === 'or' && !words.some(({ word }) => word.isNegation);

/** Whether a negation only concerns the added words: "closed in 2010 without notice", "lowers pressure, but does not cure". */
const deniesWhatItAdds = (words: readonly Token[]): boolean =>
  weightBehindDenial(words) > 0 && !words.some(({ word }) => OF_ALL.has(word.text));

/** With a negation these words deny everything before them: "which is not true", "though no record proves it", "at no time". */
const OF_ALL = new Set(
  `true right correct fact case happened happen happens occurred occur took place confirmed confirm proved proven prove proves proof evidence record records
verified substantiated shown known time times circumstances circumstance way ways account means condition conditions`.split(/\s+/),
);

/** How many content words follow the last denial. */
const weightBehindDenial = (words: readonly Token[]): number =>
  weightOf(words.slice(words.findLastIndex((token) => !isAffirming(token)) + 1));

/** Whether words stand between commas, so that they do not reverse the rest: "The mill, against which many had fought, was closed". */
const isSetOff = (words: readonly Token[]): boolean => hasCommaBefore(words[0]) && endsAtComma(words);
const endsAtComma = (words: readonly Token[]): boolean => ((words.at(-1)?.after ?? 0) & COMMA) !== 0;

function kindOfExchange(edit: Edit): EditKind {
  const { left, right } = edit;
  if (isShort(edit)) {
    const [mine, yours] = [quantifiersIn(left), quantifiersIn(right)];
    if (quantifiersConflict(mine, yours)) return 'quantifier';
    // "Nearly all" means most, and "some 40" may be all, so the two neither agree nor contradict each other.
    if (isAllOrPart(mine, yours) || isAllOrPart(yours, mine)) return 'other';
  }
  const opposites = oppositesIn(edit);
  if (opposites) {
    if (!isShort(edit) || opposites.length > 1 || Math.min(weightOf(left), weightOf(right)) > 1) return 'other';
    return opposites.some(([one, other]) => excludeEachOther(one, other)) ? 'opposite' : 'opposed';
  }
  const [mine, yours] = [affirmingIn(left), affirmingIn(right)];
  const denials = left.length - mine + right.length - yours;
  if (denials === 0) return valueKindOf(edit);
  return denials % 2 === 0 || (denials === 1 && endsBoth(edit, mine)) ? 'other' : denialKindOf(edit, mine, yours);
}

/** Whether one side denies by a verb for which the other has one of leaving or ending: "withdrew" and "left". */
const endsBoth = ({ left, right }: Edit, affirmingOfLeft: number): boolean =>
  ![...left, ...right].some(isNegating) && (affirmingOfLeft < left.length ? right : left).some(isEnding);
const isEnding = ({ word }: Token): boolean => ENDING.has(word.stem) || word.text === 'left';
/** Others, such as "stopped", deny too, so that both sides do. */
const ENDING = stemsOf('leave quit exit drop depart');

/** How many of the words are content words other than adverbs. */
const weightOf = (tokens: readonly Token[]): number => tokens.filter(({ word }) => !word.isStopWord && !word.verb.isAdverb).length;

function denialKindOf(edit: Edit, mine: number, yours: number): EditKind {
  if (mine === 0 || yours === 0) return 'denial';
  return isShort(edit) && (mine === edit.left.length || yours === edit.right.length) ? 'exchanged for a denial' : 'other';
}

/** How many of the words affirm. A loop, like those below, since the kinds of edits are needed tens of thousands of times. */
function affirmingIn(tokens: readonly Token[]): number {
  let count = 0;
  for (const token of tokens) if (isAffirming(token)) count += 1;
  return count;
}

function valueKindOf({ left, right }: Edit): EditKind {
  if (left.some(isNumber) && right.some(isNumber)) return left.every(isOfNumber) && right.every(isOfNumber) ? 'number' : 'other';
  if (left.every(isNameOfMonth) && right.every(isNameOfMonth)) return 'number';
  return left.every(isCapitalised) && right.every(isCapitalised) ? 'name' : 'other';
}

/** Null if there are none, which is usual. */
function oppositesIn({ left, right }: Edit): [string, string][] | null {
  let opposites: [string, string][] | null = null;
  for (const { word: mine } of left) {
    if (isFigure(mine)) continue;
    for (const { word: yours } of right)
      if (!isFigure(yours) && areOpposite(mine.stem, yours.stem)) (opposites ??= []).push([mine.stem, yours.stem]);
  }
  return opposites;
}

/** A number in digits is not the opposite of anything. */
const isFigure = ({ hasDigit, numeral }: Word): boolean => hasDigit && numeral !== null;

/** Whether added words change the statement instead of only adding to it: they contain a verb within the shared part, or a restriction. */
function changesSense({ isWithin, addsHead }: Edit, words: readonly Token[]): boolean {
  return addsHead || words.some(isNarrowing) || (isWithin && words.some(tellsMore));
}

/** Whether a word that only one statement has may change the statement instead of only adding to it. */
export const tellsByItself = (token: Token): boolean => !isAffirming(token) || isNarrowing(token) || tellsMore(token);

const isNarrowing = ({ word, isCapitalised }: Token): boolean => !isCapitalised && NARROWING.has(word.text);
const tellsMore = (token: Token): boolean => isFiniteOrPast(token) && !SUPPORTING.has(token.word.text);

/** Verbs that add no content to their noun: "a fine was imposed", "received a sentence". */
const SUPPORTING = new Set(
  'imposed received became appointed made given conducted carried reported came accounted undertook took'.split(' '),
);
const isNumber = ({ word }: Token): boolean => word.isAmount;
/** A month in a date: "July" in "31 July 2027". */
const isNameOfMonth = (token: Token): boolean => token.isCapitalised && isMonth(token.word.text);
/** A number, or a word that belongs to one. */
const isOfNumber = ({ word }: Token): boolean => word.isAmount || BESIDE_NUMBERS.has(word.text) || isMonth(word.text);
const isCapitalised = (token: Token): boolean => token.isCapitalised;
const isShort = ({ left, right }: Edit): boolean => left.length <= SHORT && right.length <= SHORT;
const isNegating = ({ word }: Token): boolean => word.isNegated || word.isNegation || word.isNegationBeforeTo;
/** "No." as in "No. 3" does not negate, and neither does a name. */
export const isAffirming = (token: Token): boolean => {
  const { word, after, isCapitalised } = token;
  if (word.isNegation && (after & STOP) !== 0 && word.text === 'no') return true;
  return !(isNegating(token) || (!isCapitalised && word.isDenying));
};

function quantifiersConflict(mine: number, yours: number): boolean {
  return mine !== 0 && yours !== 0 && (excludes(mine, yours) || excludes(yours, mine));
}

const excludes = (one: number, other: number): boolean =>
  ((one & MANY) !== 0 && (other & (ONE | NONE | FEW)) !== 0) || ((one & NONE) !== 0 && (other & (ONE | SOME)) !== 0);

const isAllOrPart = (one: number, other: number): boolean => (one & ALL) !== 0 && (other & (SOME | MOST)) !== 0;

function quantifiersIn(tokens: readonly Token[]): number {
  let found = 0;
  for (const { word } of tokens) found |= QUANTIFIERS.get(word.text) ?? 0;
  return found;
}

function quantifiersOf(lists: readonly (readonly [number, string])[]): ReadonlyMap<string, number> {
  const quantifiers = new Map<string, number>();
  for (const [bit, words] of lists) for (const word of words.split(' ')) quantifiers.set(word, (quantifiers.get(word) ?? 0) | bit);
  return quantifiers;
}

/** Stems of verbs for what people, teams and publishers do repeatedly. */
export const REPEATED = stemsOf(
  'win appear play perform release publish host score visit tour star record compete nominate award elect race hold celebrate',
);
