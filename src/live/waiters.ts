import { bindTenants, namedTenants } from '@lib/batching/named-tenants';
import { tellHolding } from '@lib/memory/holdings';
import { Tally } from '@lib/memory/tally';
import type { KeyEnd } from '@lib/store/access/ended-keys';
import type { SharedReads } from './shared-reads';

export type WaitEnd = KeyEnd | 'stopping';

export type WaiterKind = 'long poll' | 'event stream';

/** A client that waits for a job to change. */
export interface Waiter {
  tenantId: string;
  jobId: string;
  /** The API key that it waits with. */
  keyId: string;
  kind: WaiterKind;
  /** Looks at the job, which has changed or is gone, and stores the version seen in `Watch.version`. */
  look: (reads: SharedReads) => Promise<void>;
  end: (why: WaitEnd) => void;
}

/** Called with 1 when a wait begins and -1 when it ends. */
export type MeasureWaiting = (kind: WaiterKind, change: 1 | -1) => void;

const MAX_WAITERS = 32_768;
/** The most places of one tenant, however many keys it uses, so that others find places too. */
const MAX_OF_TENANT = MAX_WAITERS / 2;
/** Estimated size of a waiting client, with its request, its response and its connection. */
const WAITER_BYTES = 16 * 1024;

/** One waiter's place. While it looks at its job, at most one further change is queued for it. */
export class Watch {
  /** The version of the job that the client has seen. */
  version = 0;
  isLooking = true;
  isStale = false;
  /** The tenants that it reads for. */
  readonly tenants = namedTenants();

  constructor(
    readonly waiter: Waiter,
    private readonly lookAgain: (watch: Watch) => void,
    private readonly waiters: Waiters,
  ) {}

  /** From now on, the client is told when the job is newer than the version seen, including changes since its look began. */
  rest(): void {
    this.isLooking = false;
    if (this.isStale) this.again();
  }

  /** Makes the client look at the job at its next turn. */
  again(): void {
    this.lookAgain(this);
  }

  stop(): void {
    this.waiters.leave(this);
  }
}

/** All waiting clients, by job, tenant and key; their number is limited. */
export class Waiters {
  private readonly ofJobs = new Map<string, Set<Watch>>();
  private readonly ofTenants = new Tally();
  private readonly ofKeys = new Tally();

  /** @param lookAgain makes a waiting client look at its job at its next turn */
  constructor(
    private readonly lookAgain: (watch: Watch) => void,
    private readonly measure?: MeasureWaiting,
  ) {
    tellHolding(this, 'waiting clients', MAX_WAITERS * WAITER_BYTES, ({ count }) => ({ items: count, bytes: count * WAITER_BYTES }));
  }

  get count(): number {
    return this.ofTenants.total;
  }

  byJob(): Iterable<readonly [string, ReadonlySet<Watch>]> {
    return this.ofJobs;
  }

  /** Undefined if nobody waits for the job. */
  of(jobId: string): ReadonlySet<Watch> | undefined {
    return this.ofJobs.get(jobId);
  }

  has(watch: Watch): boolean {
    return this.ofJobs.get(watch.waiter.jobId)?.has(watch) === true;
  }

  /** The keys of all waiting clients. */
  keyIds(): string[] {
    return this.ofKeys.names();
  }

  /** Null if there is no place left. */
  enter(waiter: Waiter): Watch | null {
    if (this.count >= MAX_WAITERS || this.ofTenants.of(waiter.tenantId) >= MAX_OF_TENANT) return null;
    this.tally(waiter, 1);
    const watch = new Watch({ ...waiter, look: bindTenants(waiter.look) }, this.lookAgain, this);
    const others = this.ofJobs.get(waiter.jobId);
    if (others) others.add(watch);
    else this.ofJobs.set(waiter.jobId, new Set([watch]));
    return watch;
  }

  leave(watch: Watch): void {
    const { jobId } = watch.waiter;
    const watches = this.ofJobs.get(jobId);
    if (!watches?.delete(watch)) return;
    if (watches.size === 0) this.ofJobs.delete(jobId);
    this.tally(watch.waiter, -1);
  }

  private tally({ tenantId, keyId, kind }: Waiter, change: 1 | -1): void {
    this.ofTenants.add(tenantId, change);
    this.ofKeys.add(keyId, change);
    this.measure?.(kind, change);
  }
}
