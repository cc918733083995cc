import { remembering } from '../remembering';
import { isStopWord } from '../tokens';
import { isDenying } from './opposites';
import {
  isDirection,
  NEGATED,
  NEGATIONS,
  NEGATIONS_BEFORE_TO,
  NUMBERS,
  EFFECTS,
  SCALES,
  stemOrStopWord,
  type Effect,
  stemsOf,
} from './lexicon';
import { numeralOf, type Numeral } from './numeral';
import { synonymsOf } from './synonyms';
import { unitOf, type Unit } from './units';
import { verbFormOf, type VerbForm } from './verb-forms';

/** Say how something was done, and deny nothing, though "independent" and "separate" may. */
const SAYING_HOW = new Set(['independently', 'separately']);

/** The meaning of a word independent of its context. English; words of other languages only have a stem. */
export interface Word {
  /** Lower-cased, without a possessive ending. */
  text: string;
  /** Porter stem of the base form; for a stop word, the word itself. */
  stem: string;
  /** A hash of the stem: different hashes mean different stems. */
  stemHash: number;
  isStopWord: boolean;
  hasDigit: boolean;
  /** It can name something: it is not a number and, in an alphabet, has at least three letters. */
  isNaming: boolean;
  /** It belongs to an amount: it has a digit, or is the name of a number or of a scale. */
  isAmount: boolean;
  /** Its value, if it is a number. */
  numeral: Numeral | null;
  /** It contains a digit but is not a number: a version, the name of a model. */
  isIdentifier: boolean;
  /** A scale such as 1000; 1 if it is none. */
  scale: number;
  unit: Unit | null;
  isNegation: boolean;
  /** It negates the infinitive after it: "fails to close". */
  isNegationBeforeTo: boolean;
  /** It negates its own stem: "unmarried". */
  isNegated: boolean;
  /** It denies its subject or object: by a negation, an end, an exclusion or a failure. */
  isDenying: boolean;
  /** It is a word of direction, such as "increase" or "first": see `oppositeDirectionsOf` for its stem. */
  isDirection: boolean;
  effect: Effect | null;
  /** Stems of words that can replace it; null if none is known. */
  synonyms: ReadonlySet<string> | null;
  /** It adds nothing to the word beside it. */
  isLight: boolean;
  verb: VerbForm;
}

const LIGHT = stemsOf(
  'have has had be make include use become pay impose report record total number amount reach come appear state seem put bring',
);

/** Auxiliaries with "not" in one word, which say no more than "not": "doesn't" is said by "does not". */
const WITH_NOT = new Set("isn't aren't wasn't weren't doesn't don't didn't hasn't haven't hadn't".split(' '));

const NAMING = /\p{L}{3}|\p{L}\p{M}|\p{Lo}/u;

/** The properties of a lower-cased word without digits. */
export const lookUp = remembering(wordOf, 600);

/** The properties of a word with digits; not cached, since most numbers in a text occur only once. */
export function wordWithDigits(text: string): Word {
  const numeral = numeralOf(text);
  return {
    ...PLAIN,
    text,
    stem: text,
    stemHash: hashOf(text),
    isNaming: NAMING.test(text),
    synonyms: null,
    numeral,
    unit: null,
    isIdentifier: numeral === null || numeral.suffix !== '',
  };
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

const PLAIN = { ...wordOf(''), hasDigit: true, isAmount: true };

function wordOf(text: string): Word {
  const stem = text === "can't" ? 'cannot' : WITH_NOT.has(text) ? 'not' : stemOrStopWord(text);
  return {
    text,
    stem,
    stemHash: hashOf(stem),
    isStopWord: isStopWord(text),
    hasDigit: false,
    isNaming: NAMING.test(text),
    isAmount: NUMBERS.has(text) || SCALES.has(text),
    numeral: numeralOf(text),
    isIdentifier: false,
    scale: SCALES.get(text) ?? 1,
    unit: unitOf(text),
    isNegation: NEGATIONS.has(text) || text.endsWith("n't"),
    isNegationBeforeTo: NEGATIONS_BEFORE_TO.has(text),
    isNegated: NEGATED.has(text),
    isDenying: isDenying(stem) && !SAYING_HOW.has(text),
    isDirection: isDirection(stem),
    effect: EFFECTS.get(NEGATED.get(text) ?? text) ?? null,
    synonyms: synonymsOf(stem),
    isLight: LIGHT.has(stem),
    verb: verbFormOf(text),
  };
}
