import { DASH, SPACE } from './characters';
import { comparatorBefore } from './comparators';
import { NUMBERS, SCALES } from './lexicon';
import { PARTS } from './shares';
import { textAt, type Token } from './token';
import { wordWithDigits, type Word } from './word';

/** A number in words, and the number of words. */
interface Spelled {
  value: number;
  words: number;
}

const HUNDRED = 'hundred';
/** Before these, "one" is not part of the number before it: "one in ten", "one of them". */
const AFTER_ONE = new Set(['in', 'of', 'out']);

/**
 * Merges each number of several words ("forty-four", "two thousand two hundred and fifty", "three and a half million") into one token, and makes a
 * number of an article that means one unit ("under an hour", "half a million").
 */
export function withNumbersJoined(tokens: Token[]): Token[] {
  let joined: Token[] | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    if (!first) continue;
    const spelled = mayBegin(first.word) ? numberAt(tokens, at, first.word) : null;
    const last = tokens[at + (spelled?.words ?? 0) - 1];
    if (!spelled || !last) {
      joined?.push(first);
      continue;
    }
    joined ??= tokens.slice(0, at);
    const text = tokens
      .slice(at, at + spelled.words)
      .map(({ word }) => word.text)
      .join(' ');
    joined.push({ ...first, word: wordFor(spelled.value, text), end: last.end, after: last.after });
    at += spelled.words - 1;
  }
  return joined ?? tokens;
}

const mayBegin = ({ text, numeral, hasDigit }: Word): boolean => (numeral !== null && !hasDigit) || BEGINNING.has(text);
const BEGINNING = new Set(['one', HUNDRED, 'a', 'an', 'half']);

function numberAt(tokens: readonly Token[], at: number, { text }: Word): Spelled | null {
  const part = partAt(tokens, at);
  if (part || text === 'half') return part;
  return text === 'a' || text === 'an' ? singleAt(tokens, at) : spelledAt(tokens, at);
}

/** The same number in digits, but never read as a year. The text stays as written, because a source that writes it differently was not copied. */
function wordFor(value: number, text: string): Word {
  const word = wordWithDigits(String(value));
  return { ...word, text, numeral: word.numeral && { ...word.numeral, isGrouped: true } };
}

/** The number of several words that begins here; null for one such as "four" or "four million", which is read directly. */
function spelledAt(tokens: readonly Token[], at: number): Spelled | null {
  let value = 0;
  let end = at;
  let least = Infinity;
  let isJoined = false;
  while (end === at || follows(tokens, end)) {
    const isInside = end > at;
    const begin = isInside && isAnd(tokens, end) ? end + 1 : end;
    const group = groupAt(tokens, begin, isInside);
    if (!group) break;
    const next = begin + group.words;
    const scale = isScaled(tokens, next) ? (SCALES.get(textAt(tokens, next)) ?? 1) : 1;
    if (group.value * scale >= least) break;
    isJoined ||= isInside || group.words > 1 || !NUMBERS.has(textAt(tokens, at));
    value += group.value * scale;
    end = scale === 1 ? next : next + 1;
    if (scale === 1) break;
    least = scale;
  }
  if (isJoined) return { value, words: end - at };
  return tokens[at]?.word.text === 'one' ? singleAt(tokens, at) : null;
}

/** A fraction of the unit or number that follows: "a quarter of a million", "three quarters of an hour", "half a day". */
function partAt(tokens: readonly Token[], at: number): Spelled | null {
  const text = textAt(tokens, at);
  const isHalf = text === 'half';
  const parts = isHalf ? 2 : PARTS.get(textAt(tokens, at + 1));
  const count = isHalf || text === 'a' ? 1 : onesOf(text);
  const behind = isHalf ? at + 1 : at + 2;
  const article = isWord(tokens, behind, 'of') ? behind + 1 : behind;
  if (parts === undefined || count === null || (article === behind && !isHalf)) return null;
  if (!isWord(tokens, article, 'a') && !isWord(tokens, article, 'an')) return null;
  return isUnit(tokens, article + 1) || isScaled(tokens, article + 1) ? { value: count / parts, words: article + 1 - at } : null;
}

