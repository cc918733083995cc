import { DASH, SPACE } from './characters';
import { APPROXIMATING } from './comparators';
import { isCounting } from './numeral';
import { isFiniteOrPast, textAt, type Token } from './token';

/** A share in words, in percent: "four in ten", "one adult in five", "14 of every 100", "two thirds", "a quarter of", "half of". */
export interface Share {
  percent: number;
  /** Half of what may have been rounded away. */
  rounding: number;
  /** The index after its last word. */
  to: number;
}

export const PARTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    thirds: 3,
    quarters: 4,
    fifths: 5,
    sixths: 6,
    sevenths: 7,
    eighths: 8,
    ninths: 9,
    tenths: 10,
    third: 3,
    quarter: 4,
    fifth: 5,
    tenth: 10,
  }),
);
/** Denominators of shares: "4 in 10" and "one in seven" are shares, but "five in eleven" is a count. */
const WHOLES = new Set([3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 50, 100, 1_000, 10_000]);
const MAX_ROUNDED = 2.5;

/** Words that may begin a share although they are not numbers elsewhere. */
export const MAY_BEGIN_SHARE = new Set(['one', 'a', 'half']);
/** With these, "half" is not a share: "the second half of the season". */
const SAYS_WHICH_HALF = new Set('first second latter other last early late the'.split(' '));

/** Null if no share begins here. */
export function shareAt(tokens: readonly Token[], at: number): Share | null {
  if (tokens[at]?.word.text === 'half')
    return isOfWhole(tokens, at + 1) && !SAYS_WHICH_HALF.has(textAt(tokens, at - 1)) ? shareOf(1, 2, at + 1) : null;
  const count = countAt(tokens, at);
  if (count === null || count < 1) return null;
  const next = tokens[at + 1];
  if (!next || (next.before !== SPACE && next.before !== DASH)) return null;
  const parts = PARTS.get(next.word.text);
  if (parts !== undefined)
    return (isOfWhole(tokens, at + 2) || isAlone(tokens, at)) && count < parts ? shareOf(count, parts, at + 2) : null;
  const isNamed = count === 1 && wholeBehind(tokens, at + 1) < 0;
  const place = wholeBehind(tokens, isNamed ? at + 2 : at + 1);
  const whole = place < 0 ? null : countAt(tokens, place);
  if (whole === null || !WHOLES.has(whole) || count >= whole || tokens[place + 1]?.word.unit) return null;
  if (isNamed && mayBeOf(tokens[place + 1])) return null;
  return shareOf(count, whole, place + 1);
}

/** Whether a noun may stand between: "one adult in five", but "one teacher in ten schools" is not a share. */
const mayBeOf = (next: Token | undefined): boolean => next?.before === SPACE && !next.word.isStopWord && !isFiniteOrPast(next);

const shareOf = (count: number, whole: number, to: number): Share => ({
  percent: (100 * count) / whole,
  rounding: Math.min(MAX_ROUNDED, 100 / (4 * whole)),
  to,
});

/** The numerator: a bare number, "one", or "a" in "a third of". */
function countAt(tokens: readonly Token[], at: number): number | null {
  const word = tokens[at]?.word;
  if (word?.text === 'one' || (word?.text === 'a' && PARTS.has(textAt(tokens, at + 1)))) return 1;
  const numeral = word?.numeral;
  return numeral && isCounting(numeral) && numeral.suffix === '' && !numeral.hasDollar && Number.isInteger(numeral.value)
    ? numeral.value
    : null;
}

/** The index of the whole after "in", "out of", "of every" or "of each"; -1 otherwise. */
function wholeBehind(tokens: readonly Token[], at: number): number {
  const [first, second] = [tokens[at]?.word.text, tokens[at + 1]?.word.text];
  if (first === 'in') return second === 'every' ? at + 2 : at + 1;
  if (first === 'out' && second === 'of') return tokens[at + 2]?.word.text === 'every' ? at + 3 : at + 2;
  return first === 'of' && (second === 'every' || second === 'each') ? at + 2 : -1;
}

/** Whether a whole follows: "two thirds of the votes", but not "two quarters in a row" or "a third of a second". */
const isOfWhole = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.word.text === 'of' && !(ARTICLE.test(textAt(tokens, at + 1)) && tokens[at + 2]?.word.unit);
const ARTICLE = /^an?$/;

/** Whether a share stands before a verb or at an end, after a word such as "only": "about a fifth regained it", but not "about a third time". */
function isAlone(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 2];
  const isEnd = !next || next.word.isStopWord || isFiniteOrPast(next) || (next.before & ~SPACE) !== 0;
  return isEnd && BEFORE_SHARE.has(textAt(tokens, at - 1));
}
const BEFORE_SHARE = APPROXIMATING.union(new Set('only just over under'.split(' ')));
