import { DASH, EURO, POUND, SPACE, YEN } from './characters';
import { LABELS } from './measures';
import { textAt, type Token } from './token';
import { isCurrencyCode } from './units';
import { wordWithDigits } from './word';

const FIRST = /^\$?\d{1,3}$/;
const FURTHER = /^\d{3}(?:\.\d{1,2})?$/;
const SIGN_OF_CODE: ReadonlyMap<string, number> = new Map(Object.entries({ eur: EURO, gbp: POUND, jpy: YEN }));
const DOLLARS = 'usd';

/**
 * Merges the digit groups of each number into one token, and makes a sign of a currency code: "1 234.5", "NOK 1 800", "EUR 5" for "€5". The 5 in
 * "Table 5 120 patients" is part of a name.
 */
export function withFiguresJoined(tokens: Token[]): Token[] {
  let joined: Token[] | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    if (!first) continue;
    // A quick check, because most words are neither a number nor a currency code.
    if (!first.word.hasDigit && !first.isCapitalised) {
      joined?.push(first);
      continue;
    }
    const begin = isCodeAt(tokens, at) ? at + 1 : at;
    const last = mayBegin(tokens[begin]) ? lastGroup(tokens, begin) : begin;
    if (last === at) {
      joined?.push(first);
      continue;
    }
    joined ??= tokens.slice(0, at);
    joined.push(figureOf(tokens, at, begin, last));
    at = last;
  }
  return joined ?? tokens;
}

const mayBegin = (token: Token | undefined): boolean => token !== undefined && token.word.hasDigit && token.after === SPACE;

const isCodeAt = (tokens: readonly Token[], at: number): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token?.isCapitalised || token.after !== SPACE || !next?.word.numeral || !next.word.hasDigit || next.word.numeral.hasDollar)
    return false;
  return token.word.text === DOLLARS || SIGN_OF_CODE.has(token.word.text);
};

function figureOf(tokens: readonly Token[], code: number, begin: number, last: number): Token {
  const [first, end] = [tokens[code], tokens[last]];
  if (!first || !end)
    throw new RangeError(`A figure from word ${String(code)} to ${String(last)} stands in no ${String(tokens.length)} words`);
  const name = first.word.text;
  const digits = tokens.slice(begin, last + 1).map(({ word }) => word.text);
  const word = wordWithDigits(`${begin > code && name === DOLLARS ? '$' : ''}${digits.join(',')}`);
  const before = first.before | (begin > code ? (SIGN_OF_CODE.get(name) ?? 0) : 0);
  return { word, start: first.start, end: end.end, isCapitalised: false, before, after: end.after };
}

/** Index of the last group of the number that begins here. */
function lastGroup(tokens: readonly Token[], at: number): number {
  const [before, first] = [tokens[at - 1], tokens[at]];
  if (!first || !FIRST.test(first.word.text) || (before && first.before === SPACE && isName(before))) return at;
  let last = at;
  while (tokens[last]?.after === SPACE && FURTHER.test(textAt(tokens, last + 1))) {
    last += 1;
    if (tokens[last]?.word.text.includes('.')) break;
  }
  const [end, next] = [tokens[last], tokens[last + 1]];
  // As in "2 300-bed hospitals".
  return end && next && (end.after & DASH) !== 0 && !next.word.hasDigit ? at : last;
}

const isName = ({ word, isCapitalised }: Token): boolean =>
  LABELS.has(word.text) || word.hasDigit || (isCapitalised && !word.isStopWord && !isCurrencyCode(word.text));
