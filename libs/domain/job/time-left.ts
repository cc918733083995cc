import type { JobState } from './state';
import type { StepState } from './step';

/** Milliseconds that are left of the job's time: all of it before the first start, below 0 after the deadline. */
export const timeLeftMs = ({ startedAt, deadlines }: JobState, at: string): number =>
  Date.parse(startedAt ?? at) + deadlines.jobMs - Date.parse(at);

/**
 * Milliseconds that are left for a step; below 0 after its time. The time that the job has left at the step's first start is shared with the later
 * waves that have not started, so that they get their share even if a provider never answers.
 */
export function stepTimeLeftMs(state: JobState, step: StepState, at: string): number {
  const begun = step.startedAt ?? at;
  return Date.parse(begun) + timeLeftMs(state, begun) * shareOfTime(1 + wavesAfter(state, step)) - Date.parse(at);
}

/** The first wave's share of the time, given the number of waves. Each later wave keeps half an equal share: most steps need less than they get. */
export const shareOfTime = (waves: number): number => (waves + 1) / (2 * waves);

function wavesAfter({ steps }: JobState, { entry: { wave: own } }: StepState): number {
  const waiting = steps.filter(({ entry, status, attempts }) => entry.wave > own && status === 'queued' && attempts.length === 0);
  return new Set(waiting.map(({ entry }) => entry.wave)).size;
}
