import type { JobState } from './state';
import type { StepState } from './step';

/** Milliseconds left of the job's time at a given moment: all of it before the first start, and less than 0 after the deadline. */
export const timeLeftMs = ({ startedAt, deadlines }: JobState, at: string): number =>
  Date.parse(startedAt ?? at) + deadlines.jobMs - Date.parse(at);

/**
 * Milliseconds left for a step at a given moment, less than 0 after its time. The time that the job had left when the step first started is shared
 * with the later waves that have not started, so that a provider that never answers leaves them their share.
 */
export function stepTimeLeftMs(state: JobState, step: StepState, at: string): number {
  const begun = step.startedAt ?? at;
  return Date.parse(begun) + timeLeftMs(state, begun) * shareOfTime(1 + wavesAfter(state, step)) - Date.parse(at);
}

/**
 * The share that the first of this many waves gets. Each later wave is left half of an equal share, because most steps take less time than they may.
 */
export const shareOfTime = (waves: number): number => (waves + 1) / (2 * waves);

function wavesAfter({ steps }: JobState, { entry: { wave: own } }: StepState): number {
  const waiting = steps.filter(({ entry, status, attempts }) => entry.wave > own && status === 'queued' && attempts.length === 0);
  return new Set(waiting.map(({ entry }) => entry.wave)).size;
}
