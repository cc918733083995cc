/** A word of the question that an answer has to be about. */
export interface Concept {
  /** As it was asked. */
  word: string;
  /** What it is found by: one of these terms. */
  terms: string[];
  /** Or all of these: the parts of an identifier. */
  parts: string[];
  rarity: number;
}

/**
 * How much of the question a text has, from 0 to 1: the part of its words, and their part by rarity, in equal shares. Rarity alone would
 * take one rare word for the whole of a short question.
 */
export function coverage(concepts: readonly Concept[], terms: ReadonlySet<string>): number {
  if (concepts.length === 0) return 0;
  const had = concepts.filter((concept) => mentions(terms, concept));
  return had.length / concepts.length / 2 + rarityOf(had) / (rarityOf(concepts) || 1) / 2;
}

/** The coverage that an answer has at least. Nobody repeats every word of a long question, but of two words one is not enough. */
export function answeringCoverage(concepts: readonly Concept[]): number {
  return 0.35 + 1.05 / (concepts.length + 1);
}

function rarityOf(concepts: readonly Concept[]): number {
  return concepts.reduce((sum, { rarity }) => sum + rarity, 0);
}

export function mentions(terms: ReadonlySet<string>, { terms: names, parts }: Concept): boolean {
  return names.some((name) => terms.has(name)) || (parts.length > 0 && parts.every((part) => terms.has(part)));
}
