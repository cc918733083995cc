import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { isFinalStatus } from '@lib/domain/vocabulary';
import type { JobDetailView } from '@lib/store/views/job-detail.view';
import { answerOf, Refused, type SendRequest } from './service-client';
import { jobText, partOf } from './texts';
import type { Call, Progress, Told } from './tool';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 3_000;

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

export const readJob = (send: SendRequest, jobId: string): Promise<JobDetailView> =>
  answerOf(send, { method: 'GET', path: `/v1/jobs/${jobId}`, query: { include_steps: true } });

/** The job once it is final, or as it is when the time is over or nobody waits any more. */
export async function waitForJob(jobId: string, waitSeconds: number, { send, signal, tellProgress }: Call): Promise<JobDetailView> {
  const until = performance.now() + waitSeconds * 1000;
  let job = await readJob(send, jobId);
  let told = -1;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    const progress = progressOf(job);
    if (progress.done > told) await tellProgress(progress);
    told = Math.max(told, progress.done);
    const left = until - performance.now();
    if (isFinal(job) || left <= 0) return job;
    await sleep(Math.min(pause, left), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return job;
    job = await readJob(send, jobId);
  }
}

/** Waits for a job that this call has started. @throws Refused that names the job, which continues even if the wait fails */
export async function waitForStarted(jobId: string, waitSeconds: number, call: Call): Promise<Told> {
  try {
    return tellJob(await waitForJob(jobId, waitSeconds, call));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const detail = `The job ${jobId} was started and goes on: call status with this jobId later. It cannot be asked now: ${error.message}`;
    throw new Refused({ ...error.problem, detail });
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
  const text = [jobText(job), part, nextStep(job, nextOffset)].filter((paragraph) => paragraph !== '').join('\n\n');
  return { text, data };
}

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
