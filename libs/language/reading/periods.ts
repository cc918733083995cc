import type { Token } from './token';

const PERIODS = new Set('second minute hour day night week fortnight month quarter season year annum'.split(' '));
const EACH = new Set('a an per each every'.split(' '));

/** How often a figure comes, behind "a" or "per". English. */
export const isPeriodAt = (tokens: readonly Token[], at: number): boolean =>
  PERIODS.has(tokens[at]?.word.text ?? '') && EACH.has(tokens[at - 1]?.word.text ?? '');

/** How often what ends before a place comes: "week" of "36 shillings a week", "day" of "400 tonnes of wire per day"; null where nothing tells. */
export function periodBehind(tokens: readonly Token[], end: number): string | null {
  for (let at = end + 1; at <= end + MOST_BETWEEN; at += 1) if (isPeriodAt(tokens, at)) return tokens[at]?.word.text ?? null;
  return null;
}
const MOST_BETWEEN = 3;
