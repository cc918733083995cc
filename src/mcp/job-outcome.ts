import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { isFinalStatus } from '@lib/domain/vocabulary';
import type { JobDetailView } from '@lib/store/views/job-detail.view';
import { answerOf, Refused, taggedOf, type SendRequest, type ServiceRequest } from './service-client';
import { jobText, partOf } from './texts';
import type { Call, Progress, Told } from './tool';

/** Between two polls: what changes within it is one change. It grows while an API that lets nobody wait answers at once that nothing changed. */
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** After an answer that the service cannot be reached, where a job was seen before. */
const UNAVAILABLE_MS = 2_000;

/** What tools tell about a job, as data; the HTTP API may add to it. */
export const JOB_OUTPUT = z.looseObject({
  id: z.string(),
  threadId: z.string(),
  status: z.string(),
  budgetCapCents: z.number(),
  totalCustomerCostCents: z.number(),
  steps: z.array(z.looseObject({ provider: z.string(), status: z.string() })).nullable(),
  synthesisMarkdown: z.string().nullable().describe('A piece of the report, in Markdown.'),
  nextOffset: z.number().nullable().describe('Where the next piece begins: send it to results as offset. Null at the end.'),
});

const isFinal = ({ status }: JobDetailView): boolean => isFinalStatus(status);

export const readJob = (send: SendRequest, jobId: string): Promise<JobDetailView> => answerOf(send, jobRequest(jobId));

/**
 * The job once it is final, or as it is when the time is over or nobody waits any more. It is waited for by long polls, because each request counts
 * against the limits of whoever calls; one that is refused for now is asked again when the API says so.
 */
export async function waitForJob(jobId: string, waitSeconds: number, call: Call): Promise<JobDetailView> {
  const { signal, isFollowed, tellProgress } = call;
  const until = performance.now() + waitSeconds * 1000;
  const leftMs = (): number => Math.max(0, until - performance.now());
  let seen: SeenJob | null = null;
  for (let [told, pauseMs] = [-1, PAUSE_MS]; ;) {
    const askedAt = performance.now();
    try {
      const wait: ServiceRequest['wait'] = seen ? { seconds: Math.ceil(leftMs() / 1000), tag: isFollowed ? seen.tag : null } : undefined;
      const asked = pollJob(call.send, jobId, wait);
      const changed: SeenJob | null = await (seen ? unlessAborted(asked, signal) : asked);
      const progress = changed && progressOf(changed.answer);
      const isNew = progress !== null && progress.done > told;
      if (isNew) await tellProgress(progress);
      told = Math.max(told, progress?.done ?? told);
      seen = changed ?? seen;
      if (seen && (isFinal(seen.answer) || leftMs() === 0 || signal.aborted)) return seen.answer;
      pauseMs = isNew || performance.now() - askedAt > MAX_PAUSE_MS ? PAUSE_MS : Math.min(1.5 * pauseMs, MAX_PAUSE_MS);
    } catch (error) {
      const waited = waitAfter(error, seen !== null);
      if (waited === null || (!seen && (leftMs() === 0 || signal.aborted))) throw error;
      pauseMs = Math.max(PAUSE_MS, waited);
    }
    await sleep(Math.min(pauseMs, leftMs()), undefined, { signal }).catch(() => undefined);
    if (seen && (leftMs() === 0 || signal.aborted)) return seen.answer;
  }
}

/** In milliseconds, how long to wait after a refusal that is temporary: by its own word, or because the service was there before. Null for others. */
function waitAfter(error: unknown, wasThere: boolean): number | null {
  if (!(error instanceof Refused)) return null;
  if (error.retryAfter !== null) return 1000 * error.retryAfter;
  return wasThere && error.problem.code === 'unavailable' ? UNAVAILABLE_MS : null;
}

interface SeenJob {
  answer: JobDetailView;
  tag: string | null;
}

const jobRequest = (jobId: string): ServiceRequest => ({ method: 'GET', path: `/v1/jobs/${jobId}`, query: { include_steps: true } });

/** Null if it has not changed. */
const pollJob = (send: SendRequest, jobId: string, wait: ServiceRequest['wait']): Promise<SeenJob | null> =>
  taggedOf<JobDetailView>(send, { ...jobRequest(jobId), ...(wait && { wait }) });

/** Null if the signal comes first: the request is left to itself, and its wait ends with its time or its process. */
async function unlessAborted<Answer>(asked: Promise<Answer>, signal: AbortSignal): Promise<Answer | null> {
  const over = Promise.withResolvers<null>();
  const end = (): void => over.resolve(null);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return Promise.race([asked, over.promise]).finally(() => signal.removeEventListener('abort', end));
}

/** Waits for a job that this call has started. @throws Refused that names the job, which continues even if the wait fails */
export async function waitForStarted(jobId: string, waitSeconds: number, call: Call): Promise<Told> {
  try {
    return tellJob(await waitForJob(jobId, waitSeconds, call));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const detail = `The job ${jobId} was started and goes on: call status with this jobId later. It cannot be asked now: ${error.message}`;
    throw new Refused({ ...error.problem, detail }, error.retryAfter);
  }
}

/** A step counts once when it starts and once when it ends; the synthesis counts once. */
function progressOf(job: JobDetailView): Progress {
  const steps = job.steps ?? [];
  const ended = steps.filter(({ completedAt }) => completedAt !== null);
  const started = steps.filter(({ startedAt, completedAt }) => startedAt !== null || completedAt !== null);
  const done = started.length + ended.length + (isFinal(job) ? 1 : 0);
  const running = steps.filter(({ status }) => status === 'running').map(({ provider }) => provider);
  const waiting = running.length > 0 ? `; ${running.join(', ')} at work` : '';
  return { done, total: steps.length * 2 + 1, message: `${job.status}: ${ended.length} of ${steps.length} steps ended${waiting}` };
}

/** Where the job stands, what it says from an offset on, and what to call next. */
export function tellJob(job: JobDetailView, offset = 0): Told {
  const report = job.synthesisMarkdown;
  const { part, nextOffset } = partOf(report ?? '', offset);
  const data = { ...job, synthesisMarkdown: report === null ? null : part, nextOffset };
  const nothing = report !== null && offset >= report.length && offset > 0 ? nothingAt(offset, report.length) : '';
  const text = [jobText(job), part, nothing, nextStep(job, nextOffset)].filter((paragraph) => paragraph !== '').join('\n\n');
  return { text, data };
}

const nothingAt = (offset: number, length: number): string =>
  `Nothing is at offset ${offset}: the report has ${length} characters. Call results with an offset below that, or without one.`;

function nextStep(job: JobDetailView, nextOffset: number | null): string {
  if (!isFinal(job)) {
    const warning = 'Do not ask the same question again, which would start and cost a second job.';
    return `The job goes on by itself: call status with jobId ${job.id} to wait for it. ${warning}`;
  }
  if (job.status !== 'completed')
    return 'There is no report. Ask again, with other providers or a larger budget if the reasons above say so.';
  const more = nextOffset === null ? '' : `The report goes on: call results with jobId ${job.id} and offset ${nextOffset}. `;
  return `${more}For what its claims rest on call claims with jobId ${job.id}; to look into a topic further call follow_up.`;
}
