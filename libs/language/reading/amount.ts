/** A quantity, as the interval that the sentence allows. Years are not amounts. */
export interface Amount {
  /** `-Infinity` or `Infinity` if "at most" or "more than" leaves one end open. */
  low: number;
  high: number;
  /** Half a unit of its last digit, in the same unit. */
  rounding: number;
  /** How much the number may be off, at least by its rounding, in the same unit. */
  tolerance: number;
  /** The dimension of a unit of measure, the stems of what is counted, or empty for a bare number. */
  unit: string;
  /** The preposition, because "by 4 %" and "to 4 %" differ. */
  relation: string;
  /** Its words, including comparators and a unit of measure; `to` is exclusive. */
  from: number;
  to: number;
}
