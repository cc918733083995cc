import { NEGATIONS, NUMBERS } from '@lib/language/reading/lexicon';
import { words } from '@lib/language/tokens';

/** Words that turn the sense of a statement and are no search terms. */
const isNegation = (word: string): boolean => NEGATIONS.has(word) || word.endsWith("n't");
const isFigure = (word: string): boolean => /\p{N}/u.test(word) || NUMBERS.has(word);

/**
 * Whether two texts of almost the same words tell different things, as last year's rules and this year's do: each has a figure that the other lacks,
 * or only one of them denies something.
 */
export function tellOtherwise(one: string, other: string): boolean {
  const [left, right] = [new Set(words(one)), new Set(words(other))];
  const [onlyLeft, onlyRight] = [[...left.difference(right)], [...right.difference(left)]];
  return (onlyLeft.some(isFigure) && onlyRight.some(isFigure)) || onlyLeft.some(isNegation) !== onlyRight.some(isNegation);
}
