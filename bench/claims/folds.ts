import { createHash } from 'node:crypto';
import type { Confidence } from '@lib/domain/vocabulary';
import { figuresOf, type Figures, type JudgedTopic } from './figures';

const FOLDS = 5;
const DRAWS = 2_000;

/** Bounds that hold the middle 95 % of the draws, and how many facts were false in each fold. */
export interface Spread {
  confidence: Confidence;
  low: number;
  high: number;
  folds: { facts: number; falseFacts: number }[];
}

/** The topics in five parts by the SHA-256 of their names: what was chosen on some of them has to hold on the others. */
function foldsOf(topics: readonly JudgedTopic[]): JudgedTopic[][] {
  const foldOf = ({ name }: JudgedTopic): number => (createHash('sha256').update(name).digest()[0] ?? 0) % FOLDS;
  return Array.from({ length: FOLDS }, (_, fold) => topics.filter((topic) => foldOf(topic) === fold));
}

/** How far the share of true facts would vary with other topics, by bootstrap. Facts of one topic depend on each other, so whole topics are drawn. */
export function spreadOf(topics: readonly JudgedTopic[], confidence: Confidence): Spread {
  const level = (figures: Figures): { facts: number; trueFacts: number } =>
    figures.levels.find((one) => one.confidence === confidence) ?? { facts: 0, trueFacts: 0 };
  const single = topics.map((topic) => level(figuresOf([topic])));
  const random = repeatableRandom();
  const shares = Array.from({ length: DRAWS }, () => shareOfDraw(single, random)).sort((one, other) => one - other);
  const folds = foldsOf(topics).map((fold) => {
    const { facts, trueFacts } = level(figuresOf(fold));
    return { facts, falseFacts: facts - trueFacts };
  });
  return { confidence, low: shares[Math.floor(0.025 * DRAWS)] ?? 0, high: shares[Math.floor(0.975 * DRAWS)] ?? 0, folds };
}

function shareOfDraw(topics: readonly { facts: number; trueFacts: number }[], random: () => number): number {
  let facts = 0;
  let trueFacts = 0;
  for (let drawn = 0; drawn < topics.length; drawn += 1) {
    const topic = topics[Math.floor(random() * topics.length)];
    facts += topic?.facts ?? 0;
    trueFacts += topic?.trueFacts ?? 0;
  }
  return facts === 0 ? 0 : trueFacts / facts;
}

/** A linear congruential generator (Park and Miller): the same draws in every run. */
function repeatableRandom(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
