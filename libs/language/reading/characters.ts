import { UNSPACED_LETTERS } from '../tokens';

/**
 * The kind of a character: part of a word, or a character between words. Each is a bit, so that the kind of a gap combines those of its characters.
 */
export const SPACE = 1;
export const STOP = 1 << 1;
export const COMMA = 1 << 2;
export const COLON = 1 << 3;
export const SEMICOLON = 1 << 4;
export const DASH = 1 << 5;
export const OPENING = 1 << 6;
export const CLOSING = 1 << 7;
/** Square brackets, around an inserted subject or a citation mark. */
export const BRACKET = 1 << 8;
export const PERCENT = 1 << 9;
export const DEGREE = 1 << 10;
export const EURO = 1 << 11;
export const POUND = 1 << 12;
export const YEN = 1 << 13;
/** Currency signs that are not letters of a word. */
export const CURRENCY = EURO | POUND | YEN;
export const ABOUT = 1 << 14;
export const PLUS = 1 << 15;
export const SLASH = 1 << 16;
export const APOSTROPHE = 1 << 17;
export const QUOTE = 1 << 18;
export const OTHER = 1 << 19;

export const LETTER = 1 << 20;
export const DIGIT = 1 << 21;
/** A combining mark, which belongs to the letter before it. */
const MARK = 1 << 22;
/** A character of a script written without spaces between words. */
export const UNSPACED = 1 << 23;
export const ASTRAL = 1 << 24;
/** A dash right before a number or a currency sign, after a space: "-2 °C". */
export const MINUS = 1 << 25;

/** Part of a word. */
export const WORD = LETTER | DIGIT | MARK;

const SIGNS: readonly [string, number][] = [
  ['.', STOP],
  [',', COMMA],
  [':', COLON],
  [';', SEMICOLON],
  ['-–—‑−', DASH],
  ['({', OPENING],
  [')}', CLOSING],
  ['“”«»"', QUOTE],
  ['[]', BRACKET],
  ['%', PERCENT],
  ['°', DEGREE],
  ['€', EURO],
  ['£', POUND],
  ['¥', YEN],
  ['~≈', ABOUT],
  ['+', PLUS],
  ['/', SLASH],
  ["'’", APOSTROPHE],
];

const LETTERS = /[\p{L}_$]/u;

/** For each UTF-16 unit; zero if not computed yet. */
const kinds = new Int32Array(0x10000);

/** The kind of the character at a place of the text. */
export function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = kinds[unit] ?? 0;
  return known !== 0 ? known : unknownKind(text, at, unit);
}

function unknownKind(text: string, at: number, unit: number): number {
  if (unit < 0xd800 || unit > 0xdfff) return (kinds[unit] = kindOf(String.fromCharCode(unit)));
  const point = text.codePointAt(at) ?? 0;
  return point > 0xffff ? kindOf(String.fromCodePoint(point)) | ASTRAL : OTHER;
}

function kindOf(character: string): number {
  if (/\s/.test(character)) return SPACE;
  const sign = SIGNS.find(([characters]) => characters.includes(character));
  if (sign) return sign[1];
  if (/\p{N}/u.test(character)) return DIGIT;
  if (/\p{M}/u.test(character)) return MARK;
  if (!LETTERS.test(character)) return OTHER;
  return UNSPACED_LETTERS.test(character) ? LETTER | UNSPACED : LETTER;
}
