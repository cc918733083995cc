import { conditionIn } from '@lib/language/reading/condition';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import type { ClaimFeatures } from './claim-features';

/**
 * Whether the figures of two claims may both be right though nothing names another thing: one holds under a condition, of one year beside an average,
 * or of some things that only the sentence before it names.
 */
export const tellOtherCase = (one: Reading, other: Reading): boolean =>
  (hasFiguresUnderCondition(one) && !hasCondition(other)) ||
  (hasFiguresUnderCondition(other) && !hasCondition(one)) ||
  isOfYearBesideAverage(one, other) ||
  isOfYearBesideAverage(other, one) ||
  countsThese(one) !== countsThese(other);

/** "If rates drop to 5.5 %, prepay": all figures stand in the condition of what follows it. A definition ends in its condition. */
function hasFiguresUnderCondition({ tokens, amounts }: Reading): boolean {
  if (amounts.length === 0) return false;
  const condition = conditionIn(tokens, ({ word, isCapitalised }) => isCapitalised && CONDITIONS.has(word.text));
  if (condition === null || condition.to === tokens.length) return false;
  return amounts.every(({ from }) => from > condition.from && from < condition.to);
}
const CONDITIONS = new Set(['if', 'unless']);

const hasCondition = ({ tokens }: Reading): boolean => tokens.some(({ word }) => CONDITIONS.has(word.text) || TIMES.has(word.text));
const TIMES = new Set(['when', 'whenever', 'once']);

/** "In 2022 the index lost 18 %" and "it has returned 10 % a year". */
const isOfYearBesideAverage = (one: Reading, { tokens, dates }: Reading): boolean =>
  one.dates.some(({ year }) => year !== null) && dates.length === 0 && tokens.some(isAverage) && !one.tokens.some(isAverage);

const isAverage = ({ word }: Token, at: number, tokens: readonly Token[]): boolean =>
  AVERAGE.has(word.text) || (word.text === 'year' && PER.has(textAt(tokens, at - 1)));
const AVERAGE = new Set('annually average averaged averages historically'.split(' '));
const PER = new Set(['a', 'per', 'each', 'every']);

/** "Messi scored 22 goals in these matches": which, is told elsewhere. */
const countsThese = ({ tokens, amounts }: Reading): boolean =>
  amounts.length > 0 &&
  tokens.some(({ word }, at) => word.text === 'these' && IN.has(textAt(tokens, at - 1)) && tokens[at + 1] !== undefined);
const IN = new Set('in of for among during across'.split(' '));

/** Whether the question compares things by name, and each claim, with what stands before it, is about others of these. */
export function areOfOthersAsked(left: ClaimFeatures, right: ClaimFeatures, asked: Reading): boolean {
  // A row may tell of all of them.
  if (left.fields || right.fields || !COMPARING.test(asked.text)) return false;
  const [mine, theirs] = [askedNamesIn(left, asked), askedNamesIn(right, asked)];
  return mine.size > 0 && theirs.size > 0 && mine.isDisjointFrom(theirs);
}
const COMPARING = /\b(?:or|vs\.?|versus|than|compared?)\b/i;

/** The words of the question's names that stand in a claim. */
function askedNamesIn({ reading, supporting }: ClaimFeatures, asked: Reading): ReadonlySet<string> {
  const before = supporting[0]?.before?.toLowerCase() ?? '';
  const names = asked.names.flatMap(({ tokens }) => tokens.map(({ word }) => word.text));
  return new Set(names.filter((name) => reading.tokens.some(({ word }) => word.text === name) || before.includes(name)));
}
