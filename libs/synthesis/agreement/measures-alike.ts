import type { Amount } from '@lib/language/reading/amount';
import { NAMED } from '@lib/language/reading/measures';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { isCurrency, isOfTime } from '@lib/language/reading/units';
import { areAlike, placesOf } from '../alignment/same-word';

/** Whether the unit at `at` belongs to an amount that both have of the same, however its unit is written: "40 percent of users", "40 % of users". */
export const isOfSameAmount = ({ amounts, tokens }: Reading, { amounts: others, tokens: theirs }: Reading, at: number): boolean =>
  amounts.some(
    ({ from, to, unit, low, high }) =>
      at > from &&
      at < to &&
      !isOfTime(unit) &&
      others.some((other) => other.unit === unit && other.low === low && other.high === high && goOnAlike(tokens, to, theirs, other.to)),
  );

/** Whether the same word follows both amounts, or none. */
function goOnAlike(mine: readonly Token[], from: number, theirs: readonly Token[], place: number): boolean {
  const [own, other] = [mine.slice(from).find(isContentWord), theirs.slice(place).find(isContentWord)];
  return own && other ? areAlike(own, other) : own === other;
}

/** "£45,000" is not said by "£45,000 to £65,000" nor by "more than £45,000", and "few" is not "a few". */
export function measuresAlike({ amounts: mine, tokens: own }: Reading, { amounts: theirs, tokens }: Reading): boolean {
  if (saysAFew(own) !== saysAFew(tokens)) return false;
  if (own.some((token, at) => token.word.isAmount && !isEndOfRange(own, at) && isOnlyInRange(token, tokens))) return false;
  return !mine.some(({ unit, low, high }) => {
    if (isCurrency(unit) && isInOtherCurrency(unit, low, theirs)) return true;
    const others = unit.startsWith(NAMED) ? [] : theirs.filter((other) => other.unit === unit);
    const isWithin = ({ low: from, high: to }: Amount): boolean => from < to && from <= low && high <= to;
    return low === high && others.length > 0 && others.every(isWithin);
  });
}

/** "90 million euros" are not "90 million kroner, or 8 million euros". */
const isInOtherCurrency = (unit: string, value: number, others: readonly Amount[]): boolean =>
  others.some((other) => other.unit === unit) &&
  !others.some((other) => other.unit === unit && other.low <= value && value <= other.high) &&
  others.some((other) => other.unit !== unit && other.low === value);

const isOnlyInRange = (amount: Token, tokens: readonly Token[]): boolean => {
  const places = placesOf(amount, tokens);
  return places.length > 0 && places.every((at) => isEndOfRange(tokens, at));
};

/** Whether an amount is the end of a range: "45,000" in "45,000 to 65,000". */
const isEndOfRange = (tokens: readonly Token[], at: number): boolean =>
  (tokens[at + 1]?.word.text === 'to' && tokens[at + 2]?.word.isAmount === true) ||
  (tokens[at - 1]?.word.text === 'to' && tokens[at - 2]?.word.isAmount === true);

/** True for "a few" or "a little", false for "few" or "little" alone, null if neither occurs. */
function saysAFew(tokens: readonly Token[]): boolean | null {
  const at = tokens.findIndex(({ word }) => word.text === 'few' || word.text === 'little');
  return at < 0 ? null : tokens[at - 1]?.word.text === 'a';
}
