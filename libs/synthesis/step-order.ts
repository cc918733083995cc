import type { SynthesisStep } from './synthesis';

/** By UTF-16 units, the same on every machine. */
export function byText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

type Placed = Pick<SynthesisStep, 'provider' | 'stepId'>;

/** The order in which statements of steps are compared and shown: by provider, then by step. */
export const byProviderAndStep = (one: Placed, other: Placed): number =>
  byText(one.provider, other.provider) || byText(one.stepId, other.stepId);

/** The steps with a report, ordered by their ids alone, so that every model is given a step in the same place. */
export const reportsByStep = (steps: readonly SynthesisStep[]): SynthesisStep[] =>
  steps.filter(({ status }) => status === 'completed').toSorted((one, other) => byText(one.stepId, other.stepId));
