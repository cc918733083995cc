import type { StepState } from '@lib/domain/job-state';

/** Why a step did not complete: the recorded error's text, or where there is none the reason in words. */
export function explainFailure({ failure }: StepState, content: object | undefined): string {
  if (content && 'errorMessage' in content) return String(content.errorMessage);
  switch (failure) {
    case 'budget':
      return 'Skipped: the budget left no room for this provider.';
    case 'deadline':
      return "Stopped: the job's deadline was reached.";
    case 'cancelled':
      return 'Stopped: the job was cancelled.';
    case 'lost':
      return 'Failed: the worker that ran this step was lost, and no further attempt was possible.';
    default:
      return `Failed: ${failure ?? 'unknown reason'}.`;
  }
}
