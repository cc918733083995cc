import { openSynthesis, synthesisLeaseMs } from './synthesis';
import { abandonedRuns, findStep, isFinal, isWaveOpen, type JobState } from './state';
import { isSettled, type StepState } from './step';
import type { ProviderId } from '../vocabulary';

/**
 * What must happen next for a job, and when: outbox, timers and leases in one. It is computed from the state alone, so a replay gives the same keys.
 * Entries that are no longer needed are deleted in the transaction that changes the state.
 */
export const AGENDA_KINDS = [
  'dispatch step',
  'retry',
  'lease',
  'job deadline',
  'dispatch explore',
  'dispatch synthesis',
  'synthesis lease',
  'cancel run',
  // Never due. It keeps the id of a run that continues, in case its thread is deleted.
  'run',
  // The rest of a deleted thread must be erased, in pieces.
  'erase thread',
] as const;
export type AgendaKind = (typeof AGENDA_KINDS)[number];

/** Whether a row of this kind is a step that waits for a worker or for its turn. */
export const isWaitingStep = (kind: AgendaKind): boolean => kind === 'dispatch step' || kind === 'retry';

export interface AgendaEntry {
  kind: AgendaKind;
  /** Unique within job and kind. When the same work is due again, it gets a new key. */
  ref: string;
  stepId: string | null;
  /** For a lease: the attempt that it covers. */
  attempt: number | null;
  /** The run to cancel, or the run that the dispatched step resumes. */
  run: number | null;
  provider: ProviderId | null;
  /** Counted from the moment when the entry is written, by the database's clock. 0: due at once. */
  dueInMs: number;
}

/** A step waits for its turn at the provider only to start a run. To resume a run, it already had its turn. */
export const needsTurn = ({ kind, run }: AgendaEntry): boolean => isWaitingStep(kind) && run === null;

/** Share of the job's time in which steps may wait for a provider that is down. The rest is for a report on what the others found. */
const PATIENCE = 0.9;

/**
 * When a step of this job stops waiting for a provider that is down, as ISO 8601. The time left when its wave opens is divided equally among this
 * wave and the later ones, so that a step that waits in vain leaves them their share.
 */
export function givesUpAt(state: JobState, stepId: string | null): string {
  const { createdAt, startedAt, deadlines, steps } = state;
  const own = findStep(state, stepId)?.entry.wave ?? 0;
  const begun = Date.parse(startedAt ?? createdAt);
  const earlier = steps.filter(({ entry }) => entry.wave < own);
  const opened = Math.max(begun, ...earlier.map(({ completedAt }) => Date.parse(completedAt ?? createdAt)));
  const waves = new Set(steps.filter(({ entry, failure }) => entry.wave >= own && failure !== 'budget').map(({ entry }) => entry.wave));
  const share = (begun + PATIENCE * deadlines.jobMs - opened) / Math.max(1, waves.size);
  return new Date(opened + share).toISOString();
}

export function agendaOf(state: JobState, leaseMs: number): AgendaEntry[] {
  if (state.version === 0) return [];
  const abandoned = state.steps.flatMap((step) => abandonedRuns(state, step).map((run) => cancelRun(step, run.run)));
  if (isFinal(state)) return abandoned;
  const steps = [...abandoned, ...state.steps.flatMap((step) => [...stepAgenda(state, step, leaseMs), ...openRuns(step)])];
  const { exploration } = state;
  const { queueMs, jobMs, synthesisMs } = state.deadlines;
  switch (state.status) {
    case 'pending':
      return [entry('job deadline', 'queue', queueMs), ...steps];
    case 'running':
      return [
        entry('job deadline', 'running', jobMs),
        ...(exploration.open ? [entry('dispatch explore', String(exploration.round), 0)] : []),
        ...steps,
      ];
    default:
      // The second try of the synthesis moves this entry: its own time begins then.
      return [...abandoned, entry('job deadline', 'synthesis', Math.max(queueMs, synthesisMs)), synthesisEntry(state)];
  }
}

/** While a synthesis is claimed, it is not dispatched to others. */
function synthesisEntry(state: JobState): AgendaEntry {
  const claimed = openSynthesis(state);
  if (!claimed) return entry('dispatch synthesis', '', 0);
  return { ...entry('synthesis lease', String(claimed.attempt), synthesisLeaseMs(state.deadlines)), attempt: claimed.attempt };
}

function stepAgenda(state: JobState, step: StepState, leaseMs: number): AgendaEntry[] {
  const { stepId } = step;
  const { provider } = step.entry;
  const attempt = step.attempts.length;
  if (step.status === 'running')
    return [{ kind: 'lease', ref: `${stepId}#${attempt}`, stepId, attempt, run: null, provider, dueInMs: leaseMs }];
  if (step.status !== 'queued' || !isWaveOpen(state, step)) return [];
  const delayMs = step.retry?.delayMs ?? 0;
  const kind = delayMs > 0 ? 'retry' : 'dispatch step';
  const run = step.retry?.resumes ? step.retry.run : null;
  // A redirected try gets another entry, since it resumes a run and does not wait for a turn.
  const ref = step.retry?.redirected ? `${stepId}#${attempt + 1}/${step.retry.run}` : `${stepId}#${attempt + 1}`;
  return [{ kind, ref, stepId, attempt: null, run, provider, dueInMs: delayMs }];
}

/** About 25 days: longer than any job runs. */
const NEVER_MS = 2 ** 31 - 1;

/** Runs that continue at their provider and are still needed. */
const openRuns = (step: StepState): AgendaEntry[] =>
  isSettled(step)
    ? []
    : step.runs
        .filter((run) => run.external !== null && !run.ended)
        .map(({ run }) => ({ ...cancelRun(step, run), kind: 'run', dueInMs: NEVER_MS }));

/** This entry may outlive its job: otherwise the provider would go on working for nothing. */
const cancelRun = ({ stepId, entry: { provider } }: StepState, run: number): AgendaEntry => ({
  kind: 'cancel run',
  ref: `${stepId}#${run}`,
  stepId,
  attempt: null,
  run,
  provider,
  dueInMs: 0,
});

const entry = (kind: AgendaKind, ref: string, dueInMs: number): AgendaEntry => ({
  kind,
  ref,
  stepId: null,
  attempt: null,
  run: null,
  provider: null,
  dueInMs,
});

export const agendaKey = (entry: AgendaEntry): string => `${entry.kind}/${entry.ref}`;
