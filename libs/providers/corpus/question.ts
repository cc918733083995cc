import { isStopWord, words } from '@lib/language/tokens';

import type { ResearchRequest } from '../research-provider';
import type { Concept } from './concept';
import type { CorpusIndex, TermWeights } from './corpus-index';
import { facetsOf, type Facet } from './facets';
import type { SearchableCorpus } from './keep-index';
import { withOtherSpellings } from './spelling';
import { identifierParts, identifierWords, termsOf } from './terms';

/** A question, or one of the things it asks, prepared for search. */
export interface Question extends Facet {
  concepts: Concept[];
  /** Search terms: those of the question, and with less weight those of the whole request, the brief and the earlier job. */
  weights: TermWeights;
  /** Its vector; null where no word is known. */
  direction: Float32Array | null;
}

/** Words that form questions and say nothing about the subject. */
const ASKING = new Set(
  `compare comparison compared define describe difference differences different discuss explain find give happen happens help know like list
mean name outline please show summarize tell want`.split(/\s+/),
);
/** Most words of a text that are searched for; of a pasted page, the rarest. */
const MOST_WORDS = 40;
const PART_WEIGHT = 0.5;
/** Weights of the texts that accompany a question. */
const WHOLE_WEIGHT = 0.3;
const BRIEF_WEIGHT = 0.4;
const PARENT_WEIGHT = 0.3;
const RECORDED_WEIGHT = 0.15;

type Asked = Pick<ResearchRequest, 'query' | 'brief' | 'context'>;

/** The things that a request asks, each with its context. */
export function understand({ query, brief, context }: Asked, corpus: SearchableCorpus): Question[] {
  // "And why?" refers to the subject of the parent job.
  const text = context && conceptsOf(query, corpus.index).length === 0 ? context.question : query;
  const beside: WeighedText[] = [
    { text, weight: WHOLE_WEIGHT },
    { text: brief ?? '', weight: BRIEF_WEIGHT },
    { text: context?.question ?? '', weight: PARENT_WEIGHT },
    { text: [...(context?.claims ?? []), ...(context?.laterMessages ?? [])].join('\n'), weight: RECORDED_WEIGHT },
  ];
  const facets = facetsOf(text);
  const said = facets.filter((facet) => conceptsOf(facet.text, corpus.index).length > 0);
  const asked = said.length > 0 ? said : facets.slice(0, 1);
  return asked.map((facet) => {
    const concepts = withOtherSpellings(conceptsOf(facet.text, corpus.index), corpus);
    const texts = [{ text: facet.text, weight: 1 }, ...beside];
    return { ...facet, concepts, weights: weightsOf(concepts, beside, corpus.index), direction: directionOf(texts, corpus) };
  });
}

interface WeighedText {
  text: string;
  weight: number;
}

function weightsOf(asked: readonly Concept[], beside: readonly WeighedText[], index: CorpusIndex): TermWeights {
  const weights = new Map<string, number>();
  const raise = (concepts: readonly Concept[], weight: number): void => {
    for (const { terms, parts } of concepts) {
      for (const term of parts) weights.set(term, Math.max(weight * PART_WEIGHT, weights.get(term) ?? 0));
      for (const term of terms) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
    }
  };
  raise(asked, 1);
  for (const { text, weight } of beside) raise(conceptsOf(text, index), weight);
  return weights;
}

/** Weights each word as the search by terms does: by its text's weight and its rarity. */
function directionOf(texts: readonly WeighedText[], { index, vectors }: SearchableCorpus): Float32Array | null {
  const weights = new Map<string, number>();
  for (const { text, weight } of texts) {
    for (const word of [...subjectsOf(text), ...identifierWords(text)]) weights.set(word, Math.max(weight, weights.get(word) ?? 0));
  }
  return vectors.sentenceVector(weights.keys(), (word) => (weights.get(word) ?? 0) * index.rarity(termsOf(word)[0] ?? word));
}

function conceptsOf(text: string, index: CorpusIndex): Concept[] {
  const parts = new Map(identifierParts(text).map(([identifier, parts]) => [identifier.toLowerCase(), parts]));
  return subjectsOf(text)
    .map((word) => conceptOf(word, parts.get(word) ?? [], index))
    .sort((left, right) => right.rarity - left.rarity)
    .slice(0, MOST_WORDS);
}

/** The distinct words that say something about the subject. */
function subjectsOf(text: string): string[] {
  return Array.from(new Set(words(text).filter((word) => !isStopWord(word) && !ASKING.has(word))));
}

function conceptOf(word: string, parts: string[], index: CorpusIndex): Concept {
  const terms = termsOf(word).slice(0, 1);
  const known = terms.some((term) => index.has(term)) || parts.length === 0 ? terms : parts;
  return { word, terms, parts, rarity: Math.max(0, ...known.map((term) => index.rarity(term))) };
}
