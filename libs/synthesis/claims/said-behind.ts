import type { Group } from '../agreement/agreement';
import { stemsOfNames } from '@lib/language/reading/names';
import { readingOf } from '@lib/language/reading/read-text';
import { hasIdentifier } from '../subject/reference';
import { isSaidBy } from '../comparison/headings';
import { shownAbove } from '../statement/above';
import type { Statement } from '../statement/statement';

/**
 * Splits each group that `isKept` refuses: statements that can be placed stay together, each of the others becomes a group of its own, and no
 * quote appears twice. Nobody can tell whether reports speak of the same where they do not say of what.
 */
export function withUnknownApart(groups: readonly Group[], isKept: (group: Group) => boolean): Group[] {
  const apart = new Set<string>();
  return groups.flatMap((group) => {
    if (isKept(group) || !group.some(({ isUnknown }) => isUnknown)) return [group];
    const [first, ...rest] = group.filter(({ isUnknown }) => !isUnknown);
    const keyed = group.filter(({ isUnknown }) => isUnknown).map((statement) => ({ statement, key: placeOf(statement) }));
    const unknown = keyed.filter(({ key }) => !apart.has(key)).map(({ statement }) => statement);
    for (const { key } of keyed) apart.add(key);
    return [...(first ? [[first, ...rest] satisfies Group] : []), ...unknown.map((statement): Group => [statement])];
  });
}

/** The place of its quote: two statements with one place quote the same. */
export const placeOf = ({ stepId, start, end }: Statement): string => `${stepId} ${String(start)} ${String(end)}`;

/** Whether the same stands before it in each of the reports, where it cannot be told without that what it speaks of. */
export function standsAlike(
  { before, leansOn }: Statement,
  supporting: readonly Statement[],
  contradicting: readonly Statement[],
): boolean {
  const all = leansOn === null ? supporting : [...supporting, ...contradicting];
  return before !== null && all.length > 1 && all.every((other) => other.before === before);
}

/** In brackets what stands before it, if that is needed, and what the headings say of all who say it. */
export function placed(said: Statement, supporting: readonly Statement[], isBehind: boolean): string {
  const { headings } = said;
  const above = shownAbove(
    said,
    (level) => headings === null || supporting.every((other) => other === said || isSaidBy(other, level, headings)),
  );
  // What stands before the first sentence of a section is its heading.
  const before = isBehind && said.before?.replace(/:$/, '') !== above.replace(/:$/, '') ? said.before : null;
  return behind(above === '' ? before : `${above}:${before === null ? '' : ` ${before}`}`, said.text);
}

/**
 * In brackets what one of the reports speaks of, where the claim tells what happened once and of nothing that it names or that was asked about.
 * Where another report names what it speaks of in the same sentence, or spoke of something else before it, the two may not speak of all of it alike.
 */
export function inContext(claim: Statement, supporting: readonly Statement[], question: ReadonlySet<string>): string {
  if (!namesNothingAsked(claim, question) || supporting.some((other) => other !== claim && other.reading.properWords.size > 0))
    return claim.text;
  const [first] = claim.reading.tokens;
  for (const { context } of supporting) {
    if (context === null || context.toLowerCase().includes(claim.text.slice(0, -1).toLowerCase())) continue;
    const names = namesIn(context);
    if (names.size > 0 && !names.has(first?.word.stem ?? '') && supporting.every((other) => maySpeakOf(names, other)))
      return behind(context, claim.text);
  }
  return claim.text;
}

/** It spoke of the same before, or of nothing that anybody could tell. */
const maySpeakOf = (names: ReadonlySet<string>, { context, headings }: Statement): boolean =>
  context === null ? headings === null : !namesIn(context).isDisjointFrom(names);

const namesIn = (text: string): ReadonlySet<string> => new Set(stemsOfNames(readingOf(text).names));

/** "Systolic pressure was lower": a single word at the beginning may be a name or none. */
function namesNothingAsked({ reading, head, text }: Statement, question: ReadonlySet<string>): boolean {
  if (text.startsWith('[') || reading.tense !== 'past' || hasIdentifier(reading)) return false;
  if (reading.tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised)) return false;
  return head.size === 0 || [...head].some((stem) => !question.has(stem));
}

const behind = (before: string | null, text: string): string => (before === null ? text : `[${before.replace(/[[\]]/g, '')}] ${text}`);
