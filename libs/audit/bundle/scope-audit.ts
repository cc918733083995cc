import type { AuditedEvent, Fault } from '../audited-event';
import type { BundleScope } from './files';

/** Compares what a bundle has with what its head says that it is of. What it leaves out it does not show, but what it has must be of its scope. */
export class ScopeAudit {
  private streams = 0;
  private hasNamed = false;
  /** The tenant or the thread whose turn it is, and whether something has come to it, or to a job of it, since the time of the scope. */
  private group: { id: string; isTouched: boolean } | null = null;

  constructor(private readonly scope: BundleScope) {}

  /** Whether all jobs of each thread have to be there. */
  get isWhole(): boolean {
    return this.scope.job === null;
  }

  /** A stream begins. @returns why it is not of the scope, or null */
  begin(streamId: string): string | null {
    const { job, thread } = this.scope;
    this.streams += 1;
    if (streamId === job || streamId === thread) this.hasNamed = true;
    if (job !== null) {
      const isItsThread = this.streams === 1 && streamId.startsWith('thr_');
      if (!isItsThread && streamId !== job) return `is neither the job ${job} nor its thread, and ${SAID}`;
    }
    const isOfThread = streamId === thread || (streamId.startsWith('job_') && this.group?.id === thread);
    if (thread !== null && !isOfThread) return `is neither the thread ${thread} nor a job of it, and ${SAID}`;
    return null;
  }

  /** Of every event, whatever is wrong with its stream. @returns why it is not of the scope, or null */
  take({ streamId, version, facts, meta }: AuditedEvent, appendedAt: string | null): string | null {
    const { tenant, since } = this.scope;
    if (!streamId.startsWith('job_') && this.group?.id !== streamId) this.group = { id: streamId, isTouched: false };
    if (this.group && since !== null && Date.parse(appendedAt ?? String(meta.occurredAt)) >= Date.parse(since)) this.group.isTouched = true;
    if (version !== 1 || tenant === null || facts.tenantId === tenant) return null;
    return `is of the tenant ${JSON.stringify(facts.tenantId)}, and bundle.json says that the bundle is of ${tenant}`;
  }

  /** A tenant, or a thread with its jobs, is at its end. */
  endGroup(): Fault | null {
    const { since } = this.scope;
    const { group } = this;
    this.group = null;
    if (!group || since === null || group.isTouched) return null;
    const what = `nothing has come to it since ${since}, and bundle.json says that the bundle is of what has changed since then`;
    return { streamId: group.id, version: null, field: 'scope', what };
  }

  /** What the head names and the bundle does not have. */
  missing(): Fault | null {
    const named = this.scope.job ?? this.scope.thread;
    if (named === null || this.hasNamed) return null;
    return { streamId: named, version: null, field: 'scope', what: 'is missing, and bundle.json says that the bundle is of it' };
  }
}

const SAID = 'bundle.json says that nothing else is in the bundle';