/** A single unit: "one hour", "less than a year", "a million"; null for "one day he left", "$5 a month", "a day or two" and "an hour and a half". */
function singleAt(tokens: readonly Token[], at: number): Spelled | null {
  const before = textAt(tokens, at - 1);
  if (isHalfAt(tokens, at + 2) || (isWord(tokens, at + 2, 'or') && isWord(tokens, at + 3, 'two'))) return null;
  const isOne = tokens[at]?.word.text === 'one';
  const isCounted = isUnit(tokens, at + 1) && (isOne ? at > 0 : LASTING.has(before) || comparatorBefore(tokens, at).kind !== 'none');
  return isCounted || (isScaled(tokens, at + 1) && before !== 'in') ? { value: 1, words: 1 } : null;
}

/** Words before "an hour" that make it a duration. */
const LASTING = new Set('for last lasts lasted lasting take takes took taking spend spends spent wait waits waited'.split(' '));
/** Whether a word is a unit here; not "second" in "for a second term", nor "m" in "a m". */
const isUnit = (tokens: readonly Token[], at: number): boolean => {
  const word = tokens[at]?.word;
  return follows(tokens, at) && word !== undefined && word.unit !== null && word.text.length > 2 && word.text !== 'second';
};

/** A number below a thousand: "two hundred (and) fifty", "a hundred", "forty-four", "three and a half". */
function groupAt(tokens: readonly Token[], at: number, isInside: boolean): Spelled | null {
  const found = hundredsAt(tokens, at) ?? belowHundredAt(tokens, at, isInside || isScaled(tokens, at + 1) || isHalfAt(tokens, at + 1));
  if (!found) return null;
  return isHalfAt(tokens, at + found.words) ? { value: found.value + 0.5, words: found.words + HALF.length } : found;
}

const HALF = ['and', 'a', 'half'];
const isHalfAt = (tokens: readonly Token[], at: number): boolean => HALF.every((word, place) => isWord(tokens, at + place, word));

/** Hundreds, including "fifteen hundred", but not "several hundred". */
function hundredsAt(tokens: readonly Token[], at: number): Spelled | null {
  const text = textAt(tokens, at);
  const isAlone = text === HUNDRED && tokens[at - 1]?.word.text === 'a';
  const ones = isAlone ? 1 : (onesOf(text) ?? teensOf(text));
  const words = isAlone ? 1 : 2;
  if (ones === null || (!isAlone && !isWord(tokens, at + 1, HUNDRED))) return null;
  const rest = at + words + (isAnd(tokens, at + words) ? 1 : 0);
  const below = follows(tokens, rest) ? belowHundredAt(tokens, rest, true) : null;
  return below ? { value: ones * 100 + below.value, words: rest - at + below.words } : { value: ones * 100, words };
}

/** @param mayBeOne whether "one" counts, as it does after other words of the number and before its scale */
function belowHundredAt(tokens: readonly Token[], at: number, mayBeOne: boolean): Spelled | null {
  const text = textAt(tokens, at);
  if (text === 'one') return mayBeOne && !AFTER_ONE.has(textAt(tokens, at + 1)) ? { value: 1, words: 1 } : null;
  const value = NUMBERS.get(text);
  if (value === undefined) return null;
  const ones = value >= 20 && tokens[at]?.after === DASH ? onesOf(textAt(tokens, at + 1)) : null;
  return ones === null ? { value, words: 1 } : { value: value + ones, words: 2 };
}

function onesOf(text: string): number | null {
  const value = text === 'one' ? 1 : (NUMBERS.get(text) ?? 10);
  return value < 10 ? value : null;
}

function teensOf(text: string): number | null {
  const value = NUMBERS.get(text) ?? 0;
  return value > 10 && value < 20 ? value : null;
}

const isScaled = (tokens: readonly Token[], at: number): boolean => follows(tokens, at) && SCALES.has(textAt(tokens, at));
const isAnd = (tokens: readonly Token[], at: number): boolean => isWord(tokens, at, 'and');
const isWord = (tokens: readonly Token[], at: number, text: string): boolean => follows(tokens, at) && tokens[at]?.word.text === text;

/** Whether only a space or a hyphen stands before a word. */
const follows = (tokens: readonly Token[], at: number): boolean => {
  const { before } = tokens[at] ?? { before: 0 };
  return before === SPACE || before === DASH;
};
