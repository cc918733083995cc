import { setTimeout as delay } from 'node:timers/promises';
import { connect, createInbox, Events, type ConnectionOptions, type NatsConnection, type Subscription } from 'nats';
import { nameOf, type TransportLogger } from './transport';

export interface NatsAddress {
  /** `nats://[user:password@|token@]host:port`; several servers of one cluster separated by commas; `tls://` for TLS. */
  url: string;
  /** Shown in the server's list of connections. */
  name: string;
  /** Where replies to this client come, and nobody else's: see `inboxPrefix`. */
  inbox?: string | undefined;
  /** Within this time a server that says nothing is noticed; at best within `SHORTEST_SILENCE_MS`. */
  silenceMs?: number;
}

/** Older ones are refused. */
export const OLDEST_SERVER = '2.10.0';
/** Older ones lose messages in known cases. */
export const OLDEST_SAFE_SERVER = '2.12.3';
const FIRST_TRY_MS = 2_000;
const RETRY_MS = 500;
/** A server that leaves two of these unanswered is given up with the third. */
const PINGS = 3;
const SHORTEST_PING_MS = 1_000;
export const SHORTEST_SILENCE_MS = PINGS * SHORTEST_PING_MS;

/**
 * The connection to NATS, kept up for ever. It may be down at any time, from the start on; callers ask `current` each time and
 * go on without where it is null.
 */
export class NatsLink {
  private connection: NatsConnection | null = null;
  private upSince: number | null = null;
  private largestPayload = 1024 * 1024;
  private readonly upListeners = new Set<(connection: NatsConnection) => void>();
  private readonly refusedListeners = new Set<(subject: string) => void>();
  /** Subjects that the server does not let this connection publish to. */
  private readonly refused = new Set<string>();
  private readonly closing = new AbortController();

  private constructor(
    private readonly address: NatsAddress,
    private readonly logger: TransportLogger | undefined,
  ) {}

  /**
   * Waits for one attempt, and goes on in the background if that fails.
   *
   * @throws Error when the address cannot be read, or the server is too old to work with.
   */
  static async open(address: NatsAddress, logger?: TransportLogger): Promise<NatsLink> {
    const link = new NatsLink(address, logger);
    try {
      await link.dial();
    } catch (error) {
      if (error instanceof UnsupportedServer || error instanceof UnusableAddress) throw error;
      logger?.warn({ reason: 'nats_unreachable', error: nameOf(error) }, `NATS does not answer; trying every ${RETRY_MS} ms`);
      void link.dialUntilUp();
    }
    return link;
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
  onRefused(callback: (subject: string) => void): void {
    this.refusedListeners.add(callback);
  }

  mayPublish(subject: string): boolean {
    return !this.refused.has(subject);
  }

  /** A subject for replies that nobody else is told of. */
  newInbox(): string {
    return createInbox(this.address.inbox);
  }

  connectedForMs(): number | null {
    return this.upSince === null ? null : performance.now() - this.upSince;
  }

  maxPayloadBytes(): number {
    return this.largestPayload;
  }

  /** What the server has sent by now is still handed over, if there is a connection: without one nobody would tell when that is done. */
  async endSubscription(subscription: Subscription | null): Promise<void> {
    if (this.current()) await subscription?.drain().catch(() => undefined);
    else subscription?.unsubscribe();
  }

  /** Sends what is still buffered, if it can. */
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
      });
      if (this.connection) return;
    }
  }

  private async dial(): Promise<void> {
    const connection = await connect(connectionOptions(this.address));
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
      else this.logger?.warn({ reason: 'nats_error', code: JSON.stringify(status.data) }, 'NATS reports an error');
    }
  }

  private notPermitted({ operation, subject }: { operation: string; subject: string }): void {
    // Without what is only told to one of us: the end of an inbox.
    const shown = subject.replace(/(_INBOX\..*)\.[^.]*$/, '$1.*');
    this.logger?.warn({ reason: 'nats_not_permitted', operation, subject: shown }, 'the permissions of this NATS user do not allow that');
    if (operation !== 'publish') return;
    this.refused.add(subject);
    for (const listener of this.refusedListeners) listener(subject);
  }

  private cameUp(connection: NatsConnection): void {
    if (this.closing.signal.aborted) return;
    this.refused.clear();
    this.upSince = performance.now();
    this.largestPayload = connection.info?.max_payload ?? this.largestPayload;
    for (const listener of this.upListeners) listener(connection);
  }
}

class UnusableAddress extends Error {
  override readonly name = 'UnusableAddress';
}

class UnsupportedServer extends Error {
  override readonly name = 'UnsupportedServer';
}

/** The first try is ours and fails fast; from then on the client reconnects for ever, whatever the server says. */
export const connectionOptions = ({ url, name, inbox, silenceMs = 15_000 }: NatsAddress): ConnectionOptions => {
  const servers = url.split(',').map(parseServer);
  const [first] = servers;
  const [user, password] = [first?.username ?? '', first?.password ?? ''].map(decodeURIComponent);
  return {
    servers: servers.map(({ host }) => host),
    name,
    ...(inbox ? { inboxPrefix: inbox } : {}),
    ...(user && password ? { user, pass: password } : user ? { token: user } : {}),
    ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
    timeout: FIRST_TRY_MS,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: untilNextTry(servers.length),
    ignoreAuthErrorAbort: true,
    pingInterval: Math.max(SHORTEST_PING_MS, Math.floor(silenceMs / PINGS)),
    maxPingOut: PINGS - 1,
    noAsyncTraces: true,
  };
};

/** For the client to try at once, whatever it thinks that the time is. */
const AT_ONCE = Number.NEGATIVE_INFINITY;
/** So that not all clients of a server come back in the same moment. */
const JITTER = 0.2;
/** The client waits so much less than it was told. */
const EARLY_MS = 50;

/**
 * How long the client waits before it tries the next server: each is tried once in `RETRY_MS` by the monotonic clock. Left to itself it compares
 * times of the process's clock, and tries no server for as long as that clock was set back.
 */
function untilNextTry(servers: number): () => number {
  /** When each of the last tries may be repeated. */
  const repeats: number[] = [];
  return () => {
    const now = performance.now();
    const left = repeats.length < servers ? 0 : (repeats[0] ?? 0) - now;
    if (left > EARLY_MS) return left;
    if (repeats.length === servers) repeats.shift();
    repeats.push(now + RETRY_MS * (1 + JITTER * Math.random()));
    return AT_ONCE;
  };
}

const parseServer = (server: string): URL => {
  const parsed = URL.parse(server.trim());
  if (parsed?.host && ['nats:', 'tls:'].includes(parsed.protocol)) return parsed;
  // Without the part before @, which is a secret.
  const shown = JSON.stringify(server.trim().split('@').at(-1));
  throw new UnusableAddress(`The NATS address ${shown} is not usable: write nats://host:4222, several servers separated by commas.`);
};

export const isOlder = (version: string, wanted: string): boolean => version.localeCompare(wanted, 'en', { numeric: true }) < 0;
