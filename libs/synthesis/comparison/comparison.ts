import { stemsOf } from '@lib/language/reading/lexicon';
import type { Statement } from '../statement/statement';
import type { Terms } from './numbered-terms';
import { candidatePairs, type Pairs } from './candidate-pairs';
import { Similarity } from './similarity';

/** Limits of the pair search: for each of a statement's rarest terms at most this many statements of each other step, fewer in a large job. */
const RAREST_TERMS = { ofShort: 8, ofLong: 12 };
const MAX_PER_TERM_AND_STEP = 8;
const MAX_PER_TERM = 16_000;

/** Vague quantities, which hardly distinguish statements. */
const VAGUE = stemsOf('several numerous various many multiple different other');

/** The statements of a job and how similar they are. */
export interface Comparison {
  /** The clauses of sentences that are divided, and the undivided sentences. */
  statements: readonly Statement[];
  /** By the position of a statement: its whole sentence. */
  sentences: readonly Statement[];
  /** The same, but for a coordinated sentence only the part that the statement belongs to. */
  joined: readonly Statement[];
  /** Indexed by the positions of the statements, followed by the divided sentences. */
  similarity: Similarity;
  /** The position in `similarity` of each statement, sentence and added part. Statements that are never compared have none. */
  places: ReadonlyMap<Statement, number>;
  /** Adds a part of a statement to `similarity` and returns its position. */
  takeIn: (part: Statement) => number;
  /** Pairs of statements of different steps that are worth comparing, lower position first. */
  pairs: Pairs;
  /** Stems of the question. */
  question: Terms;
}

/** Pass the sentences in a fixed order, because positions break ties. Terms of the question hardly distinguish statements, so they weigh little. */
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
