import type { AuditedEvent, Fault } from '../audited-event';
import type { BundleScope } from '../format/bundle/files';

/**
 * Compares the content of a bundle with the scope in its head. It cannot see what the bundle leaves out, but everything in the bundle must belong to
 * its scope.
 */
export class ScopeAudit {
  private streams = 0;
  private hasNamed = false;
  /** The current tenant or thread, and whether something was added to it, or to one of its jobs, since the time of the scope. */
  private group: { id: string; isTouched: boolean } | null = null;

  constructor(private readonly scope: BundleScope) {}

  /** Whether the bundle must hold all jobs of each thread. */
  get isWhole(): boolean {
    return this.scope.job === null;
  }

  /** Begins a stream. @returns why it is outside the scope, or null */
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

  /** Called for every event, even if its stream has a fault. @returns why the event is not in the scope, or null */
  take({ streamId, version, facts, meta }: AuditedEvent, appendedAt: string | null): string | null {
    const { tenant, since } = this.scope;
    if (!streamId.startsWith('job_') && this.group?.id !== streamId) this.group = { id: streamId, isTouched: false };
    if (this.group && since !== null && Date.parse(appendedAt ?? String(meta.occurredAt)) >= Date.parse(since)) this.group.isTouched = true;
    if (version !== 1 || tenant === null || facts.tenantId === tenant) return null;
    return `is of the tenant ${JSON.stringify(facts.tenantId)}, and bundle.json says that the bundle is of ${tenant}`;
  }

  /** Ends a tenant, or a thread with its jobs. */
  endGroup(): Fault | null {
    const { since } = this.scope;
    const { group } = this;
    this.group = null;
    if (!group || since === null || group.isTouched) return null;
    const what = `nothing has come to it since ${since}, and bundle.json says that the bundle is of what has changed since then`;
    return { streamId: group.id, version: null, field: 'scope', what };
  }

  /** The job or thread that the head names, if it is not in the bundle. */
  missing(): Fault | null {
    const named = this.scope.job ?? this.scope.thread;
    if (named === null || this.hasNamed) return null;
    return { streamId: named, version: null, field: 'scope', what: 'is missing, and bundle.json says that the bundle is of it' };
  }
}

const SAID = 'bundle.json says that nothing else is in the bundle';
