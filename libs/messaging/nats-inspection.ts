import type { NatsConnection } from 'nats';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { dialNats } from './nats-dial';
import { failureOf, lacksJetStream, type NatsFailure } from './nats-failures';
import { connectionOptions, isOlder, OLDEST_SAFE_SERVER, OLDEST_SERVER, type NatsAddress } from './nats-options';
import { consumerName, prefixOfStream, streamName, type WorkQueue } from './subjects';

/** What a NATS server tells a client about itself. */
export interface NatsServer {
  version: string;
  /** `unusable` is refused by every role, `unsafe` is warned of. */
  age: 'unusable' | 'unsafe' | 'ok';
  oldestSafe: string;
  /** Largest message in bytes. */
  maxPayloadBytes: number;
  /** The server keeps queues; without it there is no work queue. */
  hasJetStream: boolean;
  /** Every NATS_PREFIX that has queues there; empty if there are none, or if this user may not ask. */
  prefixes: string[];
  /** Null if there is no work stream of this prefix yet, or if this user may not ask. */
  workStream: WorkStreamState | null;
  /** Consumers of the work stream that an operator has paused; those that this user may not ask about are not among them. */
  pausedConsumers: { name: string; until: string }[];
}

/** What decides whether the work stream takes entries. */
export interface WorkStreamState {
  name: string;
  isSealed: boolean;
  /** Infinity without a limit. */
  roomBytes: number;
  /** How many entries more it takes; likewise. */
  roomEntries: number;
}

export class NatsUnusable extends Error {
  override readonly name = 'NatsUnusable';

  constructor(
    readonly failure: NatsFailure,
    options?: ErrorOptions,
  ) {
    super(failure.what, options);
  }
}

/**
 * Connects once, looks, and disconnects; nothing on the server changes.
 * @param subjectPrefix ends in a dot, or is empty
 * @throws NatsUnusable
 */
export async function inspectNats(address: NatsAddress, subjectPrefix: string): Promise<NatsServer> {
  const connection = await dialNats({ ...connectionOptions(address), reconnect: false }).catch((cause: unknown) => {
    throw new NatsUnusable(failureOf(cause), { cause });
  });
  try {
    const { version = '0', max_payload: maxPayloadBytes = 0 } = connection.info ?? {};
    const hasJetStream = !(await lacksJetStream(connection));
    const age = isOlder(version, OLDEST_SERVER) ? 'unusable' : isOlder(version, OLDEST_SAFE_SERVER) ? 'unsafe' : 'ok';
    const prefixes = hasJetStream ? await prefixesOn(connection) : [];
    const workStream = hasJetStream ? await stateOf(connection, streamName(subjectPrefix)) : null;
    const pausedConsumers = workStream === null ? [] : await pausedOf(connection, workStream.name);
    return { version, age, oldestSafe: OLDEST_SAFE_SERVER, maxPayloadBytes, hasJetStream, prefixes, workStream, pausedConsumers };
  } finally {
    await connection.close();
  }
}

const LOOK_MS = 1_000;

async function prefixesOn(connection: NatsConnection): Promise<string[]> {
  try {
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: LOOK_MS });
    const prefixes: string[] = [];
    for await (const name of manager.streams.names()) prefixes.push(...[prefixOfStream(name)].filter((prefix) => prefix !== null));
    return prefixes.sort();
  } catch {
    // The users of `research nats-users` may not list streams, and speak under no other prefix than theirs.
    return [];
  }
}

/** Asks for each by its name: the users of `research nats-users` may not list consumers, but the saga may look at each, and whoever takes work at theirs. */
async function pausedOf(connection: NatsConnection, stream: string): Promise<NatsServer['pausedConsumers']> {
  const queues: WorkQueue[] = [
    { kind: 'explore' },
    { kind: 'synthesis' },
    ...PROVIDERS.flatMap((provider): WorkQueue[] => [
      { kind: 'step', provider },
      { kind: 'cancel', provider },
    ]),
  ];
  const manager = await connection.jetstreamManager({ checkAPI: false, timeout: LOOK_MS });
  const asked = await Promise.allSettled(queues.map((queue) => manager.consumers.info(stream, consumerName(queue))));
  return asked.flatMap((answer) => {
    if (answer.status === 'rejected' || answer.value.paused !== true) return [];
    return { name: answer.value.name, until: answer.value.config.pause_until ?? '' };
  });
}

async function stateOf(connection: NatsConnection, name: string): Promise<WorkStreamState | null> {
  try {
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: LOOK_MS });
    const { config, state } = await manager.streams.info(name);
    const roomIn = (most: number, held: number): number => (most < 0 ? Infinity : Math.max(0, most - held));
    const room = { roomBytes: roomIn(config.max_bytes, state.bytes), roomEntries: roomIn(config.max_msgs, state.messages) };
    return { name, isSealed: config.sealed, ...room };
  } catch {
    return null;
  }
}
