import type { JobState } from './state';
import type { StepState } from './step';

/** Milliseconds that are left of the job's time at a moment: all of it before its first start, and less than 0 once its deadline is over. */
export const timeLeftMs = ({ startedAt, deadlines }: JobState, at: string): number =>
  Date.parse(startedAt ?? at) + deadlines.jobMs - Date.parse(at);

/**
 * Milliseconds that are left for a step at a moment, and less than 0 once its time is over. What is left of the job's time at the step's first
 * start is shared with the later waves of which nothing has started, so that a provider that never answers leaves them theirs.
 */
export function stepTimeLeftMs(state: JobState, step: StepState, at: string): number {
  const begun = step.startedAt ?? at;
  return Date.parse(begun) + timeLeftMs(state, begun) * shareOfTime(1 + wavesAfter(state, step)) - Date.parse(at);
}

/** The part of the time that the first of so many waves may take: each later one keeps half of an equal share, since most steps take less than they may. */
export const shareOfTime = (waves: number): number => (waves + 1) / (2 * waves);

function wavesAfter({ steps }: JobState, { entry: { wave: own } }: StepState): number {
  const waiting = steps.filter(({ entry, status, attempts }) => entry.wave > own && status === 'queued' && attempts.length === 0);
  return new Set(waiting.map(({ entry }) => entry.wave)).size;
}
