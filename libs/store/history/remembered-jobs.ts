import type { JobStatus } from '@lib/domain/vocabulary';

/** Which open jobs, by their status, a process remembers after writing to them: those that it will go on with itself. */
export interface RememberedJobs {
  /** The folded job, which the next decision begins with. */
  state: (status: JobStatus) => boolean;
  /** Its question and reports, opened. */
  content: (status: JobStatus) => boolean;
}

export const EVERY_OPEN_JOB: RememberedJobs = { state: () => true, content: () => true };
