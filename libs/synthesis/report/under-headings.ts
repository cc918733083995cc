import type { Claim } from '../claims/claim-table';
import { ANSWERING, SUMMING } from '../sentences/answering';
import type { Heading } from '../subject/heading';
import type { Likeness } from '../same-point/likeness';

/** Claims that belong together, with a heading that one of the reports puts above them. */
export interface Part {
  title: string;
  claims: Claim[];
}

/** A heading above more than this share of a report's claims is its title, and sorts nothing. */
const MAX_SHARE_OF_REPORT = 0.6;
/** Headings that could stand above anything; these sort nothing either. */
const ABOVE_ANYTHING =
  /^\W*(?:(?:the )?(?:key|other|main|additional) \p{L}+|(?:further|more) (?:reading|points|details)|background|(?:final |my )?(?:assessment|thoughts|remarks)|analysis|details|findings|results|discussion)\W*$/iu;
/** Mean similarity in meaning from which two sections' claims are about one thing, and the lower one if their headings share a word. */
const ONE_THING = 0.3;
const ONE_THING_OF_A_WORD = 0.15;
/** Similarity from which a claim without a heading belongs to a section. */
const BELONGS = 0.25;
/** How many of a section's claims are considered for that, the most similar ones. */
const NEAREST = 2;

/** Symbols and emoji before the words of a heading. */
const NOT_AT_BEGINNING = /^[^\p{L}\p{N}]+/u;

/** Claims under the same heading in some reports, given by their positions. */
interface Section {
  titles: Map<string, number>;
  told: ReadonlySet<string>;
  /** The heading names something that claims under other headings need not be about. */
  isNaming: boolean;
  positions: number[];
}

/**
 * Sorts claims as the reports do, by their outermost meaningful headings. Sections of several reports are merged if one heading has all words of the
 * other ("Reliability", "Reliability and recalls"), or if their claims are similar. A claim without a heading joins the section with the most similar
 * claims. A section with a single claim is dropped.
 */
export function underHeadings(likeness: Likeness): Part[] {
  const sections = joined(sectionsIn(likeness.claims), likeness);
  takeIn(sections, likeness);
  return sections.map(({ titles, positions }) => ({
    title: [...titles].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '',
    claims: positions.sort((a, b) => a - b).flatMap((position) => likeness.claims[position] ?? []),
  }));
}

function sectionsIn(claims: readonly Claim[]): Section[] {
  const byReport = Map.groupBy(claims, ({ supporting }) => supporting[0]?.stepId);
  const sections = new Map<string, Section>();
  for (const [position, claim] of claims.entries()) {
    const own = byReport.get(claim.supporting[0]?.stepId) ?? [];
    const heading = levelsAbove(claim).find((level) => sorts(level, own));
    if (!heading) continue;
    const { key, told, isNaming } = heading;
    const title = heading.text.replace(NOT_AT_BEGINNING, '');
    const section = sections.get(key) ?? { titles: new Map<string, number>(), told, isNaming, positions: [] };
    sections.set(key, section);
    section.positions.push(position);
    section.titles.set(title, (section.titles.get(title) ?? 0) + 1);
  }
  return [...sections.values()];
}

const levelsAbove = ({ supporting }: Claim): readonly Heading[] => supporting[0]?.headings?.levels ?? [];

/** Whether a heading describes its content and does not cover nearly all of its report. */
const sorts = ({ key, text, told }: Heading, ofReport: readonly Claim[]): boolean =>
  told.size > 0 &&
  !ANSWERING.test(text) &&
  !SUMMING.test(text) &&
  !ABOVE_ANYTHING.test(text) &&
  ofReport.filter((claim) => levelsAbove(claim).some((level) => level.key === key)).length <= MAX_SHARE_OF_REPORT * ofReport.length;

/** Merges sections about the same thing into the earlier one. */
function joined(sections: readonly Section[], likeness: Likeness): Section[] {
  const kept: Section[] = [];
  for (const section of sections) {
    const like = kept.find((other) => areOne(other, section, likeness));
    if (!like) {
      kept.push(section);
      continue;
    }
    like.positions.push(...section.positions);
    for (const [title, count] of section.titles) like.titles.set(title, (like.titles.get(title) ?? 0) + count);
  }
  return kept;
}

function areOne(one: Section, other: Section, { cosineOfMeanings }: Likeness): boolean {
  if (one.told.isSubsetOf(other.told) || other.told.isSubsetOf(one.told)) return true;
  if (one.isNaming || other.isNaming) return false;
  let sum = 0;
  for (const left of one.positions) for (const right of other.positions) sum += cosineOfMeanings(left, right);
  const wanted = one.told.isDisjointFrom(other.told) ? ONE_THING : ONE_THING_OF_A_WORD;
  return sum >= wanted * one.positions.length * other.positions.length;
}

/** Adds each claim without a heading to the section that it is most similar to. */
function takeIn(sections: readonly Section[], { claims, cosine, cosineOfMeanings }: Likeness): void {
  const sorted = new Set(sections.flatMap(({ positions }) => positions));
  const strays = claims.keys().filter((position) => !sorted.has(position));
  const found = strays.toArray().map((position) => {
    const alike = sections.map(({ positions, isNaming }) =>
      (isNaming ? [] : positions)
        .map((other) => Math.max(cosine(position, other), cosineOfMeanings(position, other)))
        .sort((a, b) => b - a)
        .slice(0, NEAREST)
        .reduce((sum, value) => sum + value / NEAREST, 0),
    );
    const best = Math.max(0, ...alike);
    return { position, section: best >= BELONGS ? sections[alike.indexOf(best)] : undefined };
  });
  for (const { position, section } of found) section?.positions.push(position);
}
