import type { Statement } from '../statement/statement';
import type { Comparison } from '../comparison/comparison';
import type { Contradiction } from '../contradiction/contradiction';
import { addsTo } from './addition';
import { partStars } from './part-stars';
import { addSupport, providerCountOf, SHARED_BEGINNING_OF_LONG, type Star } from './star';
import { isRepeatedBy } from './support';

/** Stars around parts of statements are looked for in at most this many stars. */
const MAX_SHORTENED = 500;

/** A statement together with the statements of other steps that say the same; the first represents the group. */
export type Group = readonly [Statement, ...Statement[]];

/**
 * Builds a star around every statement: the statements of other steps that say at least as much. Stars keep a chain of small changes from joining
 * statements that differ. Where statements share only a beginning, that beginning gets a group of its own. A statement that a larger star already
 * repeats gets no group. Statements that contradict each other never support each other.
 */
export function groupAgreeing(comparison: Comparison, contradictions: readonly Contradiction[]): Group[] {
  const stars = starsOf(comparison, contradictions);
  const beginnings = stars
    .filter(({ partners }) => partners.length > 0)
    .slice(0, MAX_SHORTENED)
    .flatMap((star) => partStars(comparison, star));
  return withoutRepeated(comparison, [...stars, ...beginnings])
    .sort((a, b) => a.position - b.position)
    .map(({ middle, others }) => [middle, ...others.map(({ statement }) => statement)]);
}

function starsOf(comparison: Comparison, contradictions: readonly Contradiction[]): Star[] {
  const {
    statements,
    similarity,
    places,
    pairs: { lefts, begins, shared },
  } = comparison;
  const sentencesAgainst = opposedSentences(comparison, contradictions);
  const stars = statements.map((middle, position): Star => ({
    middle,
    position,
    others: [],
    partners: [],
    opposed: sentencesAgainst.get(middle) ?? NOBODY,
  }));
  const pairKey = (left: number, right: number): number => left * statements.length + right;
  const opposed = new Set(
    contradictions.flatMap(({ left, right }) => {
      const [one, other] = [places.get(left), places.get(right)];
      return one === undefined || other === undefined ? [] : [pairKey(one, other)];
    }),
  );
  for (let right = 0; right < stars.length; right += 1) {
    const other = stars[right];
    const end = begins[right + 1] ?? 0;
    for (let pair = begins[right] ?? 0; pair < end; pair += 1) {
      const left = lefts[pair] ?? 0;
      const one = stars[left];
      const mass = shared[pair] ?? 0;
      if (!one || !other || mass / Math.min(similarity.mass(left), similarity.mass(right)) < SHARED_BEGINNING_OF_LONG) continue;
      if (one.middle.leansOn !== null || other.middle.leansOn !== null) continue;
      if (opposed.size > 0 && opposed.has(pairKey(left, right))) continue;
      addSupport(comparison, one, right, mass / similarity.mass(left));
      addSupport(comparison, other, left, mass / similarity.mass(right));
    }
  }
  return stars;
}

const NOBODY: ReadonlySet<Statement> = new Set();

/**
 * For each contradicted statement, the whole sentences with the opposing part. "Refused to fly the flag, but joined the parade" has all the words of
 * "refused to join the parade", although one of its parts contradicts it.
 */
function opposedSentences(
  { joined, places }: Comparison,
  contradictions: readonly Contradiction[],
): ReadonlyMap<Statement, ReadonlySet<Statement>> {
  const found = new Map<Statement, Set<Statement>>();
  for (const { left, right } of contradictions)
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const sentence = joined[places.get(other) ?? -1] ?? other;
      found.set(one, (found.get(one) ?? new Set()).add(sentence));
    }
  return found;
}

const insertionsIn = ({ middle: { text } }: Star): number => (text.includes('[') ? 1 : 0);

/**
 * By its providers, then by its words, since of a sentence and a note that say the same the sentence reads better, then by its worth, which is below 100.
 * No statement has 1,000 words.
 */
const precedenceOf = (star: Star): number => 100 * (1000 * providerCountOf(star) + star.middle.reading.tokens.length) + star.middle.worth;

/** The stars that say something new: those with the most providers first, then the longest. */
function withoutRepeated(comparison: Comparison, stars: readonly Star[]): Star[] {
  const { statements } = comparison;
  const ranked = stars
    .map((star, order) => ({ star, order, precedence: precedenceOf(star) }))
    .sort((a, b) => b.precedence - a.precedence || insertionsIn(a.star) - insertionsIn(b.star) || a.order - b.order);
  const repeated = new Set<Statement>();
  const kept = new Map<Statement, Star[]>();
  for (const { star } of ranked) {
    const { middle, others } = star;
    const whole = statements[star.position] ?? middle;
    if (
      repeated.has(middle) ||
      (middle !== whole && hasRival(comparison, star, [whole, ...others.map(({ statement }) => statement)], kept))
    )
      continue;
    for (const { statement } of others)
      if (isRepeatedBy(comparison, statement, middle) && !addsTo(statement, middle)) repeated.add(statement);
    const known = kept.get(whole);
    if (known) known.push(star);
    else kept.set(whole, [star]);
  }
  return [...kept.values()].flat();
}

/** Whether a star already kept around one of the statements says what this star's middle, a beginning, says. */
function hasRival(
  comparison: Comparison,
  { middle }: Star,
  statements: readonly Statement[],
  kept: ReadonlyMap<Statement, readonly Star[]>,
): boolean {
  return statements.some((statement) => kept.get(statement)?.some((rival) => isRepeatedBy(comparison, middle, rival.middle)));
}
