import type { Amount } from '@lib/language/reading/amount';
import type { Reading } from '@lib/language/reading/reading';
import { areEqual } from '../difference/values';

/** Whether a text has a figure only as one end of a range: 10 and "up to 10" beside "6 to 10 dB". */
export function isEndOfRange(amount: Amount, { amounts }: Reading): boolean {
  if (isRange(amount) || amounts.length === 0) return false;
  return (
    amounts.some((other) => isRange(other) && other.unit === amount.unit && (other.low === amount.low || other.high === amount.high)) &&
    !amounts.some((other) => areEqual(amount, other))
  );
}

const isRange = ({ low, high }: Amount): boolean => low < high && low !== -Infinity && high !== Infinity;
