import type { JobEvent } from '@lib/domain/job/events';
import { ledgerOf } from '@lib/domain/ledger';
import type { AuditedEvent, Fault } from './audited-event';
import { Chain } from './chain';
import { JobAutomaton } from './job-automaton';
import { TenantAutomaton } from './tenant-automaton';
import { ThreadAutomaton } from './thread-automaton';

/** What a stream says about other streams, to be compared with what those say. */
export interface Links {
  tenantId: unknown;
  /** For a job: the thread that has to name it. */
  threadId: string | null;
  parentJobId: unknown;
  /** For a thread: the jobs that it names, each with the version of the event. */
  jobs: ReadonlyMap<string, number>;
  /** Version of the event that deleted the thread or erased the job's content. */
  erasedAt: number | null;
  /** Version of the first event that still has content. */
  sealedAt: number | null;
  /** Whether the build that wrote its first event wrote the tenant into rows. */
  namesTenant: boolean;
}

/** @throws Error for a type or schema version that this build does not know */
export type Upcast = (type: string, schemaVersion: number, facts: object) => { type: string; facts: object };

/** Events that always have content. */
const WITH_CONTENT = new Set(['ThreadCreated', 'MessageAdded', 'JobRequested', 'StepCompleted', 'JobCompleted']);

/**
 * Whether the build that wrote an event also wrote its tenant into the row. Those that record a cause do, and the streams of tenants began with them; the
 * first events of threads and jobs named their tenant before the rows did.
 */
const namesTenant = ({ streamId, facts }: AuditedEvent): boolean => streamId.startsWith('ten_') || facts.causeVersion !== undefined;

/** Checks one stream, event by event: chain, protocol and money. It reports the first fault and then stops. */
export class StreamAudit {
  fault: Fault | null = null;
  private readonly chain: Chain;
  private readonly kind: 'job' | 'tenant' | 'thread';
  private readonly job = new JobAutomaton();
  private readonly thread = new ThreadAutomaton();
  private readonly tenant = new TenantAutomaton();
  /** The events of a job, upcast to today's shapes. */
  private readonly events: JobEvent[] = [];
  private requested: Record<string, unknown> = {};
  private erasedAt: number | null = null;
  /** According to the first event. */
  private tenantId: unknown;
  /** Whether the build that wrote the first event wrote its tenant into rows. */
  private namesTenant = false;

  /** @param has what is at hand: with `digests`, the content of events was left out and is not checked */
  constructor(
    readonly streamId: string,
    private readonly upcast: Upcast,
    private readonly has: 'content' | 'digests' = 'content',
  ) {
    this.chain = new Chain(streamId);
    this.kind = streamId.startsWith('job_') ? 'job' : streamId.startsWith('ten_') ? 'tenant' : 'thread';
  }

  /** @throws Error for an event that a newer build wrote, since it cannot be checked */
  take(event: AuditedEvent): void {
    if (this.fault) return;
    this.fault = this.chain.take(event);
    if (this.fault) return;
    if (event.respelled) {
      const { column, name, written, canonical } = event.respelled;
      this.fault = this.faultAt(event, column, `${name} is written ${written}, and the hash is over ${canonical}: it was changed`);
      return;
    }
    if (event.version === 1) this.tenantId = event.facts.tenantId;
    if ((event.tenantId ?? null) !== null && event.tenantId !== this.tenantId) {
      this.fault = this.faultAt(event, 'tenant_id', `the row is of another tenant than the stream, ${JSON.stringify(event.tenantId)}`);
      return;
    }
    if (event.tenantId === null && namesTenant(event)) {
      this.fault = this.faultAt(event, 'tenant_id', 'the row names no tenant, and the build that wrote it named one: it was removed');
      return;
    }
    if (event.version === 1) this.namesTenant = namesTenant(event);
    if (WITH_CONTENT.has(event.type) && event.sealedSha256 === null) {
      this.fault = this.faultAt(event, 'sealed_sha256', `${event.type} has content, and no digest of it was recorded`);
      return;
    }
    const known = this.upcast(event.type, event.schemaVersion, event.facts);
    if (this.kind === 'job') this.fault = this.takeOfJob(event, known as JobEvent);
    else if (this.kind === 'tenant') this.fault = this.contradiction(event, this.tenant.take(event));
    else this.fault = this.takeOfThread(event);
  }

  /** To be called after the last event. */
  end(): Fault | null {
    this.fault ??= this.chain.end(this.has === 'digests' || this.erasedAt !== null) ?? this.moneyFault();
    return this.fault;
  }

  /** Whether it is a job without a final event. */
  isOpenJob(): boolean {
    return this.kind === 'job' && this.job.isOpen();
  }

  links(): Links {
    const { tenantId, threadId, parentJobId } = this.requested;
    return {
      tenantId: this.kind === 'job' ? tenantId : this.thread.tenantId,
      threadId: this.kind === 'job' ? String(threadId) : null,
      parentJobId: parentJobId ?? null,
      jobs: this.thread.jobs,
      erasedAt: this.erasedAt,
      sealedAt: this.chain.firstSealed(),
      namesTenant: this.namesTenant,
    };
  }

  private takeOfJob(event: AuditedEvent, known: JobEvent): Fault | null {
    try {
      if (!this.job.take(event)) return this.faultAt(event, 'type', `${event.type} may not follow what came before it`);
    } catch (error) {
      return this.faultAt(event, 'facts', `cannot be read: ${String(error)}`);
    }
    if (event.type === 'JobRequested') this.requested = event.facts;
    if (event.type === 'ContentErased') this.erasedAt = event.version;
    this.events.push(known);
    return null;
  }

  private takeOfThread(event: AuditedEvent): Fault | null {
    const field = this.thread.take(event);
    if (this.thread.isDeleted()) this.erasedAt ??= event.version;
    return this.contradiction(event, field);
  }

  private contradiction(event: AuditedEvent, field: string | null): Fault | null {
    return field === null ? null : this.faultAt(event, field, `${event.type} contradicts what came before it`);
  }

  /** A fault in the ledger, which keeps its own books. The text of a discrepancy begins with the version of its event. */
  private moneyFault(): Fault | null {
    if (this.kind !== 'job') return null;
    const at = (version: number | null, what: string): Fault => ({ streamId: this.streamId, version, field: 'facts', what });
    try {
      const [discrepancy] = ledgerOf(this.events).discrepancies;
      return discrepancy === undefined ? null : at(Number.parseInt(discrepancy, 10), `the money does not add up: ${discrepancy}`);
    } catch (error) {
      return at(null, `the ledger cannot be read: ${String(error)}`);
    }
  }

  private faultAt({ version }: AuditedEvent, field: string, what: string): Fault {
    return { streamId: this.streamId, version, field, what };
  }
}
