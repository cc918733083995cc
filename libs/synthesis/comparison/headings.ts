import { initialsOf, isNamedIn, namesItself, unsaidAbove } from '../statement/above';
import type { Statement } from '../statement/statement';
import type { Heading, Headings } from '../subject/headings';

/**
 * Whether two statements may speak of the same, as far as the headings above them tell: "Shares fell by 9 %" below "Tesla" and below "Ford" do not.
 * What one heading names the other report has to name too, above or in the sentence; only sentences that each name what they speak of
 * may do without, unless the headings name different things.
 */
export function maySpeakOfOne(one: Statement, other: Statement): boolean {
  if (one.headings === null && other.headings === null) return true;
  const mine = notSaidBy(one, other);
  const theirs = notSaidBy(other, one);
  if (mine.length > 0 && theirs.length > 0) return false;
  if (mine.concat(theirs).some(({ isSure }) => isSure) && !(namesItself(one) && namesItself(other))) return false;
  return !isApartFrom(one, other) && !isApartFrom(other, one);
}

/** Whether headings leave no doubt that both speak of the same, so that they can contradict each other. */
export function surelySpeakOfOne(one: Statement, other: Statement): boolean {
  if (!maySpeakOfOne(one, other)) return false;
  const unsaid = [...notSaidBy(one, other), ...notSaidBy(other, one)];
  return unsaid.length === 0 || (haveNameAboveInCommon(one, other) && !unsaid.some(({ isSure }) => isSure));
}

const haveNameAboveInCommon = ({ headings: one }: Statement, { headings: other }: Statement): boolean =>
  one !== null && other !== null && one.levels.some((level) => level.names.length > 0 && isNamedAbove(level, one, other));

const NO_HEADINGS: readonly Heading[] = [];

/** "The company employs 100 people" below "Tesla" speaks of what another statement calls Tesla. */
export const callByHeading = (one: Statement, other: Statement): boolean => isCalledAbove(one, other) || isCalledAbove(other, one);

function isCalledAbove({ headings, head, reading: { tokens } }: Statement, other: Statement): boolean {
  const [article, noun] = tokens;
  if (headings === null || article?.word.text !== 'the' || !noun || noun.isCapitalised || head.size !== 1 || !head.has(noun.word.stem))
    return false;
  return other.head.size > 0 && headings.names.some(({ names }) => names.every((name) => other.head.has(name)));
}

/** The headings above one that name what neither the other statement nor a heading above it does. */
function notSaidBy(one: Statement, other: Statement): readonly Heading[] {
  const { headings } = one;
  if (headings === null || headings.names.length === 0) return NO_HEADINGS;
  return unsaidAbove(one).filter((level) => {
    if (isNamedIn(level, other.stems, headings) || isSaidBefore(level, other)) return false;
    return !other.headings || !isNamedAbove(level, headings, other.headings);
  });
}

const isNamedAbove = (level: Heading, own: Headings, { stems, levels }: Headings): boolean =>
  isNamedIn(level, stems, own) || levels.some((theirs) => isAlsoCalled(level, theirs));

/** "Semaglutide (Ozempic)" and "Ozempic", "UK" and "United Kingdom". */
const isAlsoCalled = ({ aliases, names: mine }: Heading, theirs: Heading): boolean =>
  theirs.names.length > 0 && (theirs.names.every((name) => aliases.has(name)) || (mine.length === 1 && mine[0] === initialsOf(theirs)));

/** In what the block spoke of last, where the statement names nothing else. */
function isSaidBefore({ names }: Heading, { context, reading }: Statement): boolean {
  if (context === null || reading.names.length > 0) return false;
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
