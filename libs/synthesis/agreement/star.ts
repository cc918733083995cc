import type { Reading } from '@lib/language/reading/reading';
import type { Statement } from '../statement/statement';
import type { Comparison } from '../comparison/comparison';
import { standsAlone } from '../statement/stands-alone';
import { supportFor, type Support } from './support';
import { BETWEEN_CELLS } from '../statement/table-row';
import { isEmpty, isUnfinished } from '../statement/whole-sentence';

/**
 * Share of a statement's weight that another must have for a common beginning to be looked for; it is less where a beginning is a small part of the
 * whole, and bounds that search.
 */
export const SHARED_BEGINNING = 0.3;
export const SHARED_BEGINNING_OF_LONG = 0.15;
const MAX_PARTNERS = 12;

/** A statement, or the beginning of one, with those of other steps that say as much: the best of each step. */
export interface Star {
  middle: Statement;
  /** Position of the statement that the middle is or begins. */
  position: number;
  /** One for each step. */
  others: Support[];
  /** Positions of statements that share something with the middle. */
  partners: number[];
  /** Sentences of which a part contradicts the middle. */
  opposed: ReadonlySet<Statement>;
}

export function addSupport(comparison: Comparison, star: Star, outer: number, shared: number): void {
  if (shared < SHARED_BEGINNING && (shared < SHARED_BEGINNING_OF_LONG || !comparison.similarity.isLong(star.position))) return;
  const support = supportFor(comparison, star.middle, outer, shared);
  if (support && star.opposed.has(support.statement)) return;
  if (support && saysSomething(star.middle.reading)) addBest(star.others, support);
  else if (star.partners.length < MAX_PARTNERS) star.partners.push(outer);
}

/** What others say too is a claim only where it reads as a sentence that says something by itself, or is a figure of a table behind the head of its column. */
const saysSomething = (reading: Reading): boolean =>
  (reading.saysSomething ??= reading.text.includes(BETWEEN_CELLS)
    ? reading.numbers.size > 0 && CELLS_WITH_HEADS.test(reading.text)
    : !isEmpty(reading) && !isUnfinished(reading) && standsAlone(reading));
const CELLS_WITH_HEADS = /^[^|]+(?: \| [^|:]+: [^|]+)+$/;

/** Adds what supports a star; of what one step has only the best is kept. */
function addBest(others: Support[], support: Support): void {
  const place = others.findIndex(({ statement }) => statement.stepId === support.statement.stepId);
  if (place < 0) others.push(support);
  else if (support.degree > (others[place]?.degree ?? 0)) others[place] = support;
}

export function providerCountOf({ others }: Star): number {
  return others.length < 2 ? others.length : distinct(others.map(({ statement }) => statement.provider));
}

/** How many they are, each counted once: they are few, and a set for every star would be much of what a job allocates. */
export function distinct(providers: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < providers.length; at += 1) if (providers.indexOf(providers[at] ?? '') === at) count += 1;
  return count;
}
