import type { Statement } from './statement';
import type { Comparison } from './comparison';
import type { Contradiction } from './contradiction';
import { alignWords, type Alignment } from './difference/edits';
import { beginAlike } from './difference/leftover';
import { oneHoldsTheOther } from './compatibility';
import { isRepeatedBy, nameTheSame, saidInOtherWords, supportFor, type Support } from './support';
import { standsAlone } from './stands-alone';
import { isEmpty, isUnfinished } from './whole-sentence';

/**
 * Share of a statement's weight that another must have for a common beginning to be looked for, less where a beginning is a small part of the
 * whole, and bounds of that search.
 */
const SHARED_BEGINNING = 0.3;
const SHARED_BEGINNING_OF_LONG = 0.15;
const MOST_SHORTENED = 500;
const MOST_PARTNERS = 12;
/** Share of the weight of what stands before a list that another statement must have to list the same things of its subject. */
const SHARED_LEAD = 0.7;

/** What one statement says with all those of other steps that say it too; the first stands for all. */
export type Group = readonly [Statement, ...Statement[]];

/** A statement, or the beginning of one, with those of other steps that say as much: the best of each step. */
interface Star {
  middle: Statement;
  /** Position of the statement that the middle is or begins. */
  position: number;
  /** One for each step. */
  others: Support[];
  /** Positions of statements that share something with the middle. */
  partners: number[];
  /** Undefined until somebody says as much. */
  saysSomething: boolean | undefined;
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
  const stars = statements.map((middle, position): Star => ({ middle, position, others: [], partners: [], saysSomething: undefined }));
  const pairKey = (left = 0, right = 0): number => left * statements.length + right;
  const opposed = new Set(contradictions.map(({ left, right }) => pairKey(places.get(left), places.get(right))));
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

function addSupport(comparison: Comparison, star: Star, outer: number, shared: number): void {
  if (shared < SHARED_BEGINNING && (shared < SHARED_BEGINNING_OF_LONG || !comparison.similarity.isLong(star.position))) return;
  const support = supportFor(comparison, star.middle, outer, shared);
  if (support && (star.saysSomething ??= saysSomething(star.middle))) addBest(star.others, support);
  else if (star.partners.length < MOST_PARTNERS) star.partners.push(outer);
}

/** What others say too is a claim only where it reads as a sentence that says something by itself: a row of a table does not. */
const saysSomething = ({ reading }: Statement): boolean =>
  !isEmpty(reading) && !isUnfinished(reading) && standsAlone(reading) && !reading.text.includes(' | ');

/** Of each step the best is kept. */
function addBest(others: Support[], support: Support): void {
  const place = others.findIndex(({ statement }) => statement.stepId === support.statement.stepId);
  if (place < 0) others.push(support);
  else if (support.degree > (others[place]?.degree ?? 0)) others[place] = support;
}

/** A star around a part of a statement, with those who say the whole and those of the partners who say the part. */
function starAround(comparison: Comparison, middle: Statement, whole: Star, partners: readonly number[]): Star {
  const { similarity, places } = comparison;
  const star: Star = { middle, position: whole.position, others: [...whole.others], partners: [], saysSomething: undefined };
  const own = similarity.add(middle.stems);
  places.set(middle, own);
  for (const partner of partners) addSupport(comparison, star, partner, similarity.containment(own, partner));
  return star;
}

/** Stars around parts of a statement that more providers say than the whole. */
function partStars(comparison: Comparison, whole: Star): Star[] {
  if (whole.middle.parts === null || mostProviders(comparison, whole, whole.partners) <= providersOf(whole)) return [];
  const partners = whole.partners.filter((partner) => mayShareBeginning(whole, comparison.statements[partner]));
  const withItems = commonItemStars(comparison, whole);
  if (partners.length === 0) return withItems;
  return [...withItems, ...commonPartStars(comparison, whole, partners), ...beginningStars(comparison, whole, partners)];
}

/** Stars around beginnings. */
function beginningStars(comparison: Comparison, whole: Star, partners: readonly number[]): Star[] {
  const { statements, similarity } = comparison;
  const mostPossible = mostProviders(comparison, whole, partners);
  const found: Star[] = [];
  let most = providersOf(whole);
  if (most >= mostPossible) return found;
  const { reading } = whole.middle;
  const alignments = new Map<number, Alignment>();
  for (const { stems, read, isClosed } of whole.middle.parts?.beginnings() ?? []) {
    const place = similarity.add(stems);
    const alike = partners.filter((partner) => similarity.containment(place, partner) >= SHARED_BEGINNING);
    const middle = alike.length > 0 ? read() : null;
    if (!middle) continue;
    const end = middle.reading.tokens.length;
    const sharing = alike.filter((partner) => {
      const other = statements[partner]?.reading ?? reading;
      const alignment = alignments.get(partner) ?? alignWords(reading, other);
      alignments.set(partner, alignment);
      return beginAlike(alignment, reading, other, end, isClosed);
    });
    const star = starAround(comparison, middle, whole, sharing);
    if (providersOf(star) > most) found.push(star);
    most = Math.max(most, providersOf(star));
    if (most >= mostPossible) break;
  }
  return found;
}

/** Stars around lists of what several statements list. */
function commonItemStars(comparison: Comparison, whole: Star): Star[] {
  const { statements, similarity } = comparison;
  const found = new Map<string, Star>();
  for (const partner of whole.partners) {
    const other = statements[partner];
    if (!other || whole.others.some(({ statement }) => statement.stepId === other.stepId)) continue;
    for (const { lead, read } of whole.middle.parts?.withCommonItems(other.reading) ?? []) {
      // Who is named in full and in short is one.
      const own = nameTheSame(whole.middle, other, comparison.question) ? lead.difference(whole.middle.head) : lead;
      const said = own.difference(saidInOtherWords(whole.middle, comparison.sentences[partner] ?? other));
      const isShared = said.size === 0 || similarity.containment(similarity.add(said), partner) >= SHARED_LEAD;
      const middle = isShared ? read() : null;
      if (!middle || found.has(middle.text)) continue;
      found.set(middle.text, starAround(comparison, middle, whole, whole.partners));
    }
  }
  return [...found.values()].filter((star) => providersOf(star) > providersOf(whole));
}

/** Stars around what several statements say without what stands in the middle of one. */
function commonPartStars(comparison: Comparison, whole: Star, partners: readonly number[]): Star[] {
  const { statements } = comparison;
  const found = new Map<string, Star>();
  for (const partner of partners) {
    const other = statements[partner];
    const middle = other && whole.middle.parts?.commonPart(other.reading);
    if (!middle || found.has(middle.text)) continue;
    found.set(middle.text, starAround(comparison, middle, whole, whole.partners));
  }
  return [...found.values()].filter((star) => providersOf(star) > providersOf(whole));
}

/** Two statements with other numbers each are about different things, however alike they begin. */
function mayShareBeginning({ middle, others }: Star, partner: Statement | undefined): boolean {
  if (partner === undefined || !oneHoldsTheOther(middle.reading.numbers, partner.reading.numbers)) return false;
  return !others.some(({ statement }) => statement.stepId === partner.stepId);
}

/** The stars that say something new, those of the most providers first. */
function withoutRepeated(comparison: Comparison, stars: readonly Star[]): Star[] {
  const { statements } = comparison;
  const ranked = stars
    .map((star, order) => ({ star, order, standing: 100 * providersOf(star) + star.middle.worth }))
    .sort((a, b) => b.standing - a.standing || a.order - b.order);
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
    for (const { statement } of others) if (isRepeatedBy(comparison, statement, middle)) repeated.add(statement);
    const known = kept.get(whole);
    if (known) known.push(star);
    else kept.set(whole, [star]);
  }
  return [...kept.values()].flat();
}

/** A star that is kept around one of the statements says what the beginning in the middle of this one does. */
function hasRival(
  comparison: Comparison,
  { middle }: Star,
  statements: readonly Statement[],
  kept: ReadonlyMap<Statement, readonly Star[]>,
): boolean {
  return statements.some((statement) => kept.get(statement)?.some((rival) => isRepeatedBy(comparison, middle, rival.middle)));
}

/** How many providers a part of a star's middle can have at most, if all partners say it. */
function mostProviders({ statements }: Comparison, { others }: Star, partners: readonly number[]): number {
  const providers = others.map(({ statement }) => statement.provider);
  for (const partner of partners) {
    const provider = statements[partner]?.provider;
    if (provider !== undefined) providers.push(provider);
  }
  return distinct(providers);
}

function providersOf({ others }: Star): number {
  return others.length < 2 ? others.length : distinct(others.map(({ statement }) => statement.provider));
}

/** How many they are, each counted once: they are few, and a set for every star would be much of what a job allocates. */
function distinct(providers: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < providers.length; at += 1) if (providers.indexOf(providers[at] ?? '') === at) count += 1;
  return count;
}
