import { stemsOf } from '@lib/language/reading/lexicon';
import type { Statement } from '../statement/statement';
import type { Terms } from './numbered-terms';
import { candidatePairs, type Pairs } from './candidate-pairs';
import { Similarity } from './similarity';

/** Bounds of the search for pairs: for each of a statement's rarest terms so many statements of each other step, fewer in a large job. */
const RAREST_TERMS = { ofShort: 8, ofLong: 12 };
const MAX_PER_TERM_AND_STEP = 8;
const MAX_PER_TERM = 16_000;

/** Of how many or how much something is said, they hardly tell. */
const VAGUE = stemsOf('several numerous various many multiple different other');

/** The statements of a job with what is known about their likeness. */
export interface Comparison {
  /** The clauses of the sentences that have some, and the other sentences. */
  statements: readonly Statement[];
  /** By the position of a statement: the whole sentence that it stands in. */
  sentences: readonly Statement[];
  /** The same, but of a sentence that joins several only the one that the statement belongs to. */
  joined: readonly Statement[];
  /** Of the statements by their positions, then of the sentences that have clauses. */
  similarity: Similarity;
  /** Where each statement, sentence and part that was taken in stands in the similarity; what is compared with nothing has none. */
  places: ReadonlyMap<Statement, number>;
  /** Gives a part of a statement a place in the similarity, and returns that. */
  takeIn: (part: Statement) => number;
  /** Positions of statements of different steps that are worth comparing, lower first. */
  pairs: Pairs;
  /** Stems of the question. */
  question: Terms;
}

/** Give the sentences in a fixed order: positions break ties. The terms of the question tell hardly anything apart. */
export function compare(sentences: readonly Statement[], question: Terms = new Set()): Comparison {
  const statements: Statement[] = [];
  const sentenceOf: Statement[] = [];
  for (const sentence of sentences) {
    for (const statement of sentence.clauses.length > 0 ? sentence.clauses : [sentence]) {
      statements.push(statement);
      sentenceOf.push(sentence);
    }
  }
  const joined = sentenceOf.map((sentence, at) => statements[at]?.within ?? sentence);
  const all = [...new Set([...statements, ...sentences.filter(({ clauses }) => clauses.length > 0), ...joined])];
  const similarity = new Similarity(
    all.map(({ stems }) => stems),
    new Set([...question, ...VAGUE]),
  );
  const steps = statements.map(({ stepId }) => stepId);
  const places = new Map(all.map((statement, place) => [statement, place]));
  const most = Math.min(MAX_PER_TERM_AND_STEP, Math.ceil(MAX_PER_TERM / statements.length));
  return {
    statements,
    sentences: sentenceOf,
    joined,
    similarity,
    places,
    takeIn: (part) => {
      const place = similarity.add(part.stems);
      places.set(part, place);
      return place;
    },
    pairs: candidatePairs(similarity, steps, RAREST_TERMS, most),
    question,
  };
}
