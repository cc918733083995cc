import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { countOf, isAmong } from '../alignment/same-word';
import { sharedFigures, type FiguresAndDays } from './shared-figures';

/** What a claim has of the words of the question. */
export interface QuestionWords {
  /** Its content words without names that are not in the question. */
  words: readonly Token[];
  /** How many different ones. */
  count: number;
  /** Those of the question. */
  asked: readonly Token[];
}

interface Features {
  questionWords: QuestionWords;
  figuresAndDays: FiguresAndDays;
}

/** Least number of the question's words that both claims have. */
const MIN_ASKED = 2;
/** The least share of either claim, without its names, that these words make up. */
const SHARE = 1 / 2;

/**
 * Whether two claims answer the question in hardly any words but its own: "Jupiter has 95 moons" and "Jupiter has 97 moons". Their words do not
 * distinguish them from other claims, but what they give is what was asked. With a figure in common, one of them may say more.
 */
export function repeatQuestion(
  { questionWords: one, figuresAndDays: mine }: Features,
  { questionWords: other, figuresAndDays: theirs }: Features,
): boolean {
  // True of most pairs, and this is asked of all pairs of a job.
  if (one.asked.length < MIN_ASKED || other.asked.length < MIN_ASKED) return false;
  const shared = Math.min(countAmong(one.asked, other.words), countAmong(other.asked, one.words));
  if (shared < MIN_ASKED) return false;
  const [fewer, more] = [Math.min(one.count, other.count), Math.max(one.count, other.count)];
  return shared >= SHARE * more || (shared >= SHARE * fewer && sharedFigures(mine, theirs) > 0);
}

const countAmong = (some: readonly Token[], all: readonly Token[]): number => countOf(some.filter((token) => isAmong(token, all)));

export function questionWordsOf({ tokens }: Reading, { stems }: Reading): QuestionWords {
  const words = tokens.filter((token) => isContentWord(token) && (!token.isCapitalised || stems.has(token.word.stem)));
  return { words, count: countOf(words), asked: words.filter(({ word }) => stems.has(word.stem)) };
}
