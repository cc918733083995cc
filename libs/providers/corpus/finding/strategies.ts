import type { CorpusIndex, TermWeights } from '../index/corpus-index';
import type { Hit } from '../index/gains';
import type { CorpusStrategy } from './corpus-strategy';
import type { Question } from '../question/question';

/** What a strategy looks for. */
export type Sought = Pick<Question, 'weights' | 'direction' | 'favour'>;
/** Finds passages for a question, best first. */
type Strategy = (index: CorpusIndex, sought: Sought, limit: number) => Hit[];

/** Passages with the words of the question (BM25). */
const lexical: Strategy = (index, { weights, favour }, limit) =>
  index.find(weights, { body: 1, headings: 1.2, document: 0.8 }, limit, favour);

/** Passages of similar meaning, in whatever words. */
const dense: Strategy = (index, { direction, favour }, limit) => (direction ? index.nearest(direction, limit, favour) : []);

/** Sections whose headings, title and path match the question; their text decides between similar scores. */
const structural: Strategy = (index, { weights, favour }, limit) => {
  const saying = new Map(
    index.find(weights, { body: 1, headings: 0, document: 0 }, limit * 20, favour).map(({ passage, score }) => [passage, score]),
  );
  const best = Math.max(1, ...saying.values());
  return index
    .find(weights, { body: 0, headings: 2, document: 1 }, limit * 10, favour)
    .map(({ passage, score }) => ({ passage, score: score * (0.4 + (saying.get(passage) ?? 0) / best) }))
    .sort(byScore)
    .slice(0, limit);
};

const FEEDBACK_PASSAGES = 6;
const FEEDBACK_TERMS = 12;
const FEEDBACK_WEIGHT = 0.3;

/** Passages for the question's words and for words typical of the passages that rank first. */
const feedback: Strategy = (index, sought, limit) => {
  const first = lexical(index, sought, FEEDBACK_PASSAGES);
  const weights = new Map([...typicalTerms(index, first, sought.weights), ...sought.weights]);
  return index.find(weights, { body: 1, headings: 0.6, document: 0.4 }, limit, sought.favour);
};

function typicalTerms(index: CorpusIndex, hits: readonly Hit[], known: TermWeights): [string, number][] {
  const best = hits[0]?.score ?? 1;
  const values = new Map<string, number>();
  for (const { passage, score } of hits) {
    const terms = index.termsOf(passage, 'body');
    for (const term of terms) {
      if (known.has(term) || /^\d/.test(term)) continue;
      values.set(term, (values.get(term) ?? 0) + ((score / best) * index.rarity(term)) / Math.max(terms.length, 30));
    }
  }
  const typical = Array.from(values).sort(([left, more], [right, less]) => less - more || (left < right ? -1 : 1));
  const top = typical[0]?.[1] ?? 1;
  return typical.slice(0, FEEDBACK_TERMS).map(([term, value]) => [term, (FEEDBACK_WEIGHT * value) / top]);
}

/**
 * Smoothing and weights of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), chosen on the tuning half of
 * `make bench-retrieval`.
 */
const RANK_SMOOTHING = 10;
const FUSED: readonly [strategy: Strategy, worth: number][] = [
  [lexical, 2],
  [structural, 1],
  [feedback, 1],
  [dense, 0.5],
];
const FUSED_DEPTH = 100;

/** Combines the other strategies: passages that several rank high come first. */
const fused: Strategy = (index, sought, limit) => {
  const scores = new Map<number, number>();
  for (const [strategy, worth] of FUSED) {
    for (const [rank, { passage }] of strategy(index, sought, Math.max(limit, FUSED_DEPTH)).entries()) {
      scores.set(passage, (scores.get(passage) ?? 0) + worth / (RANK_SMOOTHING + rank + 1));
    }
  }
  return Array.from(scores, ([passage, score]) => ({ passage, score }))
    .sort(byScore)
    .slice(0, limit);
};

function byScore(left: Hit, right: Hit): number {
  return right.score - left.score || left.passage - right.passage;
}

export const STRATEGIES: Record<CorpusStrategy, Strategy> = { lexical, dense, structural, feedback, fused };
