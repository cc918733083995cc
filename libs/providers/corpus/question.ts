import type { ResearchRequest } from '../research-provider';
import { conceptsOf, subjectsOf } from './concepts-of';
import type { Concept } from './concept';
import type { CorpusIndex, TermWeights } from './corpus-index';
import { facetsOf, type Facet } from './facets';
import type { SearchableCorpus } from './keep-index';
import { withOtherSpellings } from './spelling';
import { identifierWords, termsOf } from './terms';

/** A question, or one of the things it asks, prepared for search. */
export interface Question extends Facet {
  concepts: Concept[];
  /** Folders of the corpus that the question names, such as packages: what it asks is told there, if anywhere. */
  folders: string[];
  /** Search terms: those of the question, and with less weight those of the whole request, the brief and the earlier job. */
  weights: TermWeights;
  /** Its vector; null where no word is known. */
  direction: Float32Array | null;
}

const PART_WEIGHT = 0.5;
/** Weights of the texts that accompany a question. */
const CONTEXT_SHARE = 0.5;
const WHOLE_WEIGHT = 0.3;
const BRIEF_WEIGHT = 0.4;
const PARENT_WEIGHT = 0.3;
const RECORDED_WEIGHT = 0.15;

type Asked = Pick<ResearchRequest, 'query' | 'brief' | 'context'>;

/** The things that a request asks, each with its context. */
export function understand({ query, brief, context }: Asked, corpus: SearchableCorpus): Question[] {
  const { index } = corpus;
  // "And why?" refers to the subject of the parent job.
  const text = context && conceptsOf(query, index).length === 0 ? context.question : query;
  const beside: WeighedText[] = [
    { text, weight: WHOLE_WEIGHT },
    { text: brief ?? '', weight: BRIEF_WEIGHT },
    { text: context?.question ?? '', weight: PARENT_WEIGHT },
    { text: [...(context?.claims ?? []), ...(context?.laterMessages ?? [])].join('\n'), weight: RECORDED_WEIGHT },
  ];
  const facets = facetsOf(text);
  const said = facets.filter((facet) => conceptsOf(`${facet.text} ${facet.context}`, index).length > 0);
  const asked = said.length > 0 ? said : facets.slice(0, 1);
  const folders = index.foldersNamedIn(text);
  return asked.map((facet) => {
    const concepts = withOtherSpellings(conceptsOfFacet(facet, index), corpus);
    const texts = [{ text: facet.text, weight: 1 }, { text: facet.context, weight: CONTEXT_SHARE }, ...beside];
    return { ...facet, concepts, folders, weights: weightsOf(concepts, beside, index), direction: directionOf(texts, corpus) };
  });
}

/** Those of what was said beside the question count less, but for a question that says hardly anything itself: "What did I do wrong?" */
function conceptsOfFacet({ text, context }: Facet, index: CorpusIndex): Concept[] {
  const own = conceptsOf(text, index);
  const share = own.length < 2 ? 1 : CONTEXT_SHARE;
  const others = conceptsOf(context, index).filter(({ word }) => !own.some((concept) => concept.word === word));
  return [...own, ...others.map((concept) => ({ ...concept, share }))];
}

interface WeighedText {
  text: string;
  weight: number;
}

function weightsOf(asked: readonly Concept[], beside: readonly WeighedText[], index: CorpusIndex): TermWeights {
  const weights = new Map<string, number>();
  const raise = (concepts: readonly Concept[], weight: number): void => {
    for (const { terms, parts, share } of concepts) {
      for (const term of parts) weights.set(term, Math.max(weight * share * PART_WEIGHT, weights.get(term) ?? 0));
      for (const term of terms) weights.set(term, Math.max(weight * share, weights.get(term) ?? 0));
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
