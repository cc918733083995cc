import type { Claim } from '../claims/claim-table';
import { ANSWERING, SUMMING } from '../sentences/answering';
import type { Heading } from '../subject/heading';
import type { Likeness } from '../same-point/likeness';

/** Claims that belong together, and what stands above them in one of the reports. */
export interface Part {
  title: string;
  claims: Claim[];
}

/** What stands above more of a report's claims is its title, and sorts nothing. */
const MAX_SHARE_OF_REPORT = 0.6;
/** Nor does what may stand above anything. */
const ABOVE_ANYTHING =
  /^\W*(?:(?:the )?(?:key|other|main|additional) \p{L}+|(?:further|more) (?:reading|points|details)|background|(?:final |my )?(?:assessment|thoughts|remarks)|analysis|details|findings|results|discussion)\W*$/iu;
/** How alike on average the meanings of two sections' claims are from which they speak of one thing; and from which they do where their headings share a word. */
const ONE_THING = 0.3;
const ONE_THING_OF_A_WORD = 0.15;
/** How alike a claim that stands under no heading is to the claims of a section that it belongs to. */
const BELONGS = 0.25;
/** So many of a section's claims are looked at for that, those most like it. */
const NEAREST = 2;

/** Signs and pictures before the words of a heading. */
const NOT_AT_BEGINNING = /^[^\p{L}\p{N}]+/u;

/** Claims that stand below one heading in some reports; by their position. */
interface Section {
  titles: Map<string, number>;
  told: ReadonlySet<string>;
  /** The heading names something, of which a claim below another need not speak. */
  isNaming: boolean;
  positions: number[];
}

/**
 * Sorts claims as the reports themselves do, by their outermost headings that tell something. Sections of several reports are one where the one heading
 * has all words of the other ("Reliability", "Reliability and recalls"), or their claims are alike. A claim below no heading joins the section whose claims
 * are most like it. A section of one claim is none.
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

/** Whether a heading tells what is below it, and has not nearly all of its report below it. */
const sorts = ({ key, text, told }: Heading, ofReport: readonly Claim[]): boolean =>
  told.size > 0 &&
  !ANSWERING.test(text) &&
  !SUMMING.test(text) &&
  !ABOVE_ANYTHING.test(text) &&
  ofReport.filter((claim) => levelsAbove(claim).some((level) => level.key === key)).length <= MAX_SHARE_OF_REPORT * ofReport.length;

/** Joins those that speak of one thing, the earlier takes in the later. */
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

/** Gives each claim that stands below no heading to the section that it is most like. */
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
