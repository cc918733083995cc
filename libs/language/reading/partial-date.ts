/** A day, month or year as given in a sentence, in the words from `from` to `to`, exclusive. */
export interface PartialDate {
  year: number;
  /** 1 to 12. */
  month: number | null;
  day: number | null;
  /** An approximate date such as "c. 1703", which agrees with one a few years off. */
  isApproximate: boolean;
  /** Its length in years, starting with `year`: 10 for "the 1930s", 100 for "the 19th century". */
  years: number;
  from: number;
  to: number;
}
