import type { Claim } from '../claims/claim-table';
import type { AnsweredParts } from './answered-parts';

/** A line that fits a part of the question at least this well answers it. */
const ANSWERS = 0.9;
/** How well the first line and the second must fit a part at least: a single line often gives only a detail. */
const MIN_FITS = [0.45, 0.7];

/** The lines of an answer: each provider's verdict, and the other chosen lines, best first. */
interface Lines {
  verdicts: readonly Claim[];
  beside: readonly Claim[];
}

/**
 * Ensures that each part of a question has lines: the best claim for it replaces the last line that no part needs.
 * @param most how many lines there are at most besides the verdicts
 * @param standingOf what a claim is worth regardless of the question
 * @returns the verdicts, followed by the others in the order of the parts that they fit best
 */
export function withEachPart(
  { verdicts, beside }: Lines,
  claims: readonly Claim[],
  most: number,
  { count, fitOf }: AnsweredParts,
  standingOf: (claim: Claim) => number,
): readonly Claim[] {
  const parts = Array.from({ length: count }, (_, part) => part);
  const lines = [...beside];
  const sought = new Set<Claim>();
  const answering = (part: number): Claim[] => [...verdicts, ...lines].filter((line) => fitOf(line, part) >= ANSWERS);
  for (const [found, minFit] of MIN_FITS.entries())
    for (const part of parts.filter((one) => answering(one).length <= found)) {
      const fitting = claims.filter((claim) => fitOf(claim, part) >= minFit && !verdicts.includes(claim) && !lines.includes(claim));
      const best = bestOf(fitting, (claim) => standingOf(claim) * fitOf(claim, part));
      const isNeeded = (line: Claim): boolean => parts.some((one) => answering(one).length <= found + 1 && answering(one).includes(line));
      const spare = lines.length < most ? lines.length : lines.findLastIndex((line) => !sought.has(line) && !isNeeded(line));
      if (!best || spare < 0) continue;
      lines.splice(spare, 1, best);
      sought.add(best);
    }
  const partOf = (claim: Claim): number => bestOf(parts, (part) => fitOf(claim, part)) ?? 0;
  return [...verdicts, ...lines.sort((one, other) => partOf(one) - partOf(other))];
}

/** The first of the items with the highest value. */
function bestOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  const values = items.map(valueOf);
  return items[values.indexOf(Math.max(...values))];
}
