/** A word of the question that an answer should cover. */
export interface Concept {
  /** As written in the question. */
  word: string;
  /** Any one of these terms matches it. */
  terms: string[];
  /** All of these together match it too: the parts of an identifier. */
  parts: string[];
  /** Text to be found literally, in lower case: something written like code, whose separate words would say too little. */
  phrase?: string;
  /** A proper name or an identifier: other words cannot stand for it. */
  isName: boolean;
  rarity: number;
  /** Share of the weight that counts: less than 1 for words that were only said beside the question. */
  share: number;
  /** From 0 to 1: lower for everyday words, which an answer need not repeat however rare they are in these documents. */
  specificity: number;
}

/** If a question has no more words than this, an answer needs all of them. */
export const FEW_WORDS = 2;

export const weightOf = ({ rarity, share, specificity }: Concept): number => rarity * share * specificity;

function mentions(terms: ReadonlySet<string>, { terms: names, parts }: Concept): boolean {
  return names.some((name) => terms.has(name)) || (parts.length > 0 && parts.every((part) => terms.has(part)));
}

/**
 * How much of the question a text covers, from 0 to 1: the mean of the plain share of its words and of the share weighted by rarity.
 * Weighted by rarity alone, one rare word could pass for a whole short question.
 */
export function coverage(concepts: readonly Concept[], terms: ReadonlySet<string>): number {
  if (concepts.length === 0) return 0;
  const had = concepts.filter((concept) => mentions(terms, concept));
  return had.length / concepts.length / 2 + weightOfAll(had) / (weightOfAll(concepts) || 1) / 2;
}

export function weightOfAll(concepts: readonly Concept[]): number {
  return concepts.reduce((sum, concept) => sum + weightOf(concept), 0);
}
