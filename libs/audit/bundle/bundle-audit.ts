import type { AuditedEvent, Fault } from '../audited-event';
import { linkFault, type OtherEnds } from '../compare-links';
import type { BundleScope } from '../format/bundle/files';
import type { BundledEvent } from '../format/bundle/lines';
import type { ErasedStream, RecordedDeletion } from '../format/deletion-receipt';
import { leafOf } from '../format/log-leaf';
import { rootOfInclusion } from '../format/merkle-proofs';
import { StreamAudit, type Links, type Upcast } from '../stream-audit';
import type { PriceTables } from './prices';
import { ScopeAudit } from './scope-audit';

export interface BundleAuditTools {
  /** Size of the log that every proof has to lead to. */
  size: number;
  root: Buffer;
  prices: PriceTables;
  /** The scope that the bundle claims to have. */
  scope: BundleScope;
  upcast: Upcast;
  /** Called for each deleted thread, once its group has ended. */
  onDeleted: (deletion: RecordedDeletion) => void;
  /** Called with the threads whose histories were removed according to the tenant's event; threads come later in the bundle. */
  onRemoved: (threads: unknown) => void;
  /** Whether an error means that a newer build wrote the event. */
  isUnknown: (error: unknown) => boolean;
}

/** A thread, and what its jobs say about it. */
interface Group {
  threadId: string;
  /** The parent of each job that the thread names. */
  named: Map<string, { parentJobId: unknown }>;
  links: Map<string, Links>;
  /** Streams that the bundle contains, also those with a fault. */
  streams: Set<string>;
  erased: Map<string, ErasedStream>;
  deletion: AuditedEvent | null;
}

/**
 * Checks the events of a bundle in their order: the streams of tenants, then each thread followed by its jobs. Memory is bounded by the jobs of one
 * thread. Reports only the first fault of each stream.
 */
export class BundleAudit {
  readonly faults: Fault[] = [];
  readonly unknown: { streamId: string; why: string }[] = [];
  /** How many jobs have no final event, and the first of them. */
  readonly open = { count: 0, first: '' };
  streams = 0;
  events = 0;
  private stream: { audit: StreamAudit; isOver: boolean } | null = null;
  private group: Group | null = null;
  /** The last id of a tenant or thread: ids must grow, so that nothing comes twice. */
  private last = '';
  private readonly scope: ScopeAudit;

  constructor(private readonly tools: BundleAuditTools) {
    this.scope = new ScopeAudit(tools.scope);
  }

  take({ event, index, appendedAt, proof }: BundledEvent): void {
    this.events += 1;
    if (this.stream?.audit.streamId !== event.streamId) this.begin(event.streamId);
    const { stream } = this;
    const outside = this.scope.take(event, appendedAt);
    if (!stream || stream.isOver) return;
    if (outside !== null) {
      this.tell(event, 'scope', outside);
      return;
    }
    this.follow(stream, event);
    if (!stream.isOver) this.note(event);
    if (!stream.isOver && !this.isLogged(event, index, appendedAt, proof)) this.tell(event, 'proof', this.whyNotLogged(index));
  }

  end(): void {
    this.endStream();
    const missing = this.scope.missing();
    if (missing) this.faults.push(missing);
    this.endGroup();
  }

  /** Records what the group has to know about an event. */
  private note(event: AuditedEvent): void {
    const { group } = this;
    const { streamId, type, version, facts } = event;
    if (type === 'SkeletonsRemoved') this.tools.onRemoved(facts.threads);
    if (type === 'JobAdded') group?.named.set(String(facts.jobId), { parentJobId: facts.parentJobId ?? null });
    if (type === 'ThreadDeleted' && group) group.deletion = event;
    if (type !== 'ThreadDeleted' && type !== 'ContentErased') return;
    const erased = { version, hash: event.hash.toString('hex') };
    group?.erased.set(streamId, { streamId, erased, head: { version: version - 1, hash: event.prevHash.toString('hex') } });
  }

  private isLogged({ streamId, version, hash }: AuditedEvent, index: number, appendedAt: string | null, hashes: Buffer[]): boolean {
    const leaf = leafOf({ streamId, version, hash, appendedAt });
    return rootOfInclusion({ index, size: this.tools.size, leaf, hashes })?.equals(this.tools.root) === true;
  }

