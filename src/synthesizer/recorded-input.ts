import type { Citation } from '@lib/domain/citation';
import type { TopicsPlanned } from '@lib/domain/job/events';
import type { JobState } from '@lib/domain/job/state';
import { isSettled, type StepState } from '@lib/domain/job/step';
import type { Store } from '@lib/store/store';
import { explainFailure } from '@lib/store/views/explain-failure';
import type { ExploredTopic, SynthesisInput, SynthesisStep } from '@lib/synthesis/synthesis';

/** A job's question and its settled steps, as recorded; null if the content is gone, because the thread is being deleted. */
export async function recordedInput(store: Store, jobId: string, state: JobState): Promise<SynthesisInput | null> {
  const { threadId, researchMode: mode, budgetTier: tier } = state;
  const versions = [1, ...new Set(state.steps.flatMap(({ contentVersion, topic }) => [contentVersion ?? [], topic?.version ?? []].flat()))];
  const contents = await store.contents.read(versions.map((version) => ({ streamId: jobId, version, threadId })));
  if (contents.includes(null)) return null;
  const byVersion = new Map(versions.map((version, place) => [version, contents[place] as object]));
  const { query } = byVersion.get(1) as { query: string };
  const steps = state.steps.filter(isSettled).map((step) => ({
    ...synthesisStep(step, state, byVersion.get(step.contentVersion ?? 0)),
    topic: exploredTopic(step, byVersion.get(step.topic?.version ?? 0)),
  }));
  return { query, mode, tier, steps, explorationStop: state.exploration.stopReason };
}

/** What was asked of a step that followed a topic; null for one that asked the job's question. */
export function exploredTopic({ topic }: StepState, planned: object | null | undefined): ExploredTopic | null {
  if (!topic) return null;
  const { topics } = (planned ?? { topics: [] }) as NonNullable<TopicsPlanned['content']>;
  const { text = '', rationale = '' } = topics.find((other) => other.topic === topic.topic) ?? {};
  return { topic: topic.topic, parent: topic.parent, text, rationale };
}

function synthesisStep(step: StepState, job: JobState, content: object | undefined): SynthesisStep {
  const report = step.status === 'completed' ? (content as { reportMarkdown: string; citations: Citation[] }) : null;
  return {
    stepId: step.stepId,
    provider: step.entry.provider,
    status: step.status as SynthesisStep['status'],
    reportMarkdown: report?.reportMarkdown ?? '',
    citations: report?.citations ?? [],
    errorMessage: report ? null : explainFailure(step, job, content),
    failure: step.failure,
    truncated: step.truncated,
  };
}
