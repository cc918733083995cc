import { textAt, type Token } from './token';

/** Periods, each with the name used for comparison. */
const PERIODS: ReadonlyMap<string, string> = new Map(
  'minute hour day night week fortnight month quarter season year'.split(' ').map((period) => [period, period] as const),
).set('annum', 'year');
/** A price or an amount for each period: “monthly price”. */
const FOR_EACH: ReadonlyMap<string, string> = new Map([
  ['hourly', 'hour'],
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
  ['quarterly', 'quarter'],
  ['yearly', 'year'],
  ['annual', 'year'],
  ['annually', 'year'],
]);
/** Words for a part of a period: “early in 1953”, “the end of March”. */
export const PARTS_OF_TIME: ReadonlySet<string> = new Set('early late mid end start beginning'.split(' '));

/** Before a period these tell how often: "a week", "every day". */
export const BEFORE_PERIODS: ReadonlySet<string> = new Set('a an per each every'.split(' '));
/** After these it is a duration, not a frequency: "in a year". */
const DURING = new Set('in within of for after over during once'.split(' '));

/** Whether a frequency stands here, after "a" or "per". English. */
export const isPeriodAt = (tokens: readonly Token[], at: number): boolean =>
  PERIODS.has(textAt(tokens, at)) && BEFORE_PERIODS.has(textAt(tokens, at - 1)) && !DURING.has(textAt(tokens, at - 2));

/** The period that something is for each of: “month” in “price per month” and “monthly price”; null if none is named. */
export function periodIn(tokens: readonly Token[]): string | null {
  for (const [at, { word }] of tokens.entries()) {
    const period = isPeriodAt(tokens, at) ? PERIODS.get(word.text) : FOR_EACH.get(word.text);
    if (period !== undefined) return period;
  }
  return null;
}

/** The frequency after an amount: "week" for "36 shillings a week", "day" for "400 tonnes of wire per day"; null if there is none. */
export function periodBehind(tokens: readonly Token[], end: number): string | null {
  for (let at = end; at <= end + MAX_BETWEEN; at += 1) {
    const token = tokens[at];
    if (!token || token.word.isAmount || ENDING.has(token.word.text)) return null;
    if (at > end && isPeriodAt(tokens, at)) return PERIODS.get(token.word.text) ?? null;
  }
  return null;
}
const MAX_BETWEEN = 3;
/** A period after these belongs to something else. */
const ENDING = new Set('and or but with by'.split(' '));
