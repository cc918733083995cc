import { areOpposite } from '@lib/language/reading/opposites';
import { isStopWord, stemOf, words } from '@lib/language/tokens';
import { cosine } from '@lib/language/word-vectors';

import type { ResearchRequest } from '../../research-provider';
import { yearsIn, type AskedYears } from '../question/asked-years';
import { CLOSE } from '../question/closeness';
import { FEW_WORDS, type Concept } from '../question/concept';
import type { Wanted } from '../question/facets';
import type { CorpusIndex } from '../index/corpus-index';
import type { SearchableCorpus } from '../index/keep-index';
import { areFew } from '../question/few-documents';
import type { CorpusStrategy } from './corpus-strategy';
import type { Passage } from '../formats/passages';
import { understand, type Question } from '../question/question';
import { selectPassages } from './select';
import { STRATEGIES } from './strategies';
import { synonymsOf } from '../question/synonyms';
import { termOf } from '../index/terms';

/** How passages are found, and how many for a fast answer. */
export interface FindingOptions {
  strategy: CorpusStrategy;
  breadth: number;
}

/** What was found for a request: the raw response of this engine. */
export interface Retrieved {
  /** How many documents were searched. */
  documents: number;
  /** Paths of files in the folder that could not be read. */
  unread: string[];
  query: string;
  /** Whether only headings and file names were searched, so that nothing is known about the texts. */
  byHeadings: boolean;
  /** Claims of the job that this one follows up, which the reader already knows. */
  known: readonly string[];
  /** At least one, in the order in which the questions were asked. */
  facets: RetrievedFacet[];
}

/** What was found for one question. */
export interface RetrievedFacet {
  text: string;
  wanted: Wanted[];
  /** Whether the question presupposes what it is about. */
  isGiven: boolean;
  concepts: Concept[];
  /** Folders that the question names, and whether these are surely meant. */
  folders: string[];
  surely: boolean;
  /** Words of the question that no document contains. */
  unknown: string[];
  years: AskedYears;
  /** Value of each further term in an answer: those of the brief and of the earlier job, but none of the question's own. */
  values: [term: string, value: number][];
  /** Words that mean about the same as one of the question. */
  close: [term: string, concept: string, closeness: number][];
  /** How like the question in meaning some stretches of the passages are: see `compareMeanings`. Empty if no model of sentences could be asked. */
  alike: [meaning: number, likeness: number][];
  /** How well some of them answer, from 0 up, by a model that reads them with the question: see `judgeRelevance`. Empty if it was not asked. */
  relevant: [meaning: number, relevance: number][];
  /** For each document of the passages, the question's words that occur anywhere in it. */
  said: [path: string, words: string[]][];
  /** The sections around what was found, as far as they are near, best first. */
  passages: Passage[];
}

/**
 * Among few documents (see `areFew`) so many times the passages are read, and worse ones: reading them costs little, and an answer may share little
 * with its question. Chosen on the five collections that were read; half and twice as much gave no more.
 */
const AMONG_FEW = { depth: 2, share: 0.5 };
/** See `Selection.relevant`. Lower for searches by meaning, because these are meant to find other wordings. */
const RELEVANT: Record<CorpusStrategy, number> = { lexical: 0.6, structural: 0.6, feedback: 0.6, fused: 0.5, dense: 0.35 };
/** See `Selection.ranked`. */
const RANKED = 0.3;
/** A methodical answer uses this many times the passages of a fast one. */
const METHODICAL_DEPTH = 2;
/** Fewest passages for each question, if there are several. */
const MIN_PASSAGES = 3;
/** How many candidates are examined for each passage needed. */
const CANDIDATES = 4;
/** How many passages before and after a found one are read with it. */
const REACH = 4;
/** Closeness of two words that askers and authors of documentation use for each other. */
const SYNONYM = 0.75;

export function retrieve(corpus: SearchableCorpus, request: ResearchRequest, options: FindingOptions): Retrieved {
  const questions = understand(request, corpus);
  const wanted = request.mode === 'methodical' ? options.breadth * METHODICAL_DEPTH : options.breadth;
  const limit = questions.length === 1 ? wanted : Math.max(Math.min(wanted, MIN_PASSAGES), Math.ceil(wanted / questions.length));
  return {
    documents: corpus.index.documents,
    unread: corpus.index.unread,
    query: request.query,
    byHeadings: options.strategy === 'structural',
    known: request.context?.claims ?? [],
    facets: questions.map((question) => retrieveFacet(corpus, question, options.strategy, limit)),
  };
}