  private whyNotLogged(index: number): string {
    return `the event, the time of its append, its index ${index} and its proof do not lead to the root of the checkpoint at ${this.tools.size}`;
  }

  private follow(stream: { audit: StreamAudit; isOver: boolean }, event: AuditedEvent): void {
    try {
      stream.audit.take(event);
    } catch (error) {
      stream.isOver = true;
      if (this.tools.isUnknown(error)) this.unknown.push({ streamId: event.streamId, why: String((error as Error).message) });
      else this.tell(event, 'facts', `cannot be read: ${String(error)}`);
      return;
    }
    const fault = stream.audit.fault ?? this.tools.prices.faultOf(event);
    if (!fault) return;
    stream.isOver = true;
    this.faults.push(fault);
  }

  private begin(streamId: string): void {
    this.endStream();
    this.streams += 1;
    this.stream = { audit: new StreamAudit(streamId, this.tools.upcast, 'digests'), isOver: false };
    const isJob = streamId.startsWith('job_');
    const misplaced = isJob ? this.group === null || this.group.streams.has(streamId) : streamId <= this.last;
    if (!isJob) {
      this.endGroup();
      this.last = streamId;
      this.group = streamId.startsWith('thr_')
        ? { threadId: streamId, named: new Map(), links: new Map(), streams: new Set(), erased: new Map(), deletion: null }
        : null;
    }
    this.group?.streams.add(streamId);
    const outside = this.scope.begin(streamId);
    if (outside !== null) {
      this.stream.isOver = true;
      this.faults.push({ streamId, version: null, field: 'scope', what: outside });
      return;
    }
    if (!misplaced) return;
    this.stream.isOver = true;
    const what = isJob ? 'comes twice, or before the thread that it is of' : 'comes twice, or not in the order of ids';
    this.faults.push({ streamId, version: null, field: 'order', what });
  }

  private endStream(): void {
    const { stream, group } = this;
    if (!stream || stream.isOver) return;
    const fault = stream.audit.end();
    if (fault) this.faults.push(fault);
    else group?.links.set(stream.audit.streamId, stream.audit.links());
    if (!fault && stream.audit.isOpenJob() && (this.open.count += 1) === 1) this.open.first = stream.audit.streamId;
    stream.isOver = true;
  }

  private endGroup(): void {
    const { group } = this;
    this.group = null;
    const untouched = this.scope.endGroup();
    if (untouched) this.faults.push(untouched);
    if (group?.deletion) {
      const { actor, occurredAt: deletedAt } = group.deletion.meta;
      this.tools.onDeleted({ threadId: group.threadId, actor, deletedAt, erased: group.erased });
    }
    const own = group?.links.get(group.threadId);
    // Nothing more can be said about a thread that has a fault of its own.
    if (!group || !own) return;
    const others = this.otherEnds(group, own);
    for (const [streamId, links] of group.links) {
      const isThread = streamId === group.threadId;
      const fault = linkFault(streamId, isThread ? { ...links, jobs: this.expectedJobs(group, links) } : links, others);
      if (fault) this.faults.push(fault);
    }
  }

  private otherEnds({ threadId, named, links, streams }: Group, own: Links): OtherEnds {
    const jobs: OtherEnds['jobs'] = new Map(
      // Statements of a job with a fault are not believed; its fault was already reported.
      [...streams].map((id) => [id, { threadId: links.get(id)?.threadId ?? threadId, isSealed: false, isErased: true }]),
    );
    return {
      threads: new Map([[threadId, { tenantId: own.tenantId, isDeleted: own.erasedAt !== null, jobs: named }]]),
      jobs,
      keys: null,
      // The receipt shows whether everything is erased: a checkpoint may lie in the middle of an erasure.
      beingErased: new Set([threadId]),
    };
  }

  private expectedJobs({ streams }: Group, { jobs }: Links): ReadonlyMap<string, number> {
    return this.scope.isWhole ? jobs : new Map([...jobs].filter(([jobId]) => streams.has(jobId)));
  }

  private tell({ streamId, version }: AuditedEvent, field: string, what: string): void {
    if (this.stream) this.stream.isOver = true;
    this.faults.push({ streamId, version, field, what });
  }
}
