import type { PairMeasures } from '@lib/synthesis/judgement/pair-measures';

/** A pair of claims with what a reader said of it. */
export interface Example {
  measures: PairMeasures;
  /** What it is about: pairs of one question are never parted between fitting and testing. */
  query: string;
  is: boolean;
}

export interface Fitted {
  bias: number;
  weights: Partial<PairMeasures>;
}

/** Keeps weights small where there are few examples: in units of one example. */
const RIDGE = 3;
const ROUNDS = 400;
const FOLDS = 8;

/** Logistic regression on the named measures, by gradient descent on standardized values, with weights for the values as measured. */
export function fit(examples: readonly Example[], names: readonly (keyof PairMeasures)[]): Fitted {
  const scales = names.map((name) => scaleOf(examples.map(({ measures }) => measures[name])));
  const rows = examples.map(({ measures }) =>
    names.map((name, at) => (measures[name] - (scales[at]?.mean ?? 0)) / (scales[at]?.deviation ?? 1)),
  );
  const weights = names.map(() => 0);
  let bias = 0;
  const step = 4 / examples.length;
  for (let round = 0; round < ROUNDS; round += 1) {
    const slopes = weights.map((weight) => -RIDGE * weight);
    let slope = 0;
    for (const [place, row] of rows.entries()) {
      const sum = row.reduce((total, value, at) => total + value * (weights[at] ?? 0), bias);
      const error = (examples[place]?.is ? 1 : 0) - 1 / (1 + Math.exp(-sum));
      slope += error;
      for (const [at, value] of row.entries()) slopes[at] = (slopes[at] ?? 0) + error * value;
    }
    bias += step * slope;
    for (const [at, value] of slopes.entries()) weights[at] = (weights[at] ?? 0) + (step / 2) * value;
  }
  const unscaled = weights.map((weight, at) => weight / (scales[at]?.deviation ?? 1));
  return {
    bias: bias - unscaled.reduce((sum, weight, at) => sum + weight * (scales[at]?.mean ?? 0), 0),
    weights: Object.fromEntries(names.map((name, at) => [name, unscaled[at] ?? 0])),
  };
}

function scaleOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
  return { mean, deviation };
}

/** For each example the chance by a fit on the other questions, and on `beside` as well. */
export function crossValidated(
  examples: readonly Example[],
  beside: readonly Example[],
  names: readonly (keyof PairMeasures)[],
  chanceBy: (fitted: Fitted, measures: PairMeasures) => number,
): { example: Example; chance: number }[] {
  const queries = [...new Set(examples.map(({ query }) => query))];
  const foldOf = new Map(queries.map((query, place) => [query, place % FOLDS]));
  return Array.from({ length: FOLDS }, (_, fold) => {
    const fitted = fit([...examples.filter(({ query }) => foldOf.get(query) !== fold), ...beside], names);
    return examples
      .filter(({ query }) => foldOf.get(query) === fold)
      .map((example) => ({ example, chance: chanceBy(fitted, example.measures) }));
  }).flat();
}
