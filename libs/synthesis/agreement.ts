import type { Statement } from './claims';
import type { Comparison } from './comparison';
import type { Contradiction } from './contradiction';
import { oneHoldsTheOther } from './compatibility';
import { isRepeatedBy, supportFor, type Support } from './support';

/** Share of a statement's weight that another must have for a common beginning to be looked for, and bounds of that search. */
const SHARED_BEGINNING = 0.3;
const MOST_SHORTENED = 500;
const MOST_PARTNERS = 12;

/** What one statement says with all those of other steps that say it too; the first stands for all. */
export type Group = readonly [Statement, ...Statement[]];

/** A statement, or the beginning of one, with those of other steps that say as much: the best of each step. */
interface Star {
  middle: Statement;
  /** Position of the statement that the middle is or begins. */
  position: number;
  /** By step. */
  others: Map<string, Support>;
  /** Positions of statements that share something with the middle. */
  partners: number[];
}

/**
 * For every statement those of other steps that say at least as much: a star around it, so that a chain of small changes never joins what
 * differs. Where statements share no more than a beginning, that makes a group besides theirs. What the middle of a larger star repeats
 * makes none of its own. Statements that contradict each other never support each other.
 */
export function groupAgreeing(comparison: Comparison, contradictions: readonly Contradiction[]): Group[] {
  const stars = starsOf(comparison, contradictions);
  const beginnings = stars
    .filter(({ partners }) => partners.length > 0)
    .slice(0, MOST_SHORTENED)
    .flatMap((star) => beginningStars(comparison, star));
  return withoutRepeated(comparison, [...stars, ...beginnings])
    .sort((a, b) => a.position - b.position)
    .map(({ middle, others }) => [middle, ...others.values().map(({ statement }) => statement)]);
}

function starsOf(comparison: Comparison, contradictions: readonly Contradiction[]): Star[] {
  const { statements, similarity, places, pairs } = comparison;
  const stars = statements.map((middle, position): Star => ({ middle, position, others: new Map(), partners: [] }));
  const pairKey = (left = 0, right = 0): number => left * statements.length + right;
  const opposed = new Set(contradictions.map(({ left, right }) => pairKey(places.get(left), places.get(right))));
  for (const [left, right] of pairs) {
    const [one, other] = [stars[left], stars[right]];
    if (!one || !other || opposed.has(pairKey(left, right))) continue;
    const shared = similarity.sharedMass(left, right);
    addSupport(comparison, one, right, shared / similarity.mass(left));
    addSupport(comparison, other, left, shared / similarity.mass(right));
  }
  return stars;
}

function addSupport(comparison: Comparison, star: Star, outer: number, shared: number): void {
  if (shared < SHARED_BEGINNING) return;
  const support = supportFor(comparison, star.middle, outer, shared);
  if (!support) {
    if (star.partners.length < MOST_PARTNERS) star.partners.push(outer);
    return;
  }
  const { stepId } = support.statement;
  if (support.degree > (star.others.get(stepId)?.degree ?? 0)) star.others.set(stepId, support);
}

/** Stars around beginnings that more providers share than the whole. */
function beginningStars(comparison: Comparison, whole: Star): Star[] {
  const { statements, similarity, places } = comparison;
  const partners = whole.partners.filter((partner) => mayShareBeginning(whole, statements[partner]));
  if (partners.length === 0) return [];
  const found: Star[] = [];
  let most = providersOf(whole);
  for (const { stems, read } of whole.middle.beginnings()) {
    const place = similarity.add(stems);
    const sharing = partners.filter((partner) => similarity.containment(place, partner) >= SHARED_BEGINNING);
    const middle = sharing.length > 0 ? read() : null;
    if (!middle) continue;
    const star: Star = { middle, position: whole.position, others: new Map(whole.others), partners: [] };
    const own = similarity.add(middle.stems);
    places.set(middle, own);
    for (const partner of sharing) addSupport(comparison, star, partner, similarity.containment(own, partner));
    if (providersOf(star) > most) found.push(star);
    most = Math.max(most, providersOf(star));
  }
  return found;
}

/** Two statements with other numbers each are about different things, however alike they begin. */
function mayShareBeginning({ middle, others }: Star, partner: Statement | undefined): boolean {
  return partner !== undefined && !others.has(partner.stepId) && oneHoldsTheOther(middle.reading.numbers, partner.reading.numbers);
}

/** The stars that say something new, those of the most providers first. */
function withoutRepeated(comparison: Comparison, stars: readonly Star[]): Star[] {
  const { statements } = comparison;
  const ranked = stars
    .map((star, order) => ({ star, order, standing: 100 * providersOf(star) + star.middle.worth }))
    .sort((a, b) => b.standing - a.standing || a.order - b.order);
  const repeated = new Set<Statement>();
  const kept = new Map<Statement | undefined, Star[]>();
  for (const { star } of ranked) {
    const whole = statements[star.position];
    const rivals = [whole, ...star.others.values().map(({ statement }) => statement)].flatMap((statement) => kept.get(statement) ?? []);
    const isBeginning = star.middle !== whole;
    if (repeated.has(star.middle) || (isBeginning && rivals.some(({ middle }) => isRepeatedBy(comparison, star.middle, middle)))) continue;
    for (const { statement } of star.others.values()) if (isRepeatedBy(comparison, statement, star.middle)) repeated.add(statement);
    kept.set(whole, [...(kept.get(whole) ?? []), star]);
  }
  return [...kept.values()].flat();
}

function providersOf({ others }: Star): number {
  return new Set(others.values().map(({ statement }) => statement.provider)).size;
}
