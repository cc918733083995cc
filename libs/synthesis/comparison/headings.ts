import { initialsOf, isNamedIn, namesItself } from '../statement/above';
import { NONE, type Statement } from '../statement/statement';
import type { Heading, Headings } from '../subject/heading';

/**
 * Whether two statements may speak of the same, as far as the headings above them tell: "Shares fell by 9 %" below "Tesla" and below "Ford" do not.
 * What one heading names the other report has to name too, above or in the sentence; only sentences that each name what they speak of
 * may do without, unless the headings name different things.
 */
export function maySpeakOfOne(one: Statement, other: Statement): boolean {
  if (one.headings === null && other.headings === null) return true;
  const mine = notNamedBy(other, one);
  const theirs = notNamedBy(one, other);
  if (mine.length > 0 && theirs.length > 0) return false;
  if ((isUnsaid(mine, one) || isUnsaid(theirs, other)) && !(namesItself(one) && namesItself(other))) return false;
  return !(isApartFrom(one, other) && isApartFrom(other, one));
}

/** Whether headings leave no doubt that both speak of the same, so that they can contradict each other. */
export const surelySpeakOfOne = (one: Statement, other: Statement): boolean =>
  maySpeakOfOne(one, other) && !isUnsaid(notNamedBy(other, one), one) && !isUnsaid(notNamedBy(one, other), other);

/** Whether one of the headings surely names something, and the statement below it does not. */
const isUnsaid = (levels: readonly Heading[], { headings, stems }: Statement): boolean =>
  headings !== null && levels.some((level) => level.isSure && !isNamedIn(level, stems, headings));

/** What one statement names and the other one does not, but a heading above it: "Tesla" of "Tesla’s shares fell" and of "Shares fell" below "Tesla". */
export function saidAbove(one: Statement, other: Statement): ReadonlySet<string> {
  const { headings, stems } = other;
  if (headings === null || headings.names.length === 0 || namesItself(other)) return NONE;
  return new Set(headings.names.flatMap(({ names }) => names.filter((name) => one.stems.has(name) && !stems.has(name))));
}

/** "The company employs 100 people" below "Tesla" speaks of what another statement calls Tesla. */
export const callByHeading = (one: Statement, other: Statement): boolean => isCalledAbove(one, other) || isCalledAbove(other, one);

function isCalledAbove({ headings, head, reading: { tokens } }: Statement, other: Statement): boolean {
  const [article, noun] = tokens;
  if (headings === null || article?.word.text !== 'the' || !noun || noun.isCapitalised || head.size !== 1 || !head.has(noun.word.stem))
    return false;
  return other.head.size > 0 && headings.names.some(({ names }) => names.every((name) => other.head.has(name)));
}

const NO_HEADINGS: readonly Heading[] = [];

/** The headings above another statement that name what neither the one nor a heading above it does. */
function notNamedBy(one: Statement, { headings }: Statement): readonly Heading[] {
  if (headings === null || headings.names.length === 0) return NO_HEADINGS;
  return headings.names.filter((level) => {
    if (isNamedIn(level, one.stems, headings) || isSaidBefore(level, one)) return false;
    return !one.headings || !isNamedAbove(level, headings, one.headings);
  });
}

const isNamedAbove = (level: Heading, own: Headings, { stems, levels }: Headings): boolean =>
  isNamedIn(level, stems, own) || levels.some((theirs) => isAlsoCalled(level, theirs));

/** "Semaglutide (Ozempic)" and "Ozempic", "UK" and "United Kingdom". */
const isAlsoCalled = ({ aliases, names: mine }: Heading, theirs: Heading): boolean =>
  theirs.names.length > 0 && (theirs.names.every((name) => aliases.has(name)) || (mine.length === 1 && mine[0] === initialsOf(theirs)));

/** In what the block spoke of last, where neither the statement nor its headings name anything else. */
function isSaidBefore({ names }: Heading, { context, headings, reading }: Statement): boolean {
  if (context === null || reading.names.length > 0 || (headings !== null && headings.names.length > 0)) return false;
  const said = ` ${context.toLowerCase()}`;
  return names.every((name) => said.includes(` ${name}`));
}

/** What the other stands below has a place of its own in the report of this one, which stands elsewhere: "Adults" and "Children". */
function isApartFrom({ headings, stems }: Statement, other: Statement): boolean {
  if (headings === null || other.headings === null) return false;
  return elsewhere(headings, other.headings).some(({ told }) => ![...told].every((stem) => headings.stems.has(stem) || stems.has(stem)));
}

/** The headings of others that its own report has too, and that it does not stand below. */
function elsewhere(own: Headings, others: Headings): readonly Heading[] {
  const found = (own.elsewhere ??= new Map<Headings, readonly Heading[]>());
  let levels = found.get(others);
  if (!levels) {
    levels = others.levels.filter((level) => {
      const isInReport = !level.isAspect && own.ofReport.has(level.key) && !level.told.isSubsetOf(own.stems);
      return isInReport && !own.levels.some((mine) => isAlsoCalled(level, mine));
    });
    found.set(others, levels);
  }
  return levels;
}
