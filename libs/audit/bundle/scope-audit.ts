import type { AuditedEvent, Fault } from '../audited-event';
import type { BundleScope } from './files';

/** Checks that a bundle holds only what its head says it covers. It cannot show what a bundle leaves out, except the one thread or job it names. */
export class ScopeAudit {
  private streams = 0;
  private hasNamed = false;
  /** The current tenant or thread, and whether it or one of its jobs has an event since the time of the scope. */
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

  /** Takes every event, even of a faulty stream. @returns why it is outside the scope, or null */
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

  /** The fault if the head names a thread or job that the bundle lacks. */
  missing(): Fault | null {
    const named = this.scope.job ?? this.scope.thread;
    if (named === null || this.hasNamed) return null;
    return { streamId: named, version: null, field: 'scope', what: 'is missing, and bundle.json says that the bundle is of it' };
  }
}

const SAID = 'bundle.json says that nothing else is in the bundle';
