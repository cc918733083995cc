import { areWordedAlike } from '@lib/language/reading/plain-wording';
import type { Reading } from '@lib/language/reading/reading';
import type { Statement } from '../statement/statement';
import type { Comparison } from '../comparison/comparison';
import { standsAlone } from '../statement/stands-alone';
import { sayAtLengthAlike } from '../difference/word-for-word';
import { supportFor, type Support } from './support';
import { BETWEEN_CELLS } from '../sentences/quotes';
import { hasNoMainVerb, isEmpty, isUnfinished } from '../statement/whole-sentence';

/**
 * A common beginning is only looked for if another statement has this share of the weight. The share is lower for long statements, of which a
 * beginning is a smaller part. Bounds the search.
 */
export const SHARED_BEGINNING = 0.3;
export const SHARED_BEGINNING_OF_LONG = 0.15;
const MAX_PARTNERS = 12;

/** A statement, or its beginning, with the statements of other steps that say as much: the best one of each step. */
export interface Star {
  middle: Statement;
  /** Position of the statement that the middle equals or begins. */
  position: number;
  /** At most one per step. */
  others: Support[];
  /** Positions of statements that share something with the middle. */
  partners: number[];
  /** Sentences with a part that contradicts the middle. */
  opposed: ReadonlySet<Statement>;
}

export function addSupport(comparison: Comparison, star: Star, outer: number, shared: number): void {
  if (shared < SHARED_BEGINNING && (shared < SHARED_BEGINNING_OF_LONG || !comparison.similarity.isLong(star.position))) return;
  const support = supportFor(comparison, star.middle, outer, shared);
  if (support && star.opposed.has(support.statement)) return;
  if (support && (saysSomething(star.middle.reading) || isCopied(star.middle, support.statement))) addBest(star.others, support);
  else if (star.partners.length < MAX_PARTNERS) star.partners.push(outer);
}

/** A shared wording becomes a claim only if it is a sentence that makes sense by itself, or a figure of a table with its column head. */
const saysSomething = (reading: Reading): boolean =>
  (reading.saysSomething ??= reading.text.includes(BETWEEN_CELLS)
    ? reading.numbers.size > 0 && CELLS_WITH_HEADS.test(reading.text)
    : !isEmpty(reading) && !isUnfinished(reading) && !hasNoMainVerb(reading) && standsAlone(reading));
const CELLS_WITH_HEADS = /^[^|]+(?: \| [^|:]+: [^|]+)+$/;

/** Whether both say the same at some length, or are rows of tables with the same cells: “Language | SQLite: C”, “3 May 2020 | The bank failed”. */
const isCopied = ({ isOfTable, reading }: Statement, { isOfTable: isRow, reading: other }: Statement): boolean =>
  isOfTable && isRow
    ? (reading.dates.length > 0 || CELLS_WITH_HEADS.test(reading.text)) && areWordedAlike(reading, other)
    : sayAtLengthAlike(reading, other);

/** Adds support to a star, keeping only the best of each step. */
function addBest(others: Support[], support: Support): void {
  const place = others.findIndex(({ statement }) => statement.stepId === support.statement.stepId);
  if (place < 0) others.push(support);
  else if (support.degree > (others[place]?.degree ?? 0)) others[place] = support;
}

export function providerCountOf({ others }: Star): number {
  return others.length < 2 ? others.length : distinct(others.map(({ statement }) => statement.provider));
}

/** The number of distinct providers. There are few, and a set for every star would be much of what a job allocates. */
export function distinct(providers: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < providers.length; at += 1) if (providers.indexOf(providers[at] ?? '') === at) count += 1;
  return count;
}
