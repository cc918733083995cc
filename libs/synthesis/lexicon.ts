import { remembering } from '@lib/text/remembering';
import { isStopWord, stemOf } from '@lib/text/tokens';

/** What a word of a sentence means by itself. English; words of other languages have nothing but a stem. */
export interface Word {
  /** As `words` gives it. */
  text: string;
  /** Porter stem; of a stop word the word itself. */
  stem: string;
  isStopWord: boolean;
  hasDigit: boolean;
  /** It has a digit and is no amount: a version, the name of a model. */
  isIdentifier: boolean;
  /** It belongs to an amount: it has a digit, or is the name of a number or of a scale. */
  isAmount: boolean;
  isNegation: boolean;
  /** It negates what it is to do: "fails to close". */
  isNegationBeforeTo: boolean;
  /** The form in which `antonymsOf` knows the word; null if it has no antonym. */
  direction: string | null;
}

export const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries({ thousand: 1e3, k: 1e3, million: 1e6, m: 1e6, billion: 1e9, bn: 1e9, trillion: 1e12 }),
);
export const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

const NEGATIONS = new Set('not no never none nobody nothing nowhere neither nor without cannot lack lacks lacked lacking'.split(' '));
const NEGATIONS_BEFORE_TO = new Set(['fail', 'fails', 'failed', 'unable']);

/** Pairs of words whose exchange turns a statement around; all their forms count. */
const ANTONYMS =
  antonyms(`increase decrease;rise fall;rose fell;grow shrink;grew shrank;higher lower;highest lowest;more less;more fewer;most least;above below;before after;
faster slower;larger smaller;longer shorter;older younger;better worse;best worst;stronger weaker;enable disable;allow forbid;
accept reject;include exclude;always never;synchronous asynchronous;minimum maximum;first last;
support oppose;true false;won lost;win lose;open closed;safe unsafe;possible impossible;required optional;mandatory optional;present absent;
public private;success failure;succeed fail;positive negative;benefit harm;improve worsen;gain loss;early late;earlier later;start end;hot cold`);

/** What is known of a word of `words`. */
export const lookUp = remembering((text: string): Word => {
  const stem = stemOrStopWord(text);
  const hasDigit = /\d/.test(text);
  return {
    text,
    stem,
    isStopWord: isStopWord(text),
    hasDigit,
    isIdentifier: hasDigit && !/^\$?[\d,]+(?:\.\d+)?$/.test(text),
    isAmount: hasDigit || NUMBER_WORDS.includes(text) || SCALES.has(text),
    isNegation: NEGATIONS.has(text) || text.endsWith("n't"),
    isNegationBeforeTo: NEGATIONS_BEFORE_TO.has(text),
    direction: ANTONYMS.has(stem) ? stem : null,
  };
});

/** The words that turn a statement around when they stand in the place of this one, given by its `direction`. */
export function antonymsOf(direction: string): readonly string[] {
  return ANTONYMS.get(direction) ?? [];
}

function stemOrStopWord(text: string): string {
  return isStopWord(text) ? text : stemOf(text);
}

function antonyms(pairs: string): ReadonlyMap<string, readonly string[]> {
  const opposites = new Map<string, string[]>();
  for (const pair of pairs.split(/[;\n]+/)) {
    const [left = '', right = ''] = pair.split(' ').map(stemOrStopWord);
    opposites.set(left, [...(opposites.get(left) ?? []), right]);
    opposites.set(right, [...(opposites.get(right) ?? []), left]);
  }
  return opposites;
}
