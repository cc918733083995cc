import { bindTenants, namedTenants } from '@lib/batching/named-tenants';
import { tellHolding } from '@lib/memory/holdings';
import { Tally } from '@lib/memory/tally';
import type { KeyEnd } from '@lib/store/access/ended-keys';
import { Turns } from './turns';

export type WaitEnd = KeyEnd | 'stopping';

/** A client that waits for something to change: its topic. */
export interface Waiter<Reads = void> {
  tenantId: string;
  /** The API key that it waits with. */
  keyId: string;
  /** Looks at what has changed or is gone. */
  look: (reads: Reads) => Promise<void>;
  end: (why: WaitEnd) => void;
}

/** Which of the keys may no longer read, and why. */
export type FindEnded = (keyIds: string[]) => Promise<Iterable<readonly [string, KeyEnd]>>;

interface Settings<Client extends Waiter<never>> {
  /** Of this kind of client, among what the process holds. */
  name: string;
  max: number;
  /** Estimated size of one client, with its request, its response and its connection. */
  bytesEach: number;
  topicOf: (client: Client) => string;
  /** Makes a client that rests look at its next turn. */
  lookAgain: (watch: Watch<Client>) => void;
  /** Called with 1 when a wait begins and -1 when it ends. */
  measure?: ((client: Client, change: 1 | -1) => void) | undefined;
}

/** One client's place. While it looks or waits for its turn, at most one further change is kept for it. */
export class Watch<Client extends Waiter<never>> {
  /** The version of its topic that the client has seen. */
  version = 0;
  isLooking = true;
  isStale = false;
  /** The tenants that it reads for. */
  readonly tenants = namedTenants();

  constructor(
    readonly waiter: Client,
    private readonly waiters: Waiters<Client>,
  ) {}

  /** From now on, the client is told when its topic is newer than the version seen, including changes since its look began. */
  rest(): void {
    this.isLooking = false;
    if (this.isStale) this.again();
  }

  /** Makes the client look at its next turn, or once more after the look that has begun. */
  again(): void {
    if (this.isLooking) this.isStale = true;
    else this.waiters.settings.lookAgain(this);
  }

  stop(): void {
    this.waiters.leave(this);
  }
}

/** All waiting clients of a kind, by topic, tenant and key; their number is limited. */
export class Waiters<Client extends Waiter<never>> {
  /** Clients look and are ended one after another, so that other requests are answered in between. */
  readonly turns = new Turns();
  private readonly ofTopics = new Map<string, Set<Watch<Client>>>();
  private readonly ofTenants = new Tally();
  private readonly ofKeys = new Tally();

  constructor(readonly settings: Settings<Client>) {
    const { name, max, bytesEach } = settings;
    tellHolding(this, name, max * bytesEach, ({ count }) => ({ items: count, bytes: count * bytesEach }));
  }

  get count(): number {
    return this.ofTenants.total;
  }

  byTopic(): Iterable<readonly [string, ReadonlySet<Watch<Client>>]> {
    return this.ofTopics;
  }

  all(): Watch<Client>[] {
    return [...this.ofTopics.values()].flatMap((watches) => [...watches]);
  }

  /** Undefined if nobody waits for the topic. */
  of(topic: string): ReadonlySet<Watch<Client>> | undefined {
    return this.ofTopics.get(topic);
  }

  has(watch: Watch<Client>): boolean {
    return this.of(this.settings.topicOf(watch.waiter))?.has(watch) === true;
  }

  /** Null if there is no place left: one tenant gets at most half of them, however many keys it uses, so that others find places too. */
  enter(client: Client): Watch<Client> | null {
    const { max, topicOf } = this.settings;
    if (this.count >= max || this.ofTenants.of(client.tenantId) >= max / 2) return null;
    this.tally(client, 1);
    const watch = new Watch({ ...client, look: bindTenants(client.look) }, this);
    const others = this.ofTopics.get(topicOf(client));
    if (others) others.add(watch);
    else this.ofTopics.set(topicOf(client), new Set([watch]));
    return watch;
  }

  leave(watch: Watch<Client>): void {
    const topic = this.settings.topicOf(watch.waiter);
    const watches = this.ofTopics.get(topic);
    if (!watches?.delete(watch)) return;
    if (watches.size === 0) this.ofTopics.delete(topic);
    this.tally(watch.waiter, -1);
  }

  async endThoseOfEndedKeys(findEnded: FindEnded): Promise<void> {
    const keyIds = this.ofKeys.names();
    if (keyIds.length === 0) return;
    const ended = new Map(await findEnded(keyIds));
    if (ended.size > 0) await this.endAll(({ keyId }) => ended.get(keyId));
  }

  async endAll(whyOf: (client: Client) => WaitEnd | undefined): Promise<void> {
    const ends = this.all().flatMap((watch) => {
      const why = whyOf(watch.waiter);
      return why ? [{ watch, why }] : [];
    });
    for (const { watch } of ends) this.leave(watch);
    for (const { watch, why } of ends) {
      await this.turns.next();
      watch.waiter.end(why);
    }
  }

  private tally(client: Client, change: 1 | -1): void {
    this.ofTenants.add(client.tenantId, change);
    this.ofKeys.add(client.keyId, change);
    this.settings.measure?.(client, change);
  }
}
