import { BEFORE_PERIODS } from '@lib/language/reading/periods';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import { isOfTime } from '@lib/language/reading/units';
import { countSharedContentWords } from '../alignment/same-word';

/** Least number of words that both must share, for the frequencies to be of one thing. */
const MIN_SHARED = 2;
/** In seconds; a calendar month on average. */
const MONTH = 30.44 * 86_400;
/** Frequencies closer than this are alike: four weeks and a month. */
const ALIKE = 0.1;
const TIMES: ReadonlyMap<string, number> = new Map([
  ['once', 1],
  ['twice', 2],
  ['thrice', 3],
]);

/** Whether two sentences say that one thing is done more or less often: "every six months" and "once a year". */
export function tellOtherFrequencies(one: Reading, other: Reading, asked: Reading): boolean {
  const mine = intervalIn(one.tokens);
  const theirs = mine === null ? null : intervalIn(other.tokens);
  if (mine === null || theirs === null || Math.abs(mine - theirs) <= ALIKE * Math.max(mine, theirs)) return false;
  return countSharedContentWords(one, other, asked) >= MIN_SHARED;
}

/** The single interval at which something happens, in seconds; null if there is none, or several. */
function intervalIn(tokens: readonly Token[]): number | null {
  const found = tokens.flatMap((_, at) => intervalAt(tokens, at) ?? []);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** "Every six hours", "every other week", "once a day", "three times every year". */
function intervalAt(tokens: readonly Token[], at: number): number | null {
  const [text, next] = [textAt(tokens, at), tokens[at + 1]?.word];
  const times = BEFORE_PERIODS.has(text) ? timesBefore(tokens, at) : null;
  if (times !== null) return scaled(lengthOf(tokens[at + 1]), 1 / times);
  if (text !== 'every') return null;
  const count = next?.text === 'other' ? 2 : (next?.numeral?.value ?? null);
  return scaled(lengthOf(tokens[count === null ? at + 1 : at + 2]), count ?? 1);
}

/** How often, as said right before an index: "once", "three times". */
function timesBefore(tokens: readonly Token[], at: number): number | null {
  const [number, before] = [tokens[at - 2]?.word, tokens[at - 1]?.word];
  if (before?.text === 'times') return number?.numeral?.value || null;
  return TIMES.get(before?.text ?? '') ?? null;
}

function lengthOf(token: Token | undefined): number | null {
  const unit = token?.word.unit;
  if (!unit || !isOfTime(unit.dimension)) return null;
  return unit.dimension === 'calendar' ? unit.factor * MONTH : unit.factor;
}

const scaled = (length: number | null, by: number): number | null => (length === null ? null : length * by);
