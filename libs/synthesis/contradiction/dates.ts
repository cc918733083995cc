/** A day, a month or a year as a sentence gives it. */
export interface PartialDate {
  year: number;
  /** 1 to 12. */
  month: number | null;
  day: number | null;
  /** "c. 1703": a few years more or less say the same. */
  isApproximate: boolean;
  /** Its place in the text, in UTF-16 units. */
  start: number;
  end: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`(1[0-9]\d\d|20\d\d)`;
const DATE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,$€£¥])(?:(?:${DAY}\s+(?:of\s+)?)?${MONTH}(?:\s+${DAY}(?!\d))?,?\s+)?${YEAR}(?![\p{L}\p{N}]|[.,:]\d|\s?%)`,
  'giu',
);

/** A number of four digits after such a word is a year whatever comes after it. */
const BEFORE_YEAR = /(?:\b(?:in|since|until|till|during|from|by|before|after|between|early|late|mid|year)|[(–—-])\s*$/i;
/** Without such a word it is one unless a word follows that it could count. */
const AFTER_YEAR =
  /^(?:\s*(?:$|[^\s\p{L}\p{N}])|\s+(?:and|in|at|as|by|to|when|where|with|after|before|for|on|of|but|or|until|while|until|due|from|the|was|is|has|had|aged)\b)/iu;
const APPROXIMATELY = /(?:\bc(?:irca|a)?\.?|\babout|\baround|~)\s*$/i;

const APPROXIMATE_YEARS = 5;

/** The dates with a year of a sentence, in order. */
export function datesOf(text: string): PartialDate[] {
  return [...text.matchAll(DATE)].flatMap((match) => {
    const [all, dayBefore, month, dayAfter, year] = match;
    const before = text.slice(Math.max(0, match.index - 12), match.index);
    const end = match.index + all.length;
    if (!month && !BEFORE_YEAR.test(before) && !AFTER_YEAR.test(text.slice(end, end + 12))) return [];
    const day = dayBefore ?? dayAfter;
    return [
      {
        year: Number(year),
        month: month ? MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1 : null,
        day: day ? Number(day) : null,
        isApproximate: APPROXIMATELY.test(before),
        start: match.index,
        end,
      },
    ];
  });
}

/** False where one date only says less than the other. */
export function datesConflict(one: PartialDate, other: PartialDate): boolean {
  if (one.isApproximate || other.isApproximate) return Math.abs(one.year - other.year) > APPROXIMATE_YEARS;
  if (one.year !== other.year) return true;
  if (one.month === null || other.month === null) return false;
  if (one.month !== other.month) return true;
  return one.day !== null && other.day !== null && one.day !== other.day;
}

/** Both sentences are about the same dates, if any. */
export function sameDates(left: readonly PartialDate[], right: readonly PartialDate[]): boolean {
  const covers = (some: readonly PartialDate[], all: readonly PartialDate[]): boolean =>
    some.every((date) => all.some((other) => !datesConflict(date, other)));
  return (left.length === 0) === (right.length === 0) && covers(left, right) && covers(right, left);
}
