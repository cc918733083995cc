import type { CorpusStrategy } from '../provider-configuration';
import type { CorpusIndex, Hit, TermWeights } from './corpus-index';
import type { Question } from './question';
import { termsOfPassage } from './terms';

/** Finds passages for a question, best first. */
type Strategy = (index: CorpusIndex, question: Question, limit: number) => Hit[];

/** The best passages for what they say. */
const ranked: Strategy = (index, question, limit) => index.find(question.weights, { body: 1, headings: 1.2, document: 0.8 }, limit);

/** The sections whose headings, title and path promise an answer, whatever words they use; what they say decides among equals. */
const structural: Strategy = (index, question, limit) => {
  const saying = new Map(
    index.find(question.weights, { body: 1, headings: 0, document: 0 }, limit * 20).map(({ passage, score }) => [passage, score]),
  );
  const best = Math.max(1, ...saying.values());
  return index
    .find(question.weights, { body: 0, headings: 2, document: 1 }, limit * 10)
    .map(({ passage, score }) => ({ passage, score: score * (0.4 + (saying.get(passage) ?? 0) / best) }))
    .sort(byScore)
    .slice(0, limit);
};

const FEEDBACK_PASSAGES = 6;
const FEEDBACK_TERMS = 12;
const FEEDBACK_WEIGHT = 0.3;

/** The best passages for the question and for the words that go with it: those typical of the passages that rank first. */
const expansion: Strategy = (index, question, limit) => {
  const first = ranked(index, question, FEEDBACK_PASSAGES);
  const weights = new Map([...typicalTerms(index, first, question.weights), ...question.weights]);
  return index.find(weights, { body: 1, headings: 0.6, document: 0.4 }, limit);
};

function typicalTerms(index: CorpusIndex, hits: readonly Hit[], known: TermWeights): [string, number][] {
  const best = hits[0]?.score ?? 1;
  const values = new Map<string, number>();
  for (const { passage, score } of hits) {
    const terms = termsOfPassage(passage).body;
    for (const term of terms) {
      if (known.has(term) || /^\d/.test(term)) continue;
      values.set(term, (values.get(term) ?? 0) + ((score / best) * index.rarity(term)) / Math.max(terms.length, 30));
    }
  }
  const typical = Array.from(values).sort(([left, more], [right, less]) => less - more || (left < right ? -1 : 1));
  const top = typical[0]?.[1] ?? 1;
  return typical.slice(0, FEEDBACK_TERMS).map(([term, value]) => [term, (FEEDBACK_WEIGHT * value) / top]);
}

function byScore(left: Hit, right: Hit): number {
  return right.score - left.score;
}

export const STRATEGIES: Record<CorpusStrategy, Strategy> = { ranked, structural, expansion };
