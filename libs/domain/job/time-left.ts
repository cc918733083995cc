import type { JobState } from './state';

/** Milliseconds that are left of the job's time at a moment: all of it before its first start, and less than 0 once its deadline is over. */
export const timeLeftMs = ({ startedAt, deadlines }: JobState, at: string): number =>
  Date.parse(startedAt ?? at) + deadlines.jobMs - Date.parse(at);
