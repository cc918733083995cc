import { cursorFormat } from '../cursor-format';
import { readCreatedPlace, writeCreatedPlace } from './created-place';
import type { JobCursor } from './job-cursor';

/** The end of a page of a thread: the next page begins after it. */
export interface ThreadCursor {
  /** Version of the last message; 0 for none. */
  message: number;
  /** The last job; null for none. */
  job: JobCursor | null;
}

export const THREAD_START: ThreadCursor = { message: 0, job: null };

const PLACE = /^(\d{1,9})(?:\.(.*))?$/s;

export const THREAD_CURSORS = cursorFormat<ThreadCursor>(
  ({ message, job }) => (job ? `${message}.${writeCreatedPlace(job)}` : `${message}`),
  (text) => {
    const [, message, place] = PLACE.exec(text) ?? [];
    const job = place === undefined ? null : readCreatedPlace('job', place);
    return message === undefined || job === undefined ? undefined : { message: Number(message), job };
  },
);
