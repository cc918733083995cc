/** A day, a month or a year as a sentence gives it: the words from `from` to `to`, exclusive. */
export interface PartialDate {
  year: number;
  /** 1 to 12. */
  month: number | null;
  day: number | null;
  /** "c. 1703": a few years more or less say the same. */
  isApproximate: boolean;
  /** How many years it takes, from `year` on: 10 for "the 1930s", 100 for "the 19th century". */
  years: number;
  from: number;
  to: number;
}
