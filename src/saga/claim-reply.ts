import { setTimeout as sleep } from 'node:timers/promises';
import type { JobState } from '@lib/domain/job/state';
import type { StepState } from '@lib/domain/job/step';
import { stepTimeLeftMs } from '@lib/domain/job/time-left';
import { beforeMarkup } from '@lib/domain/money';
import type { Grant } from '@lib/domain/job/grant';
import type { ClaimGranted, ClaimReply } from '@lib/messaging/saga-messages';
import type { Store } from '@lib/store/store';
import type { ExploredTopic } from '@lib/synthesis/synthesis';
import { exploredTopic, recordedInput } from '../reports/recorded-input';
import type { RunTask } from '../reports/report-pool';
import { pursuitContext } from './pursuit-context';

/** The brief has to be ready within this time. The worker waits longer for its claim. */
const BRIEF_WITHIN_MS = 3_000;

/** What a step asks, and what the provider is told besides the question. */
export interface StepQuestion {
  /** Null if the thread was deleted. */
  question: string | null;
  topic: ExploredTopic | null;
  context: ClaimGranted['context'];
}

/**
 * @throws Unsealable if the question, the topic or the id of the run to be resumed cannot be opened. What was found before is optional, and left out.
 */
export async function stepQuestion(
  store: Store,
  jobId: string,
  { threadId, parentJobId }: JobState,
  step: StepState,
): Promise<StepQuestion> {
  const contents = store.contents.ofJob(jobId, threadId);
  const resumed = step.runs.find(({ run }) => step.retry?.resumes === true && run === step.retry.run);
  const [question, topic, context] = await Promise.all([
    contents.question(),
    exploredTopic(step, contents),
    parentJobId === null ? null : pursuitContext(store.views, threadId, parentJobId).catch(store.tellUnsealable),
    resumed && contents.externalId(resumed),
  ]);
  return { question, topic, context };
}

/** The answer to a granted claim. The brief is made at claim time, so that a later wave is told what earlier waves found. */
export async function claimReply(
  { store, runTask }: { store: Store; runTask: RunTask },
  { question, topic, context }: StepQuestion,
  jobId: string,
  state: JobState,
  { step, attempt, run }: Extract<Grant, { granted: true }>,
): Promise<ClaimReply> {
  const [externalId, brief] = await Promise.all([
    store.contents.ofJob(jobId, state.threadId).externalId(run),
    state.researchMode === 'methodical' ? briefFor(store, runTask, jobId, state) : null,
  ]);
  // The thread was deleted meanwhile, and the attempt has ended with the job.
  if (question === null) return { granted: false, reason: 'job_final' };
  return {
    granted: true,
    attempt: attempt.attempt,
    provider: step.entry.provider,
    adapter: step.entry.adapter,
    model: step.entry.model,
    query: topic?.text ?? question,
    brief,
    context: topic === null ? context : { claims: [], laterMessages: [], ...context, question },
    mode: state.researchMode,
    reservedMicros: beforeMarkup(run.reservedMicros, state.markupBasisPoints),
    deadlineMs: deadlineIn(state, step, store.now()),
    externalId,
  };
}

/** A brief helps a provider but is optional: null if making it fails or takes too long, or if a report cannot be opened. */
async function briefFor(store: Store, runTask: RunTask, jobId: string, state: JobState): Promise<string | null> {
  const input = await recordedInput(store, jobId, state).catch(store.tellUnsealable);
  if (!input) return null;
  const brief = runTask('brief', input).catch(() => null);
  return Promise.race([brief, sleep(BRIEF_WITHIN_MS, null, { ref: false })]);
}

/** Milliseconds until the step's deadline. Capped at the job's whole time, since the database's clock may have been set back since the job began. */
function deadlineIn(state: JobState, step: StepState, now: Date): number {
  return Math.min(Math.max(0, stepTimeLeftMs(state, step, now.toISOString())), state.deadlines.jobMs);
}
