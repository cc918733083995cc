import { inertText } from '../markdown-text';
import type { SynthesisStep } from '../synthesis';
import { quoted, section, shortened } from './wording';

/** A step as the report speaks of it; `statementCount` is how many sentences of its report could become claims. */
export interface ReportedStep extends SynthesisStep {
  statementCount: number;
}

const MAX_ERROR = 400;

/** Whose report is missing from the answer, in whole or in part, and why. An error is told, never counted as evidence. */
export function shortfallSection(steps: readonly ReportedStep[]): string[] {
  return section(
    '## What is missing',
    steps.flatMap((step) => {
      const shortfall = step.status === 'completed' ? shortfallOfReport(step) : reasonOf(step);
      const about = step.topic ? ` on “${quoted(step.topic.text)}”` : '';
      return shortfall === null ? [] : [`- ${step.provider}${about} ${shortfall}`];
    }),
  );
}

function shortfallOfReport({ truncated, statementCount, citations }: ReportedStep): string | null {
  if (truncated) return 'reported more than a message may hold: the end of its report was cut off and is not in this answer.';
  if (statementCount > 0) return null;
  return citations.length === 0 ? 'reported without naming a source.' : 'reported nothing that could be taken as a claim.';
}

/** Where the job itself cut the step short, the recorded reason begins with what was done. */
function reasonOf({ status, failure, errorMessage }: ReportedStep): string {
  const reason = inertText(withoutMiddle(errorMessage ?? 'no reason was recorded.'));
  const isOwn = status === 'skipped' || failure === 'deadline' || failure === 'cancelled';
  return isOwn ? `— ${reason}` : `failed${failure === null ? '' : ` (${failure})`}: ${reason}`;
}

/** A provider's words come first, and why nothing was tried again comes last. */
function withoutMiddle(text: string): string {
  if (text.length <= MAX_ERROR) return text;
  return `${shortened(text, MAX_ERROR / 2)} ${text
    .slice(-MAX_ERROR / 2)
    .replace(/^\S*\s/, '')
    .toWellFormed()}`;
}