function retrieveFacet(corpus: SearchableCorpus, question: Question, strategy: CorpusStrategy, most: number): RetrievedFacet {
  const { index } = corpus;
  const { depth, share } = areFew(index.documents) ? AMONG_FEW : { depth: 1, share: 1 };
  const limit = most * depth;
  const { text, wanted, isGiven, concepts, weights, folders, favour } = question;
  const found = STRATEGIES[strategy](index, question, limit * CANDIDATES);
  const chosen = selectPassages(index, found, { concepts, limit, relevant: RELEVANT[strategy] * share, ranked: RANKED * share, favour });
  const passages = sectionsAround(chosen, index);
  const own = new Set(concepts.flatMap(({ terms, parts }) => [...terms, ...parts]));
  const values = Array.from(weights, ([term, weight]): [string, number] => [term, weight * index.rarity(term)]);
  const unknown = concepts.filter(({ terms, parts }) => ![...terms, ...parts].some((term) => index.has(term)));
  const years = yearsIn(text, index);
  return {
    text,
    wanted,
    isGiven,
    concepts,
    folders,
    surely: favour !== null,
    unknown: [...unknown.map(({ word }) => word), ...years.missing],
    years,
    values: values.filter(([term]) => !own.has(term)),
    close: [...synonyms(concepts), ...closeWords(passages, question, corpus)],
    alike: [],
    relevant: [],
    said: saidIn(chosen, concepts, index),
    passages,
  };
}

/** Each section once, in the order of its best passage. */
export function sectionsAround(passages: readonly number[], index: CorpusIndex): Passage[] {
  const read = new Set<number>();
  return passages.flatMap((passage) => {
    const found = read.has(passage) ? undefined : index.section(passage, REACH);
    for (const number of found?.numbers ?? []) read.add(number);
    return found?.section ?? [];
  });
}

function saidIn(passages: readonly number[], concepts: readonly Concept[], index: CorpusIndex): RetrievedFacet['said'] {
  const ofFile = new Map(passages.map((passage) => [index.fileOfPassage(passage)?.path ?? '', passage]));
  return Array.from(ofFile, ([path, passage]) => {
    const has = (term: string): boolean => index.documentHas(term, passage);
    const isSaid = ({ terms, parts }: Concept): boolean => terms.some(has) || (parts.length > 0 && parts.every(has));
    return [path, concepts.filter(isSaid).map(({ word }) => word)];
  });
}

/** Other words that the question may mean by its own. */
function synonyms(concepts: readonly Concept[]): RetrievedFacet['close'] {
  return concepts.flatMap(({ word, terms, isName }) =>
    isName ? [] : terms.flatMap(synonymsOf).map((term): RetrievedFacet['close'][number] => [term, word, SYNONYM]),
  );
}

/** Words in the sections that mean about the same as a word of the question. */
function closeWords(
  passages: readonly Passage[],
  { concepts, favour }: Question,
  { index, vectors }: SearchableCorpus,
): RetrievedFacet['close'] {
  const known = new Set(concepts.flatMap(({ terms }) => terms));
  const isLoose = favour === null && areFew(index.documents) && concepts.length > FEW_WORDS;
  const least = isLoose ? CLOSE.loose : CLOSE.strict;
  const asked = concepts.flatMap(({ word, isName }) => {
    const vector = isName ? null : vectors.vectorOf(word);
    return vector ? [{ word, vector }] : [];
  });
  const said = new Set(passages.flatMap(({ chunks, headings }) => [...headings, ...chunks.map(({ text }) => text)].flatMap(words)));
  return [...said].flatMap((word): RetrievedFacet['close'] => {
    const term = isStopWord(word) ? undefined : termOf(word);
    const vector = term === undefined || known.has(term) || !index.has(term) ? null : vectors.vectorOf(word);
    if (term === undefined || !vector) return [];
    return asked.flatMap((concept): RetrievedFacet['close'] => {
      const closeness = cosine(concept.vector, vector);
      // Words used in similar contexts may be opposites: minimum and maximum.
      return closeness < least || areOpposite(stemOf(concept.word), stemOf(word)) ? [] : [[term, concept.word, closeness]];
    });
  });
}
