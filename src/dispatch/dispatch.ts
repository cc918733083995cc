import type { TraceContext } from '@lib/domain/trace-context';
import { isWaitingStep, type AgendaEntry } from '@lib/domain/job/agenda';
import { STEPS_WAIT_SUBJECT, WIRE_VERSION, type Work } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import type { Commit } from '@lib/store/commit/commit';
import type { Store } from '@lib/store/store';
import { traceCommit } from '../telemetry/commit-spans';
import type { Tracing } from '../telemetry/tracing';

/** The work that an agenda entry asks for; null for an entry that dispatches nothing. */
export function workOf({
  kind,
  jobId,
  stepId,
  provider,
  run,
}: Pick<AgendaEntry, 'kind' | 'stepId' | 'provider' | 'run'> & { jobId: string }): Work | null {
  if (kind === 'dispatch synthesis') return { kind: 'synthesis', jobId, first: false };
  if (kind === 'dispatch explore') return { kind: 'explore', jobId };
  if (stepId === null || provider === null) return null;
  if (kind === 'cancel run') return run === null ? null : { kind: 'cancel', provider, jobId, stepId, run };
  return isWaitingStep(kind) ? { kind: 'step', provider, jobId, stepId, resumes: run !== null } : null;
}

/** Takes work that this process can do itself, so that it need not go through the queue. Returns false if it cannot now. Must not throw. */
export type TakeWork = (work: Work, trace: TraceContext | null) => boolean;

interface Tools {
  transport: Transport;
  takers?: readonly TakeWork[];
  tracing?: Tracing | null;
}

/**
 * After each commit of this process: hands work that is due at once to one of `takers` or else to the queue. It is best effort, and the caller does
 * not wait for it; the agenda guarantees that nothing is lost.
 */
export function dispatchCommits(store: Store, { transport, takers = [], tracing = null }: Tools): void {
  store.onCommit((commit: Commit) => {
    const { agendaAdded } = commit;
    const traces = tracing ? traceCommit(tracing, commit) : null;
    const waitFor = new Set(agendaAdded.flatMap(({ waiting, dueInMs, provider }) => (waiting && dueInMs === 0 ? [provider] : [])));
    if (waitFor.size > 0) transport.publish(STEPS_WAIT_SUBJECT, { v: WIRE_VERSION, providers: [...waitFor] });
    for (const entry of agendaAdded) {
      const due = entry.dueInMs === 0 && !entry.waiting ? workOf(entry) : null;
      const work = due?.kind === 'synthesis' ? { ...due, first: true } : due;
      const trace = traces?.get(entry.jobId) ?? null;
      if (work && !takers.some((take) => take(work, trace))) void transport.dispatch(work, trace);
    }
  });
}
