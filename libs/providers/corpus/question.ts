import { isStopWord, words } from '@lib/text/tokens';

import type { ResearchRequest } from '../research-provider';
import type { CorpusIndex, TermWeights } from './corpus-index';
import { identifierParts, termsOf } from './terms';

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

/** A question as the corpus can look for it. */
export interface Question {
  concepts: Concept[];
  /** The terms to search by: those asked, and with less weight those of the brief and of what went before. */
  weights: TermWeights;
}

/** Words that ask, and say nothing about the subject. */
const ASKING = new Set(
  'compare define describe discuss explain find give happen happens help know like list mean name outline please show summarize tell want'.split(
    ' ',
  ),
);
/** Words of one text that count; a pasted page is searched by its rarest ones. */
const MOST_WORDS = 40;
const PART_WEIGHT = 0.5;
const BRIEF_WEIGHT = 0.4;
const PARENT_WEIGHT = 0.3;
const RECORDED_WEIGHT = 0.15;

export function understand({ query, brief, context }: Pick<ResearchRequest, 'query' | 'brief' | 'context'>, index: CorpusIndex): Question {
  // "And why?" means what the parent job was about.
  const text = context && conceptsOf(query, index).length === 0 ? context.question : query;
  const weights = new Map<string, number>();
  const add = (concepts: readonly Concept[], weight: number): void => {
    for (const { terms, parts } of concepts) {
      for (const term of parts) weights.set(term, Math.max(weight * PART_WEIGHT, weights.get(term) ?? 0));
      for (const term of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
    }
  };
  const concepts = conceptsOf(text, index);
  add(concepts, 1);
  add(conceptsOf(brief ?? '', index), BRIEF_WEIGHT);
  add(conceptsOf(context?.question ?? '', index), PARENT_WEIGHT);
  add(conceptsOf([...(context?.claims ?? []), ...(context?.laterMessages ?? [])].join('\n'), index), RECORDED_WEIGHT);
  return { concepts, weights };
}

/**
 * How much of the question a text has, from 0 to 1: the part of its words, and their part by rarity, in equal shares. Rarity alone would
 * take one rare word for the whole of a short question.
 */
export function coverage(concepts: readonly Concept[], terms: ReadonlySet<string>): number {
  if (concepts.length === 0) return 0;
  const had = concepts.filter((concept) => mentions(terms, concept));
  return had.length / concepts.length / 2 + rarityOf(had) / rarityOf(concepts) / 2;
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

function conceptsOf(text: string, index: CorpusIndex): Concept[] {
  const parts = new Map(identifierParts(text).map(([identifier, parts]) => [identifier.toLowerCase(), parts]));
  return Array.from(new Set(words(text).filter((word) => !isStopWord(word) && !ASKING.has(word))))
    .map((word) => conceptOf(word, parts.get(word) ?? [], index))
    .sort((left, right) => right.rarity - left.rarity)
    .slice(0, MOST_WORDS);
}

function conceptOf(word: string, parts: string[], index: CorpusIndex): Concept {
  const terms = termsOf(word).slice(0, 1);
  const known = terms.some((term) => index.has(term)) || parts.length === 0 ? terms : parts;
  return { word, terms, parts, rarity: Math.max(0, ...known.map((term) => index.rarity(term))) };
}
