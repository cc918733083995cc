import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, Events, type NatsConnection, type Subscription } from 'nats';
import { dialNats } from './nats-dial';
import { failureOf, lacksJetStream, NO_JETSTREAM, type NatsFailure } from './nats-failures';
import { connectionOptions, isOlder, OLDEST_SAFE_SERVER, OLDEST_SERVER, RETRY_MS, UnusableAddress, type NatsAddress } from './nats-options';
import { MIN_PAYLOAD_BYTES, type TransportLogger } from './transport';

/** Something that the server lacks or refuses is tried again after this time, since its operator may have fixed it. */
export const LOOK_AGAIN_MS = 5_000;
/** Limit on the refused subjects that are remembered. Beyond it the oldest is forgotten and tried again: every job has subjects of its own. */
const MAX_REFUSED = 1_000;
const UNREACHABLE = failureOf(new Error('not connected'));

/**
 * The connection to NATS, kept up for ever. It may be down at any time, from the start on; callers ask `current` each time and
 * go on without where it is null.
 */
export class NatsLink {
  private connection: NatsConnection | null = null;
  private upSince: number | null = null;
  private failure: NatsFailure | null = null;
  private isWithoutJetStream = false;
  private firstLook: Promise<void> = Promise.resolve();
  private nextLook: NodeJS.Timeout | undefined;
  private largestPayload = MIN_PAYLOAD_BYTES;
  private readonly upListeners = new Set<(connection: NatsConnection) => void>();
  private readonly refusedListeners = new Set<(subject: string) => void>();
  /** Subjects that the server did not let us publish to, and when it refused. */
  private readonly refused = new Map<string, number>();
  private readonly closing = new AbortController();

  private constructor(
    private readonly address: NatsAddress,
    private readonly logger: TransportLogger | undefined,
  ) {}

  /**
   * Waits for one attempt, and continues in the background if that fails.
   * @throws Error when the address cannot be read, or the server is too old to work with.
   */
  static async open(address: NatsAddress, logger?: TransportLogger): Promise<NatsLink> {
    const link = new NatsLink(address, logger);
    try {
      await link.dial();
      await link.firstLook;
    } catch (error) {
      if (error instanceof UnsupportedServer || error instanceof UnusableAddress) throw error;
      link.failed(error);
      void link.dialUntilUp();
    }
    return link;
  }

  /** Why nothing can be sent or queued; null if all is well. */
  trouble(): NatsFailure | null {
    if (this.upSince === null) return this.failure ?? UNREACHABLE;
    return this.isWithoutJetStream ? NO_JETSTREAM : null;
  }

  /** Null while nothing can be sent. */
  current(): NatsConnection | null {
    return this.upSince === null ? null : this.connection;
  }

  /** Calls back each time the connection comes up from now on. */
  onUp(callback: (connection: NatsConnection) => void): () => void {
    this.upListeners.add(callback);
    return () => void this.upListeners.delete(callback);
  }

  /** Calls back with a subject that the server has not let us publish to. */
  onRefused(callback: (subject: string) => void): () => void {
    this.refusedListeners.add(callback);
    return () => void this.refusedListeners.delete(callback);
  }

  mayPublish(subject: string): boolean {
    const refusedAt = this.refused.get(subject);
    return refusedAt === undefined || performance.now() - refusedAt > LOOK_AGAIN_MS;
  }

  /** A subject for replies that no other client knows. */
  newInbox(): string {
    return createInbox(this.address.inbox);
  }

  connectedForMs(): number | null {
    return this.upSince === null ? null : performance.now() - this.upSince;
  }

  maxPayloadBytes(): number {
    return this.largestPayload;
  }

  /**
   * Waits until everything that the server has sent so far is handed over. Only while connected: without a connection the client never reports the
   * end.
   */
  async endSubscription(subscription: Subscription | null): Promise<void> {
    if (this.current()) await subscription?.drain().catch(() => undefined);
    else subscription?.unsubscribe();
  }

  /** Sends what is still buffered, if possible. */
  async close(): Promise<void> {
    this.closing.abort();
    const connection = this.current();
    this.upSince = null;
    if (connection) await connection.drain().catch(() => undefined);
    await this.connection?.close();
  }

