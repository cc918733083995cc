import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { countOf, isAmong } from '../alignment/same-word';
import type { ClaimFeatures } from './claim-features';
import { sharedFigures } from './shared-figures';

type Features = Pick<ClaimFeatures, 'reading' | 'figuresAndDays'>;

/** Least number of the question's words that both claims have. */
const MIN_ASKED = 2;
/** The least share of either claim, without its names, that these words make up. */
const SHARE = 1 / 2;

/**
 * Whether two claims answer the question in hardly any words but its own: "Jupiter has 95 moons" and "Jupiter has 97 moons". Their words do not
 * distinguish them from other claims, but what they give is what was asked. With a figure in common, one of them may say more.
 */
export function repeatQuestion(
  { reading: one, figuresAndDays: mine }: Features,
  { reading: other, figuresAndDays: theirs }: Features,
  asked: Reading,
): boolean {
  const [words, others] = [one, other].map((reading) => wordsOf(reading, asked)) as [Token[], Token[]];
  const askedIn = (some: readonly Token[], all: readonly Token[]): number =>
    countOf(some.filter((token) => asked.stems.has(token.word.stem) && isAmong(token, all)));
  const shared = Math.min(askedIn(words, others), askedIn(others, words));
  if (shared < MIN_ASKED) return false;
  const [fewer = 0, more = 0] = [countOf(words), countOf(others)].toSorted((a, b) => a - b);
  return shared >= SHARE * more || (shared >= SHARE * fewer && sharedFigures(mine, theirs) > 0);
}

/** The content words of a claim without names that are not in the question. */
const wordsOf = ({ tokens }: Reading, asked: Reading): Token[] =>
  tokens.filter((token) => isContentWord(token) && (!token.isCapitalised || asked.stems.has(token.word.stem)));
