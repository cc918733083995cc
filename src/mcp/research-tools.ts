import { z } from 'zod';

import type { JobPursuedView } from '@lib/store/views/job.view';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { jobId, offset, researchOptions, researchText, waitSeconds } from './arguments';
import { JOB_OUTPUT, readJob, tellJob, waitForJob, waitForStarted } from './job-outcome';
import { answerOf, inTermsOf } from './service-client';
import { READS, tool } from './tool';

const STARTS_RESEARCH = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const research = tool({
  name: 'research',
  title: 'Research a question',
  description:
    'Asks several independent research providers one question and returns one report: what they agree on, what they dispute, with sources. ' +
    'Costs money, up to the cap of the budget. By default the budget is M; the tool providers lists the caps. If it takes longer than waitSeconds, the job goes on: call status with its jobId.',
  input: z.strictObject({ question: researchText.describe('The research question.'), ...researchOptions, waitSeconds }),
  output: JOB_OUTPUT,
  annotations: STARTS_RESEARCH,
  run: async ({ question, idempotencyKey, waitSeconds, ...options }, call) => {
    const body = { message: question, ...options };
    const request = { method: 'POST', path: '/v1/threads', body, idempotencyKey } as const;
    const { job } = await answerOf<ThreadCreatedView>(call.send, request).catch(inTermsOf('message', 'question'));
    return waitForStarted(job.id, waitSeconds, call);
  },
});

const followUp = tool({
  name: 'follow_up',
  title: 'Follow up on a job',
  description:
    'Starts a new research job in the thread of an earlier one, on a topic that follows from it. Costs money like research. ' +
    'By default the budget is S.',
  input: z.strictObject({ jobId, topic: researchText.describe('What to look into.'), ...researchOptions, waitSeconds }),
  output: JOB_OUTPUT,
  annotations: STARTS_RESEARCH,
  run: async ({ jobId, idempotencyKey, waitSeconds, ...body }, call) => {
    const { threadId } = await readJob(call.send, jobId);
    const path = `/v1/threads/${threadId}/jobs/${jobId}/pursue`;
    const job = await answerOf<JobPursuedView>(call.send, { method: 'POST', path, body, idempotencyKey });
    return waitForStarted(job.id, waitSeconds, call);
  },
});

const status = tool({
  name: 'status',
  title: 'Wait for a job',
  description: 'Says how far a research job is, and waits for its end if it is told to; then it returns the report as results does.',
  input: z.strictObject({ jobId, waitSeconds }),
  output: JOB_OUTPUT,
  annotations: READS,
  run: async ({ jobId, waitSeconds }, call) => tellJob(await waitForJob(jobId, waitSeconds, call)),
});

const results = tool({
  name: 'results',
  title: 'Read a report',
  description: 'Returns the report of a completed job, piece by piece if it is long, with its cost and what each provider did.',
  input: z.strictObject({ jobId, offset: offset.describe('Where to read on, as the piece before said.') }),
  output: JOB_OUTPUT,
  annotations: READS,
  run: async ({ jobId, offset }, { send }) => tellJob(await readJob(send, jobId), offset),
});

const cancel = tool({
  name: 'cancel',
  title: 'Cancel a job',
  description: 'Stops a research job: nothing more is started. What was paid for stays. A job that has ended is returned as it is.',
  input: z.strictObject({ jobId }),
  output: JOB_OUTPUT,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async ({ jobId }, { send }) => {
    const { threadId } = await readJob(send, jobId);
    await answerOf(send, { method: 'POST', path: `/v1/threads/${threadId}/jobs/${jobId}/cancel` });
    return tellJob(await readJob(send, jobId));
  },
});

export const RESEARCH_TOOLS = [research, followUp, status, results, cancel];
