/** A word of the question that an answer should cover. */
export interface Concept {
  /** As written in the question. */
  word: string;
  /** Any one of these terms matches it. */
  terms: string[];
  /** All of these together match it too: the parts of an identifier. */
  parts: string[];
  /** Stands in a text as it is: what is written like code, where its words alone would say too little. In small letters. */
  phrase?: string;
  /** A proper name or an identifier: other words cannot stand for it. */
  isName: boolean;
  rarity: number;
  /** Share of its weight that counts: less than 1 for what was said beside the question. */
  share: number;
  /** From 0 to 1: less for a word that everybody uses, which an answer need not repeat however rare it is in these documents. */
  specificity: number;
}

export const weightOf = ({ rarity, share, specificity }: Concept): number => rarity * share * specificity;

function mentions(terms: ReadonlySet<string>, { terms: names, parts }: Concept): boolean {
  return names.some((name) => terms.has(name)) || (parts.length > 0 && parts.every((part) => terms.has(part)));
}

/**
 * How much of the question a text covers, from 0 to 1: the mean of the share of its words and of the same share weighted by rarity.
 * By rarity alone, one rare word could pass for a whole short question.
 */
export function coverage(concepts: readonly Concept[], terms: ReadonlySet<string>): number {
  if (concepts.length === 0) return 0;
  const had = concepts.filter((concept) => mentions(terms, concept));
  return had.length / concepts.length / 2 + weightOfAll(had) / (weightOfAll(concepts) || 1) / 2;
}

export function weightOfAll(concepts: readonly Concept[]): number {
  return concepts.reduce((sum, concept) => sum + weightOf(concept), 0);
}
