import type { SynthesisInput, SynthesisStep } from '../synthesis';

/** A report under the name that it has for a model. */
export interface NamedReport {
  name: string;
  step: SynthesisStep;
}

/** The reports of a job in a fixed order. */
export function namedReports({ steps }: SynthesisInput): NamedReport[] {
  return steps
    .filter(({ status }) => status === 'completed')
    .toSorted((a, b) => (a.stepId < b.stepId ? -1 : 1))
    .map((step, place) => ({ name: `R${String(place + 1)}`, step }));
}

/** Two providers are needed to agree or to differ. */
export function canBeCompared({ steps }: SynthesisInput): boolean {
  return new Set(steps.flatMap(({ status, provider }) => (status === 'completed' ? [provider] : []))).size > 1;
}
