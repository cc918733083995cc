import { DASH, SPACE } from './characters';
import { NUMBERS, SCALES } from './lexicon';
import type { Token } from './token';
import { wordWithDigits, type Word } from './word';

/** A number in several words, and how many of them it takes. */
interface Spelled {
  value: number;
  words: number;
}

const HUNDRED = 'hundred';

/** The words with one in the place of each number in several words: "forty-four", "two hundred and fifty thousand", "three and a half million". */
export function withNumbersJoined(tokens: Token[]): Token[] {
  for (let at = 0; at < tokens.length; at += 1) {
    const spelled = spelledAt(tokens, at);
    const first = tokens[at];
    const last = tokens[at + (spelled?.words ?? 0) - 1];
    if (!spelled || !first || !last) continue;
    const words = tokens.slice(at, at + spelled.words).map(({ word }) => word.text);
    const joined = { ...first, word: wordFor(spelled.value, words.join(' ')), end: last.end, after: last.after };
    tokens.splice(at, spelled.words, joined);
  }
  return tokens;
}

/** As the same number in digits, but never a year; written as it is, since who writes it otherwise did not copy it. */
function wordFor(value: number, text: string): Word {
  const word = wordWithDigits(String(value));
  return { ...word, text, numeral: word.numeral && { ...word.numeral, isGrouped: true } };
}

function spelledAt(tokens: readonly Token[], at: number): Spelled | null {
  const text = tokens[at]?.word.text ?? '';
  if (!NUMBERS.has(text) && text !== 'one' && text !== HUNDRED) return null;
  const spelled = hundredsAt(tokens, at) ?? belowHundredAt(tokens, at);
  if (!spelled) return null;
  const { value, words } = withHalf(tokens, at, spelled);
  if (words === 1 && text !== HUNDRED) return null;
  const next = at + words;
  const scale = follows(tokens, next) ? SCALES.get(tokens[next]?.word.text ?? '') : undefined;
  return scale === undefined ? { value, words } : { value: value * scale, words: words + 1 };
}

/** "two hundred (and) fifty", "a hundred"; "several hundred" is none. */
function hundredsAt(tokens: readonly Token[], at: number): Spelled | null {
  const text = tokens[at]?.word.text ?? '';
  const isAlone = text === HUNDRED && tokens[at - 1]?.word.text === 'a';
  const ones = isAlone ? 1 : onesOf(text);
  const words = isAlone ? 1 : 2;
  if (ones === null || (!isAlone && !(follows(tokens, at + 1) && tokens[at + 1]?.word.text === HUNDRED))) return null;
  const isAnd = follows(tokens, at + words) && tokens[at + words]?.word.text === 'and';
  const rest = at + words + (isAnd ? 1 : 0);
  const below = follows(tokens, rest) ? belowHundredAt(tokens, rest) : null;
  return below ? { value: ones * 100 + below.value, words: rest - at + below.words } : { value: ones * 100, words };
}

function belowHundredAt(tokens: readonly Token[], at: number): Spelled | null {
  const value = NUMBERS.get(tokens[at]?.word.text ?? '');
  if (value === undefined) return null;
  const ones = value >= 20 && tokens[at]?.after === DASH ? onesOf(tokens[at + 1]?.word.text ?? '') : null;
  return ones === null ? { value, words: 1 } : { value: value + ones, words: 2 };
}

/** "three and a half" */
function withHalf(tokens: readonly Token[], at: number, { value, words }: Spelled): Spelled {
  const isHalf = ['and', 'a', 'half'].every((word, place) => {
    const next = at + words + place;
    return follows(tokens, next) && tokens[next]?.word.text === word;
  });
  return isHalf ? { value: value + 0.5, words: words + 3 } : { value, words };
}

function onesOf(text: string): number | null {
  const value = text === 'one' ? 1 : (NUMBERS.get(text) ?? 10);
  return value < 10 ? value : null;
}

/** Nothing but space or a hyphen stands before it. */
const follows = (tokens: readonly Token[], at: number): boolean => {
  const { before } = tokens[at] ?? { before: 0 };
  return before === SPACE || before === DASH;
};
