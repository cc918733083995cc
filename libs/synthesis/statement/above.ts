import { SUBJECT_PRONOUNS_AND_POSSESSIVES } from '@lib/language/reading/function-words';
import { readingOf } from '@lib/language/reading/read-text';
import type { Token } from '@lib/language/reading/token';
import { namesWhich, NO_HEADINGS, type Heading, type Headings } from '../subject/heading';
import type { Statement } from './statement';

/** In content words; more are hardly a name. */
const MAX_UNSURE_WORDS = 3;
/** How many of the innermost headings are shown before a claim. */
const MAX_SHOWN = 3;

/** The headings above a statement that name something that the statement does not, outermost first. */
const unsaidAbove = ({ headings, stems }: Statement): readonly Heading[] =>
  headings === null ? NO_HEADINGS : headings.names.filter((level) => !isNamedIn(level, stems, headings));

/** Whether some stems contain all words of a heading's name, or its initials. */
export const isNamedInFull = (level: Heading, stems: Pick<ReadonlySet<string>, 'has'>): boolean =>
  level.names.every((name) => stems.has(name)) || stems.has(initialsOf(level));

/**
 * Whether a heading is named in full, or by the first or last word of its name if no other heading of the report has that word: "Lovelace" for "Ada
 * Lovelace".
 */
export function isNamedIn(level: Heading, stems: ReadonlySet<string>, { ofReport }: Headings): boolean {
  const { names, key } = level;
  if (isNamedInFull(level, stems)) return true;
  if (names.some((name) => /\d/.test(name))) return false;
  const short = [names[0], names.at(-1)].find((name) => name !== undefined && stems.has(name));
  return short !== undefined && [...ofReport.byKey.values()].every((other) => other.key === key || !other.stems.has(short));
}

/**
 * The headings that a reader needs: "Tesla – 2022" before "Revenue rose by 9 %". Empty if the statement says it all.
 * @param isOfAll whether a heading applies to all supporters of the claim
 */
export function shownAbove(statement: Statement, isOfAll: (level: Heading) => boolean = () => true): string {
  const { headings } = statement;
  return headings === null || headings.names.length + headings.items.length === 0 ? '' : shownOf(headings, statement, isOfAll);
}

function shownOf(headings: Headings, statement: Statement, isOfAll: (level: Heading) => boolean): string {
  const { stems } = statement;
  const isNameless = !namesItself(statement);
  // What begins with a pronoun is never the first sentence behind a label.
  const isFurther = statement.before !== null || statement.text.startsWith('[');
  const hasOwnDate = isFurther && statement.reading.dates.length > 0;
  const unsaid = unsaidAbove(statement).filter(
    (level) => (level.isSure || (isNameless && level.told.size <= MAX_UNSURE_WORDS)) && !(hasOwnDate && isDate(level)),
  );
  const isUnsaid = (level: Heading): boolean => !level.told.isSubsetOf(stems) && isOneOfSeveral(level, headings);
  const item = isNameless && unsaid.length === 0 ? headings.items.findLast(isUnsaid) : undefined;
  if (unsaid.length === 0 && item === undefined) return '';
  return headings.levels
    .filter((level) => (level === item || unsaid.includes(level)) && isOfAll(level))
    .slice(-MAX_SHOWN)
    .map(({ text }) => text)
    .join(' – ');
}

/** Whether a heading is only a date. Of a sentence further behind that has a date of its own it is not the date: "2018: Kelm was founded. It … in 2023". */
function isDate({ text }: Heading): boolean {
  const { dates, tokens } = readingOf(text);
  const [date] = dates;
  return date !== undefined && date.from === 0 && date.to === tokens.length;
}

/** The initials of a name: "UK" for "United Kingdom"; empty for a single word. */
export const initialsOf = ({ told }: Heading): string => (told.size < 2 ? '' : [...told].map((stem) => stem.charAt(0)).join(''));

/** Whether another heading shares a word with this one: "Basic plan" beside "Pro plan". */
const isOneOfSeveral = ({ key, told }: Heading, { ofReport }: Headings): boolean =>
  [...ofReport.byKey.values()].some((other) => other.key !== key && [...told].some((stem) => other.told.has(stem)));

/** Whether a statement's pronoun can refer to its heading, so that another report can say the same: "It was built in 1990" below "Kelm Tower". */
export const isSaidOfHeading = ({ headings, reading }: Statement): boolean =>
  headings !== null && namesWhich(headings) && beginsWithPronoun(reading.tokens);

const beginsWithPronoun = ([first]: readonly Token[]): boolean =>
  first !== undefined && SUBJECT_PRONOUNS_AND_POSSESSIVES.has(first.word.text);

/**
 * Whether a statement names its subject without the headings: it contains a name after its first word, which always has a capital. Never in a table
 * row, where all words may have capitals.
 */
export function namesItself({ text, isOfTable, reading: { names, tokens } }: Statement): boolean {
  if (isOfTable || beginsWithPronoun(tokens)) return false;
  return (names.length > 0 && text.startsWith('[')) || names.some((name) => name.tokens.length > 1 || name.tokens[0] !== tokens[0]);
}
