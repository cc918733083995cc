import type { ResearchRequest } from '../research-provider';
import type { CorpusOptions } from '../provider-configuration';
import type { CorpusIndex, Hit } from './corpus-index';
import type { Passage } from './passages';
import { coverage, understand, type Concept } from './question';
import { STRATEGIES } from './strategies';
import { similarity, termsOfPassage } from './terms';

/** What was found for a question: the raw response of this engine. */
export interface Retrieved {
  /** How many documents were searched. */
  documents: number;
  query: string;
  concepts: Concept[];
  /** Words of the question that no document has. */
  unknown: string[];
  /** What a term is worth in an answer. */
  values: [term: string, value: number][];
  /** Best first. */
  passages: Passage[];
}

/** Passages have at least this part of what the best one has of the question. */
const RELEVANT = 0.6;
/** Passages rank so high in comparison with the first. */
const RANKED = 0.3;
/** Passages that share more of their terms than this are versions of one text. */
const SAME = 0.8;
/** A methodical answer is made of so many times the passages of a fast one. */
const METHODICAL_DEPTH = 2;
/** Passages that are looked at for each one that is wanted. */
const CANDIDATES = 4;

export function retrieve(index: CorpusIndex, request: ResearchRequest, { strategy, breadth }: CorpusOptions): Retrieved {
  const question = understand(request, index);
  const limit = request.mode === 'methodical' ? breadth * METHODICAL_DEPTH : breadth;
  const found = STRATEGIES[strategy](index, question, limit * CANDIDATES);
  const passages = choose(found, question.concepts, limit);
  const values = Array.from(question.weights, ([term, weight]): [string, number] => [term, weight * index.rarity(term)]);
  const unknown = question.concepts.filter(({ terms, parts }) => ![...terms, ...parts].some((term) => index.has(term)));
  return {
    documents: index.documents,
    query: request.query,
    concepts: question.concepts,
    unknown: unknown.map(({ word }) => word),
    values,
    passages,
  };
}

/** The passages that compare with the best, none twice, not too many of one document. */
function choose(found: readonly Hit[], concepts: readonly Concept[], limit: number): Passage[] {
  const candidates = found.map(({ passage, score }) => {
    const { body, headings, document } = termsOfPassage(passage);
    const terms = new Set([...body, ...headings, ...document]);
    return { passage, score, body: new Set(body), coverage: coverage(concepts, terms) };
  });
  const best = Math.max(0, ...candidates.map((candidate) => candidate.coverage));
  const bestScore = candidates[0]?.score ?? 0;
  const chosen: typeof candidates = [];
  for (const candidate of candidates) {
    if (chosen.length >= limit) break;
    if (candidate.coverage < best * RELEVANT || candidate.score < bestScore * RANKED) continue;
    const ofDocument = chosen.filter(({ passage }) => passage.document === candidate.passage.document);
    if (ofDocument.length >= Math.ceil(limit / 2) || chosen.some(({ body }) => similarity(body, candidate.body) > SAME)) continue;
    chosen.push(candidate);
  }
  return chosen.map(({ passage }) => passage);
}