  private async dialUntilUp(): Promise<void> {
    while (!this.closing.signal.aborted) {
      await delay(RETRY_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
      if (this.closing.signal.aborted) return;
      await this.dial().catch((error: unknown) => {
        if (error instanceof UnsupportedServer) this.logger?.warn({ reason: 'nats_too_old' }, error.message);
        else this.failed(error);
      });
      if (this.connection) return;
    }
  }

  private async dial(): Promise<void> {
    const connection = await dialNats(connectionOptions(this.address));
    const version = connection.info?.version ?? '0';
    if (this.closing.signal.aborted) return connection.close();
    if (isOlder(version, OLDEST_SERVER)) {
      await connection.close();
      throw new UnsupportedServer(`nats-server ${version} is too old: use ${OLDEST_SAFE_SERVER} or newer, at least ${OLDEST_SERVER}.`);
    }
    this.warnIfUnsafe(version);
    this.connection = connection;
    this.cameUp(connection);
    void this.watch(connection);
  }

  /** A client without a system account cannot read how often the server syncs its files, so the operator is told once. */
  private warnIfUnsafe(version: string): void {
    if (isOlder(version, OLDEST_SAFE_SERVER)) {
      this.logger?.warn({ reason: 'nats_unsafe', version }, `nats-server ${version} is older than ${OLDEST_SAFE_SERVER}: update it`);
    }
    this.logger?.warn(
      { reason: 'nats_sync_unknown', version },
      'whether NATS syncs each write cannot be seen from here: production servers need jetstream { sync_interval: always }',
    );
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) {
        this.upSince = null;
        if (!this.closing.signal.aborted) this.logger?.warn({ reason: 'nats_disconnected' }, 'the connection to NATS is down');
      }
      if (status.type === Events.Reconnect) this.cameUp(connection);
      if (status.type !== Events.Error) continue;
      if (status.permissionContext) this.notPermitted(status.permissionContext);
      else if (this.upSince === null) this.failed({ code: status.data });
      else this.logger?.warn({ reason: 'nats_error', code: JSON.stringify(status.data) }, 'NATS reports an error');
    }
  }

  private notPermitted({ operation, subject }: { operation: string; subject: string }): void {
    // Without the last part of an inbox, which differs for each client.
    const shown = subject.replace(/(_INBOX\..*)\.[^.]*$/, '$1.*');
    this.logger?.warn({ reason: 'nats_not_permitted', operation, subject: shown }, 'the permissions of this NATS user do not allow that');
    if (operation !== 'publish') return;
    const [oldest] = this.refused.keys();
    if (oldest !== undefined && this.refused.size >= MAX_REFUSED) this.refused.delete(oldest);
    this.refused.set(subject, performance.now());
    for (const listener of this.refusedListeners) listener(subject);
  }

  /** Warns again only if the reason changes, since there is a try every moment. */
  private failed(error: unknown): void {
    const failure = failureOf(error);
    if (failure.reason !== this.failure?.reason) {
      this.logger?.warn({ reason: failure.reason, remedy: failure.remedy }, `${failure.what}; trying every ${RETRY_MS} ms`);
    }
    this.failure = failure;
  }

  /** Until there is JetStream nothing can be queued. */
  private async lookForJetStream(connection: NatsConnection): Promise<void> {
    const wasWithout = this.isWithoutJetStream;
    this.isWithoutJetStream = await lacksJetStream(connection);
    if (!this.isWithoutJetStream || this.current() !== connection) return;
    if (!wasWithout) this.logger?.warn({ reason: NO_JETSTREAM.reason, remedy: NO_JETSTREAM.remedy }, NO_JETSTREAM.what);
    // A reconnect keeps the connection object, so JetStream is looked for again.
    clearTimeout(this.nextLook);
    this.nextLook = setTimeout(() => void this.lookForJetStream(connection), LOOK_AGAIN_MS).unref();
  }

  private cameUp(connection: NatsConnection): void {
    if (this.closing.signal.aborted) return;
    this.failure = null;
    this.refused.clear();
    this.upSince = performance.now();
    this.firstLook = this.lookForJetStream(connection);
    this.largestPayload = connection.info?.max_payload ?? this.largestPayload;
    for (const listener of this.upListeners) listener(connection);
  }
}

class UnsupportedServer extends Error {
  override readonly name = 'UnsupportedServer';
}
