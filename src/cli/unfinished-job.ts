import type { ThreadCreatedView } from '@lib/store/views/thread.view';

/** Where a question was asked, as far as its job outlives the command. */
export interface AskedService {
  /** Where the job can be asked for, now or later. */
  address: string;
  /** How a shell says the key. */
  shellKey: string;
  /** The variable or file that holds it. */
  keySource: string;
  /** What the job goes on with; null if it ends with this command. */
  goesOn: string | null;
}

/** What to know of a job that is no longer followed: that it may still spend, and how to wait for it or cancel it. */
export function unfinishedJob({ id: threadId, job }: ThreadCreatedView, { address, shellKey, goesOn }: AskedService): string {
  const cost = `may cost up to ${job.budgetCapCents} cents`;
  if (goesOn === null)
    return `${job.id} ends with the service that was started for it. Runs that its providers have begun ${cost}, and cannot be seen any more.\n`;
  const call = `curl -s -H "Authorization: Bearer ${shellKey}"`;
  return [
    `${job.id} is not cancelled: it goes on ${goesOn}, and ${cost}. To ask the same question again starts a second job.`,
    `  Wait for it: ${call} -H "Prefer: wait=30" ${address}/v1/jobs/${job.id}`,
    `  Cancel it:   ${call} -X POST ${address}/v1/threads/${threadId}/jobs/${job.id}/cancel`,
    '',
  ].join('\n');
}

/** What to know of a job that was asked for and is not there any more. */
export const goneJob = ({ id: threadId, job }: ThreadCreatedView): string =>
  `${job.id} was deleted with its thread ${threadId}, which stopped it. Runs that its providers have begun may still be billed, and cannot be seen any more.\n`;

/** The answer to the question never came, so no job can be named. */
export const unknownJob = ({ address, shellKey, goesOn }: AskedService): string =>
  goesOn === null
    ? ''
    : `It is not known whether a job was started. If one was, it goes on ${goesOn} and costs up to the cap of its budget. The newest job comes first in\n  curl -s -H "Authorization: Bearer ${shellKey}" ${address}/v1/jobs\n`;
