import type { JobState } from '@lib/domain/job/state';
import { isSettled, type StepState } from '@lib/domain/job/step';
import type { Store } from '@lib/store/store';
import { failureOf } from '@lib/store/views/explain-failure';
import type { JobContents } from '@lib/store/sealing/job-contents';
import type { ExploredTopic, SynthesisInput, SynthesisStep } from '@lib/synthesis/synthesis';

/** A job's question and its settled steps, as recorded; null if the content is gone, because the thread is being deleted. */
export async function recordedInput(store: Store, jobId: string, state: JobState): Promise<SynthesisInput | null> {
  const { threadId, researchMode: mode, budgetTier: tier } = state;
  const contents = store.contents.ofJob(jobId, threadId);
  const [query, steps] = await Promise.all([
    contents.question(),
    Promise.all(state.steps.filter(isSettled).map((step) => synthesisStep(step, state, contents))),
  ]);
  const whole = steps.filter((step) => step !== null);
  if (query === null || whole.length < steps.length) return null;
  return { query, mode, tier, steps: whole, explorationStop: state.exploration.stopReason };
}

/** The topic that a step explored; null for a step on the job's own question. */
export async function exploredTopic(step: StepState, contents: JobContents): Promise<ExploredTopic | null> {
  if (!step.topic) return null;
  const { topic, parent } = step.topic;
  const { text = '', rationale = '' } = (await contents.topic(step)) ?? {};
  return { topic, parent, text, rationale };
}

/** Null if its report is gone. */
async function synthesisStep(step: StepState, job: JobState, contents: JobContents): Promise<SynthesisStep | null> {
  const [report, errorMessage, topic] = await Promise.all([
    contents.report(step),
    contents.errorMessage(step),
    exploredTopic(step, contents),
  ]);
  if (step.status === 'completed' && !report) return null;
  return {
    stepId: step.stepId,
    provider: step.entry.provider,
    status: step.status as SynthesisStep['status'],
    reportMarkdown: report?.reportMarkdown ?? '',
    citations: report?.citations ?? [],
    errorMessage: failureOf(step, job, errorMessage),
    failure: step.failure,
    truncated: step.truncated,
    topic,
  };
}
