import { isId } from '@lib/domain/ids';
import type { JobCursor } from './job-cursor';

/** How far a page of a thread went: the next page begins after it. */
export interface ThreadCursor {
  /** Version of the last message; 0 for none. */
  message: number;
  /** The last job; null for none. */
  job: JobCursor | null;
}

export const THREAD_START: ThreadCursor = { message: 0, job: null };

const CURSOR = /^(\d{1,9})(?:\.(\d{1,15})\.(job_\w{26}))?$/;
const LATEST_MS = 8.64e15;

/** For clients it means nothing. */
export function textOfThreadCursor({ message, job }: ThreadCursor): string {
  const place = job ? `.${job.createdAt.getTime()}.${job.id}` : '';
  return Buffer.from(`${message}${place}`).toString('base64url');
}

/** @returns undefined for a text that no page gave out */
export function threadCursorOf(text: string): ThreadCursor | undefined {
  const [, message, time, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (message === undefined) return undefined;
  const createdAt = new Date(Number(time));
  if (id !== undefined && !(isId('job', id) && createdAt.getTime() < LATEST_MS)) return undefined;
  const cursor = { message: Number(message), job: id === undefined ? null : { createdAt, id } };
  return textOfThreadCursor(cursor) === text ? cursor : undefined;
}
