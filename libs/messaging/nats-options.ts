import type { ConnectionOptions } from 'nats';
import type { NatsLogin } from '@lib/domain/nats-login';
import { loginOptions } from './nats-login';

export interface NatsAddress {
  /** `nats://[user:password@|token@]host:port`; several servers of one cluster separated by commas; `tls://` for TLS. */
  url: string;
  login?: NatsLogin | undefined;
  /** Shown in the server's list of connections. */
  name: string;
  /** Prefix of the subjects at which only this client gets replies: see `inboxPrefix`. */
  inbox?: string | undefined;
  /** A silent server is noticed within this time, but not faster than `MIN_SILENCE_MS`. */
  silenceMs?: number;
}

/** Older ones are refused. */
export const OLDEST_SERVER = '2.10.0';
/** Older ones lose messages in known cases. */
export const OLDEST_SAFE_SERVER = '2.12.3';
const FIRST_TRY_MS = 2_000;
export const RETRY_MS = 500;
/** A server that leaves two of these unanswered is given up with the third. */
const PINGS = 3;
const MIN_PING_MS = 1_000;
export const MIN_SILENCE_MS = PINGS * MIN_PING_MS;

export class UnusableAddress extends Error {
  override readonly name = 'UnusableAddress';
}

/** The first try is ours and fails fast; after that the client reconnects for ever, whatever the server says. */
export const connectionOptions = ({ url, login = {}, name, inbox, silenceMs = 15_000 }: NatsAddress): ConnectionOptions => {
  const servers = url.split(',').map(parseServer);
  const [first] = servers;
  const [user, password] = [first?.username ?? '', first?.password ?? ''].map(decodeURIComponent);
  return {
    servers: servers.map(({ host }) => host),
    name,
    ...(inbox ? { inboxPrefix: inbox } : {}),
    ...(user && password ? { user, pass: password } : user ? { token: user } : {}),
    ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
    ...loginOptions(login),
    timeout: FIRST_TRY_MS,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: untilNextTry(servers.length),
    ignoreAuthErrorAbort: true,
    pingInterval: Math.max(MIN_PING_MS, Math.floor(silenceMs / PINGS)),
    maxPingOut: PINGS - 1,
    noAsyncTraces: true,
  };
};

/** A value that makes the client try at once, whatever its clock says. */
const AT_ONCE = Number.NEGATIVE_INFINITY;
/** A random part, so that not all clients of a server come back at the same moment. */
const JITTER = 0.2;
/** The client may wait this much less than it was told. */
const EARLY_MS = 50;

/**
 * How long the client waits before it tries the next server: each server is tried once in `RETRY_MS` by the monotonic clock. By default the client
 * compares wall-clock times, and if that clock was set back, it tries no server for that long.
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
