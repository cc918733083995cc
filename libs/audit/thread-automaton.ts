import type { AuditedEvent } from './audited-event';

const TYPES = new Set(['ThreadCreated', 'MessageAdded', 'JobAdded', 'ThreadDeleted']);

/** An independent second implementation of what may happen to a thread. */
export class ThreadAutomaton {
  private phase: 'new' | 'open' | 'deleted' = 'new';
  /** The jobs that the thread names, each with the version of the event that names it. */
  readonly jobs = new Map<string, number>();
  tenantId: unknown = null;

  /** Follows an event. @returns the name of the fact that is not allowed, or null */
  take({ type, version, facts }: Pick<AuditedEvent, 'type' | 'version' | 'facts'>): string | null {
    if (!TYPES.has(type)) return 'type';
    if ((type === 'ThreadCreated') !== (this.phase === 'new') || this.phase === 'deleted') return 'type';
    if (type === 'ThreadCreated') {
      this.phase = 'open';
      this.tenantId = facts.tenantId;
    }
    if (type === 'JobAdded') {
      const jobId = String(facts.jobId);
      if (this.jobs.has(jobId)) return 'facts.jobId';
      const { parentJobId } = facts as { parentJobId: string | null };
      if (parentJobId !== null && !this.jobs.has(parentJobId)) return 'facts.parentJobId';
      this.jobs.set(jobId, version);
    }
    if (type === 'ThreadDeleted') {
      this.phase = 'deleted';
      if (facts.jobCount !== this.jobs.size) return 'facts.jobCount';
    }
    return null;
  }

  isDeleted(): boolean {
    return this.phase === 'deleted';
  }
}
