import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { wordSet } from '@lib/language/sets';
import { isAmong } from '../alignment/same-word';

/** Comparatives for more of something, and for less. */
const MORE = wordSet(
  'more higher better longer later larger bigger greater faster dearer costlier heavier stronger safer warmer louder preferable superior',
);
const LESS = wordSet('less lower worse shorter earlier smaller slower cheaper fewer lighter weaker colder quieter inferior');
/** These are followed by "to" and not by "than". */
const BEFORE_TO = wordSet('preferable superior inferior');
/** Comparatives of one measure; any other is compared only with itself. */
const MEASURES: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['cost', wordSet('cheaper dearer costlier')],
  ['worth', wordSet('better worse preferable superior inferior')],
  ['time', wordSet('later earlier')],
  ['size', wordSet('larger bigger smaller')],
  ['speed', wordSet('faster slower')],
  ['weight', wordSet('heavier lighter')],
  ['length', wordSet('longer shorter')],
  ['height', wordSet('higher lower')],
];
/** With one of these, "more" and "lower" are about the cost. */
const COST = wordSet('cost costs costing price priced prices expensive');
/** Most words from a comparative to its "than". */
const MAX_TO_THAN = 8;
/** How many words behind "than" name what is held against. */
const MAX_OTHER = 3;

/** "Wood is cheaper than steel". */
export interface StatedComparison {
  measure: string;
  isMore: boolean;
  /** The content words before the comparative, and the first ones behind "than". */
  one: readonly Token[];
  other: readonly Token[];
}

/** Whether two sentences compare the same things the other way round: "Wood is cheaper than steel" and "steel costs less than wood". */
export function compareOtherwise(mine: StatedComparison | null, theirs: StatedComparison | null): boolean {
  if (!mine || !theirs || mine.measure !== theirs.measure) return false;
  const [left, right] = [apart(mine), apart(theirs)];
  const isStraight = meet(left.one, right.one) && meet(left.other, right.other);
  const isCrossed = meet(left.one, right.other) && meet(left.other, right.one);
  return isStraight !== isCrossed && isStraight === (mine.isMore !== theirs.isMore);
}

/** Null if a sentence compares nothing. */
export function comparisonIn({ tokens, polarity }: Reading): StatedComparison | null {
  const than = tokens.findIndex(({ word: { text } }, at) => text === 'than' || (text === 'to' && BEFORE_TO.has(textAt(tokens, at - 1))));
  const at = tokens.findLastIndex(({ word: { text } }, place) => place < than && than - place <= MAX_TO_THAN && compares(text));
  const comparative = tokens[at];
  if (!comparative) return null;
  const isDenied = polarity.negations.some((place) => place < than);
  return {
    measure: measureOf(tokens, at, than),
    isMore: MORE.has(comparative.word.text) !== isDenied,
    one: tokens.slice(0, at).filter(isContentWord),
    other: tokens
      .slice(than + 1)
      .filter(isContentWord)
      .slice(0, MAX_OTHER),
  };
}

const compares = (text: string): boolean => MORE.has(text) || LESS.has(text);

function measureOf(tokens: readonly Token[], at: number, than: number): string {
  const text = textAt(tokens, at);
  const isOfCost = tokens.slice(Math.max(0, at - MAX_OTHER), than).some(({ word }) => COST.has(word.text));
  if (isOfCost) return 'cost';
  const known = MEASURES.find(([, comparatives]) => comparatives.has(text))?.[0];
  if (known !== undefined) return known;
  const [before, next] = [tokens[at - 1], tokens.slice(at + 1, than).find(isContentWord)];
  // "Loses more capacity than": what there is more of, and what is done with it.
  const verb = before && isContentWord(before) && !before.isCapitalised ? before.word.stem : '';
  return text === 'more' || text === 'less' ? `${verb} ${next?.word.stem ?? ''}` : text;
}

/** The words that distinguish the two sides. */
const apart = ({ one, other }: StatedComparison): Pick<StatedComparison, 'one' | 'other'> => ({
  one: one.filter((token) => !isAmong(token, other)),
  other: other.filter((token) => !isAmong(token, one)),
});

const meet = (some: readonly Token[], others: readonly Token[]): boolean => some.some((token) => isAmong(token, others));
