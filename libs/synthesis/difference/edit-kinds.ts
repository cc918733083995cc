import { STOP } from '@lib/language/reading/characters';
import { stemOrStopWord } from '@lib/language/reading/lexicon';
import { areOpposite, excludeEachOther, isDenying } from '@lib/language/reading/opposites';
import type { Token } from '@lib/language/reading/token';
import type { Edit } from './edits';

/**
 * What an edit does to what is said: `denial` and `opposite` turn it round, as may a word that is `exchanged for a denial`, `opposed` does so only for one and the same time, `number`,
 * `quantifier` and `name` put one value in the place of another, `addition` says more on one side, and `other` cannot be told.
 */
export type EditKind =
  'denial' | 'exchanged for a denial' | 'opposite' | 'opposed' | 'number' | 'quantifier' | 'name' | 'addition' | 'other';

/** So many words on a side may stand around a quantifier or an opposite. */
const SHORT = 3;

/** How many of something it is said of. */
const MANY = new Set('many several numerous various multiple most all every both each lots plenty majority'.split(' '));
const ONE = new Set('one single sole only'.split(' '));
const NONE = new Set('no none zero nobody neither'.split(' '));
const FEW = new Set('few little hardly minority'.split(' '));
const SOME = new Set('some few minority certain'.split(' '));
const COMPARATORS = new Set(
  'about around approximately roughly nearly almost exactly precisely over under more less than back at least most only just some early late mid mere'.split(
    ' ',
  ),
);
const MONTHS = new Set('january february march april may june july august september october november december'.split(' '));
/** One more such word, and the statement holds of less, of something else or not yet. */
export const NARROWING = new Set(
  `than only just solely exclusively merely off outside beyond far away near almost nearly partly partially half former formerly future planned proposed
would could may might should must will allegedly supposedly reportedly considered potential potentially attempted attempt try tried tries plan plans
planning want wanted intend intended until unless if nominally honorary acting deputy assistant vice anti pseudo ex second third need needs needed left`.split(
    /\s+/,
  ),
);

export function kindOf(edit: Edit): EditKind {
  const { left, right } = edit;
  const [mine, yours] = [affirmingIn(left), affirmingIn(right)];
  const denials = left.length - mine + right.length - yours;
  if (isShort(edit) && quantifiersConflict(left, right)) return 'quantifier';
  const opposites = oppositesIn(edit);
  if (opposites.length > 0) {
    if (!isShort(edit) || opposites.length > 1 || Math.min(weightOf(left), weightOf(right)) > 1) return 'other';
    return opposites.some(([one, other]) => excludeEachOther(one, other)) ? 'opposite' : 'opposed';
  }
  if (denials > 0 && onlyEndsOtherwise(edit)) return 'addition';
  if (denials % 2 !== 0) return denialKindOf(edit, mine, yours);
  if (denials > 0) return 'other';
  if (left.length === 0 || right.length === 0) return changesSense(edit) ? 'other' : 'addition';
  return valueKindOf(edit);
}

/** How many of the words say more than how or when. */
const weightOf = (tokens: readonly Token[]): number => tokens.filter(({ word }) => !word.isStopWord && !word.verb.isAdverb).length;

function denialKindOf(edit: Edit, mine: number, yours: number): EditKind {
  if (mine === 0 || yours === 0) return 'denial';
  return isShort(edit) && (mine === edit.left.length || yours === edit.right.length) ? 'exchanged for a denial' : 'other';
}

/** How many of the words affirm. Counted by hand: edits are asked for their kinds tens of thousands of times. */
function affirmingIn(tokens: readonly Token[]): number {
  let count = 0;
  for (const token of tokens) if (isAffirming(token)) count += 1;
  return count;
}

function valueKindOf({ left, right }: Edit): EditKind {
  const all = [...left, ...right];
  if (left.some(isNumber) && right.some(isNumber))
    return all.every((token) => isNumber(token) || isAroundNumber(token)) ? 'number' : 'other';
  return all.every(({ isCapitalised }) => isCapitalised) ? 'name' : 'other';
}

function oppositesIn({ left, right }: Edit): [string, string][] {
  const opposites: [string, string][] = [];
  for (const { word: mine } of left)
    for (const { word: yours } of right) if (areOpposite(mine.stem, yours.stem)) opposites.push([mine.stem, yours.stem]);
  return opposites;
}

/** It has a verb of its own within what is shared, or limits what holds. */
function changesSense({ left, right, isWithin, addsHead }: Edit): boolean {
  const all = [...left, ...right];
  return (
    addsHead ||
    all.some(({ word, isCapitalised }) => !isCapitalised && NARROWING.has(word.text)) ||
    (isWithin && all.some((token) => isVerb(token) && !SUPPORTING.has(token.word.text)))
  );
}

/** Verbs that only carry the noun that says what happens: "a fine was imposed", "received a sentence". */
const SUPPORTING = new Set(
  'imposed received became appointed made given conducted carried reported came accounted undertook took'.split(' '),
);
const isVerb = ({ word, isCapitalised }: Token): boolean => !isCapitalised && (word.verb.isPastForm || word.verb.isFinite);
const isNumber = ({ word }: Token): boolean => word.isAmount;
const isAroundNumber = ({ word }: Token): boolean => COMPARATORS.has(word.text) || MONTHS.has(word.text);
const isShort = ({ left, right }: Edit): boolean => left.length <= SHORT && right.length <= SHORT;
/** "No. 3" denies nothing, and neither does a name. */
export const isAffirming = ({ word, after, isCapitalised }: Token): boolean => {
  if (word.isNegation && (after & STOP) !== 0 && word.text === 'no') return true;
  return !(word.isNegated || word.isNegation || word.isNegationBeforeTo || (!isCapitalised && isDenying(word.stem)));
};

/** What is added before or after all that both say denies it by a negation alone: "one block north of" does not block it. */
function onlyEndsOtherwise({ left, right, isWithin }: Edit): boolean {
  if (isWithin || Math.min(left.length, right.length) > 0) return false;
  return ![...left, ...right].some(({ word }) => word.isNegated || word.isNegation || word.isNegationBeforeTo);
}

function quantifiersConflict(left: readonly Token[], right: readonly Token[]): boolean {
  const has = (tokens: readonly Token[], words: ReadonlySet<string>): boolean => tokens.some(({ word }) => words.has(word.text));
  const conflict = (one: readonly Token[], other: readonly Token[]): boolean =>
    (has(one, MANY) && (has(other, ONE) || has(other, NONE) || has(other, FEW))) ||
    (has(one, NONE) && (has(other, ONE) || has(other, SOME)));
  return conflict(left, right) || conflict(right, left);
}

/** Stems of what people, teams and publishers do again and again. */
export const REPEATED = new Set(
  'win appear play perform release publish host score visit tour star record compete nominate award elect race hold celebrate'
    .split(' ')
    .map(stemOrStopWord),
);
