import { cursorFormat } from '../cursor-format';
import { readCreatedPlace, writeCreatedPlace, type CreatedPlace } from './created-place';
import type { JobCursor } from './job-cursor';

/** In the list of threads: the last one of a page. */
export const THREAD_LIST_CURSORS = cursorFormat<CreatedPlace>(writeCreatedPlace, (text) => readCreatedPlace('thr', text));

/** The last claim of a page. */
export interface ClaimCursor {
  job: JobCursor;
  /** Its place in the job's list, from 1; 0 for all claims of the job. */
  claim: number;
}

const CLAIM = /^(\d{1,6})\.(.*)$/s;

export const CLAIM_CURSORS = cursorFormat<ClaimCursor>(
  ({ job, claim }) => `${claim}.${writeCreatedPlace(job)}`,
  (text) => {
    const [, claim, place = ''] = CLAIM.exec(text) ?? [];
    const job = readCreatedPlace('job', place);
    return job && { job, claim: Number(claim) };
  },
);
