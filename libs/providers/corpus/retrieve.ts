import { words } from '@lib/language/tokens';
import { cosine } from '@lib/language/word-vectors';

import type { ResearchRequest } from '../research-provider';
import type { Concept } from './concept';
import type { Wanted } from './facets';
import type { SearchableCorpus } from './keep-index';
import type { CorpusOptions, CorpusStrategy } from './options';
import type { Passage } from './passages';
import { understand, type Question } from './question';
import { selectPassages } from './select';
import { STRATEGIES } from './strategies';
import { termsOf } from './terms';

/** What was found for a request: the raw response of this engine. */
export interface Retrieved {
  /** How many documents were searched. */
  documents: number;
  query: string;
  /** Claims of the job that this one pursues, which the reader knows already. */
  known: readonly string[];
  /** At least one, in the order of the questions. */
  facets: RetrievedFacet[];
}

/** What was found for one question. */
export interface RetrievedFacet {
  text: string;
  wanted: Wanted;
  concepts: Concept[];
  /** Words of the question that no document has. */
  unknown: string[];
  /** Value of each term in an answer. */
  values: [term: string, value: number][];
  /** Best first. */
  passages: Passage[];
}

/** See `Selection.relevant`. Lower for searches by meaning, which are meant to find other wordings. */
const RELEVANT: Record<CorpusStrategy, number> = { lexical: 0.6, structural: 0.6, feedback: 0.6, fused: 0.5, dense: 0.35 };
/** A methodical answer uses this many times the passages of a fast one. */
const METHODICAL_DEPTH = 2;
/** Fewest passages for each of several questions. */
const LEAST_PASSAGES = 3;
/** Passages examined for each one that is needed. */
const CANDIDATES = 4;
/** Words at least this similar to one of the question have value in an answer found by meaning. */
const CLOSE = 0.55;
const CLOSE_WORTH = 0.5;

export function retrieve(corpus: SearchableCorpus, request: ResearchRequest, options: CorpusOptions): Retrieved {
  const questions = understand(request, corpus);
  const wanted = request.mode === 'methodical' ? options.breadth * METHODICAL_DEPTH : options.breadth;
  const limit = questions.length === 1 ? wanted : Math.max(Math.min(wanted, LEAST_PASSAGES), Math.ceil(wanted / questions.length));
  return {
    documents: corpus.index.documents,
    query: request.query,
    known: request.context?.claims ?? [],
    facets: questions.map((question) => retrieveFacet(corpus, question, options.strategy, limit)),
  };
}

function retrieveFacet(corpus: SearchableCorpus, question: Question, strategy: CorpusStrategy, limit: number): RetrievedFacet {
  const { index } = corpus;
  const { text, wanted, concepts, weights } = question;
  const found = STRATEGIES[strategy](index, question, limit * CANDIDATES);
  const chosen = selectPassages(index, found, { concepts, limit, relevant: RELEVANT[strategy] });
  const passages = chosen.flatMap((number) => index.passage(number) ?? []);
  const values = new Map(Array.from(weights, ([term, weight]) => [term, weight * index.rarity(term)]));
  if (strategy === 'dense' || strategy === 'fused') addCloseWords(values, passages, question, corpus);
  const unknown = concepts.filter(({ terms, parts }) => ![...terms, ...parts].some((term) => index.has(term)));
  return { text, wanted, concepts, unknown: unknown.map(({ word }) => word), values: [...values], passages };
}

/** Gives words that mean about the same as one of the question a share of its value. */
function addCloseWords(
  values: Map<string, number>,
  passages: readonly Passage[],
  { concepts }: Question,
  { index, vectors }: SearchableCorpus,
): void {
  const asked = concepts.flatMap(({ word, rarity }) => {
    const vector = vectors.vectorOf(word);
    return vector ? [{ vector, rarity }] : [];
  });
  const said = new Set(passages.flatMap(({ chunks }) => chunks.flatMap(({ text }) => words(text))));
  for (const word of said) {
    const term = termsOf(word)[0];
    const vector = term === undefined || values.has(term) ? null : vectors.vectorOf(word);
    if (term === undefined || !vector) continue;
    const worths = asked.map((concept) => {
      const closeness = cosine(concept.vector, vector);
      return closeness < CLOSE ? 0 : CLOSE_WORTH * closeness * Math.min(concept.rarity, index.rarity(term));
    });
    const worth = Math.max(0, ...worths);
    if (worth > 0) values.set(term, worth);
  }
}
