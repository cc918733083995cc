import type { Citation } from '@lib/domain/citation';
import { isSettled, type JobState, type StepState } from '@lib/domain/job-state';
import type { Store } from '@lib/store/store';
import { explainFailure } from '@lib/store/views/explain-failure';
import type { SynthesisInput, SynthesisStep } from '@lib/synthesis/synthesis';

/** A job's question and its settled steps, as recorded; null if the content is gone, because the thread is being deleted. */
export async function recordedInput(store: Store, jobId: string, state: JobState): Promise<SynthesisInput | null> {
  const { threadId, researchMode: mode, budgetTier: tier } = state;
  const versions = [1, ...state.steps.flatMap(({ contentVersion }) => contentVersion ?? [])];
  const contents = await store.contents.read(versions.map((version) => ({ streamId: jobId, version, threadId })));
  if (contents.includes(null)) return null;
  const byVersion = new Map(versions.map((version, place) => [version, contents[place] as object]));
  const { query } = byVersion.get(1) as { query: string };
  const steps = state.steps.filter(isSettled).map((step) => synthesisStep(step, byVersion.get(step.contentVersion ?? 0)));
  return { query, mode, tier, steps };
}

function synthesisStep(step: StepState, content: object | undefined): SynthesisStep {
  const report = step.status === 'completed' ? (content as { reportMarkdown: string; citations: Citation[] }) : null;
  return {
    stepId: step.stepId,
    provider: step.entry.provider,
    status: step.status as SynthesisStep['status'],
    reportMarkdown: report?.reportMarkdown ?? '',
    citations: report?.citations ?? [],
    errorMessage: report ? null : explainFailure(step, content),
    failure: step.failure,
    truncated: step.truncated,
  };
}
