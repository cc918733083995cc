import { readingOf } from '@lib/language/reading/read-text';
import type { Token } from '@lib/language/reading/token';
import type { Claim } from '../claims/claim-table';
import { answersKind, isNamedIn, type AskedKind } from '../question/asked-kinds';
import type { AskedPart } from '../question/asked-parts';
import type { Headings } from '../subject/heading';

/** How well claims answer the parts of a question. */
export interface AnsweredParts {
  /** How many parts the question has. */
  count: number;
  /** From 0 to 1. */
  fitOf: (claim: Claim, part: number) => number;
}

/** Weight of the words of a part, if a kind of answer is also asked for. */
const WORDS = 0.35;
/** Weight of the words, if no kind of answer is asked for. */
const WORDS_ALONE = 0.6;
/** Weight of a kind of answer that only the claim shows, or only its headings. */
const TOLD_ITSELF = 0.7;
const TOLD_ABOVE = 0.6;
/** How many of the nearest headings of a claim tell what it is about. */
const NEAREST = 2;

/** @param relevanceOf how close a claim is to the whole question; used for a part without words of its own and without a kind of answer */
export function answeredParts(parts: readonly AskedPart[], claims: readonly Claim[], relevanceOf: (claim: Claim) => number): AnsweredParts {
  let weights: ReadonlyMap<string, number> | undefined;
  const headingsRead = new Map<Headings, StatedHeadings>();
  const found = new Map<Claim, readonly number[]>();
  const fitsOf = (claim: Claim): readonly number[] => {
    const above = claim.supporting.flatMap(({ headings }) => (headings ? read(headings, headingsRead) : []));
    const known = (weights ??= weightsOf(parts, claims));
    return parts.map((part) => fitOfPart(part, claim, above, known) ?? relevanceOf(claim));
  };
  return {
    count: parts.length,
    fitOf(claim, part) {
      const fits = found.get(claim) ?? fitsOf(claim);
      found.set(claim, fits);
      return fits[part] ?? 0;
    },
  };
}

/** The headings above claims. */
interface StatedHeadings {
  tokens: readonly Token[];
  stems: ReadonlySet<string>;
}

function read(headings: Headings, known: Map<Headings, StatedHeadings>): StatedHeadings {
  const told = known.get(headings) ?? {
    tokens: headings.levels.slice(-NEAREST).flatMap(({ text }) => readingOf(text).tokens),
    stems: headings.stems,
  };
  known.set(headings, told);
  return told;
}

/** Weight of each stem of the parts: the fewer claims have it, the higher. */
function weightsOf(parts: readonly AskedPart[], claims: readonly Claim[]): Map<string, number> {
  const stems = new Set(parts.flatMap((part) => [...part.stems]));
  return new Map(
    [...stems].map((stem) => {
      const count = claims.filter(({ reading }) => reading.stems.has(stem)).length;
      return [stem, Math.log(1 + claims.length / Math.max(1, count))];
    }),
  );
}

/** Null if only the relevance to the whole question can tell. */
function fitOfPart(part: AskedPart, claim: Claim, above: readonly StatedHeadings[], weights: ReadonlyMap<string, number>): number | null {
  const ofWords = part.stems.size === 0 ? null : shareOfWords(part, claim, above, weights);
  const { length } = part.kinds;
  if (length === 0) return ofWords === null ? null : WORDS_ALONE * ofWords;
  const ofKind = part.kinds.reduce((sum, kind) => sum + shareOfKind(kind, claim, above) / length, 0);
  return ofWords === null ? ofKind : WORDS * ofWords + (1 - WORDS) * ofKind;
}

/** The share of a part's words that the claim or its headings have. */
function shareOfWords(
  { stems }: AskedPart,
  { reading }: Claim,
  above: readonly StatedHeadings[],
  weights: ReadonlyMap<string, number>,
): number {
  let [told, all] = [0, 0];
  for (const stem of stems) {
    const weight = weights.get(stem) ?? 0;
    all += weight;
    if (reading.stems.has(stem) || above.some((headings) => headings.stems.has(stem))) told += weight;
  }
  return told / all;
}

function shareOfKind(kind: AskedKind, { reading }: Claim, above: readonly StatedHeadings[]): number {
  const isAbove = above.some(({ tokens }) => isNamedIn(kind, tokens));
  if (answersKind(kind, reading)) return isAbove ? 1 : TOLD_ITSELF;
  return isAbove ? TOLD_ABOVE : 0;
}
