import type { SynthesisInput, SynthesisStep } from '../synthesis';
import { reportsByStep } from '../step-order';

/** A report with its name in the prompt. */
export interface NamedReport {
  name: string;
  step: SynthesisStep;
}

/** The reports of a job in a fixed order. */
export function namedReports({ steps }: SynthesisInput): NamedReport[] {
  return reportsByStep(steps).map((step, place) => ({ name: `R${String(place + 1)}`, step }));
}

/** Agreement and dispute need at least two providers. */
export function canBeCompared({ steps }: SynthesisInput): boolean {
  return new Set(steps.flatMap(({ status, provider }) => (status === 'completed' ? [provider] : []))).size > 1;
}
