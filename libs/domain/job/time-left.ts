import type { JobState } from './state';
import type { StepState } from './step';

/** Milliseconds that are left of the job's time at a moment: all of it before the first start, and less than 0 after the deadline. */
export const timeLeftMs = ({ startedAt, deadlines }: JobState, at: string): number =>
  Date.parse(startedAt ?? at) + deadlines.jobMs - Date.parse(at);

/**
 * Milliseconds that are left for a step at a moment, and less than 0 after its time. The time that the job has left at the step's first start is
 * shared with the later waves that have not started, so that a provider that never answers leaves them their share.
 */
export function stepTimeLeftMs(state: JobState, step: StepState, at: string): number {
  const begun = step.startedAt ?? at;
  return Date.parse(begun) + timeLeftMs(state, begun) * shareOfTime(1 + wavesAfter(state, step)) - Date.parse(at);
}

/** The share of the first of so many waves. It leaves each later one half of an equal share: most steps take less time than they may. */
export const shareOfTime = (waves: number): number => (waves + 1) / (2 * waves);

function wavesAfter({ steps }: JobState, { entry: { wave: own } }: StepState): number {
  const waiting = steps.filter(({ entry, status, attempts }) => entry.wave > own && status === 'queued' && attempts.length === 0);
  return new Set(waiting.map(({ entry }) => entry.wave)).size;
}
