import { inertText } from '../markdown-text';
import type { SynthesisStep } from '../synthesis';
import { section, shortened } from './wording';

/** A step as the report speaks of it; `statementCount` is how many sentences of its report could become claims. */
export interface ReportedStep extends SynthesisStep {
  statementCount: number;
}

const MAX_ERROR = 300;

/** Whose report is missing from the answer, in whole or in part, and why. An error is told, never counted as evidence. */
export function shortfallSection(steps: readonly ReportedStep[]): string[] {
  return section(
    '## What is missing',
    steps.flatMap((step) => {
      const shortfall = step.status === 'completed' ? shortfallOfReport(step) : reasonOf(step);
      return shortfall === null ? [] : [`- ${step.provider} ${shortfall}`];
    }),
  );
}

function shortfallOfReport({ truncated, statementCount, citations }: ReportedStep): string | null {
  if (truncated) return 'reported more than a message may hold: the end of its report was cut off and is not in this answer.';
  if (statementCount > 0) return null;
  return citations.length === 0 ? 'reported without naming a source.' : 'reported nothing that could be taken as a claim.';
}

function reasonOf({ status, failure, errorMessage }: ReportedStep): string {
  const begun = status === 'failed' ? 'was stopped' : 'was not asked';
  switch (failure) {
    case 'budget':
      return `${begun}: the budget left no room for it.`;
    case 'deadline':
      return `${begun}: the deadline of the job was reached.`;
    case 'cancelled':
      return `${begun}: the job was cancelled.`;
    default: {
      const kind = failure === null ? '' : ` (${failure})`;
      return `failed${kind}: ${inertText(shortened(errorMessage ?? 'no reason was recorded.', MAX_ERROR))}`;
    }
  }
}
