/** A word of the question that an answer should cover. */
export interface Concept {
  /** As written in the question. */
  word: string;
  /** Any one of these terms matches it. */
  terms: string[];
  /** All of these together match it too: the parts of an identifier. */
  parts: string[];
  rarity: number;
}

/**
 * How much of the question a text covers, from 0 to 1: the mean of the share of its words and of the same share weighted by rarity.
 * By rarity alone, one rare word could pass for a whole short question.
 */
export function coverage(concepts: readonly Concept[], terms: ReadonlySet<string>): number {
  if (concepts.length === 0) return 0;
  const had = concepts.filter((concept) => mentions(terms, concept));
  return had.length / concepts.length / 2 + rarityOf(had) / (rarityOf(concepts) || 1) / 2;
}

/** The least coverage of an answer. No text repeats every word of a long question, but one word of two is not enough. */
export function answeringCoverage(concepts: readonly Concept[]): number {
  return 0.35 + 1.05 / (concepts.length + 1);
}

function rarityOf(concepts: readonly Concept[]): number {
  return concepts.reduce((sum, { rarity }) => sum + rarity, 0);
}

export function mentions(terms: ReadonlySet<string>, { terms: names, parts }: Concept): boolean {
  return names.some((name) => terms.has(name)) || (parts.length > 0 && parts.every((part) => terms.has(part)));
}
