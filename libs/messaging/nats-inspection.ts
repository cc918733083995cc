import { connect } from 'nats';
import { connectionOptions, isOlder, OLDEST_SAFE_SERVER, OLDEST_SERVER, type NatsAddress } from './nats-connection';
import { codeOf } from './nats-work-queue';

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
}

/**
 * Connects once, looks, and leaves; nothing on the server changes.
 * @throws Error with the code of what failed, never with the address: it can hold a password
 */
export async function inspectNats(address: NatsAddress): Promise<NatsServer> {
  const connection = await connect({ ...connectionOptions(address), reconnect: false }).catch((cause: unknown) => {
    throw new Error(codeOf(cause), { cause });
  });
  try {
    const { version = '0', max_payload: maxPayloadBytes = 0 } = connection.info ?? {};
    const manager = await connection.jetstreamManager({ checkAPI: false });
    const hasJetStream = await manager.getAccountInfo().then(
      () => true,
      () => false,
    );
    const age = isOlder(version, OLDEST_SERVER) ? 'unusable' : isOlder(version, OLDEST_SAFE_SERVER) ? 'unsafe' : 'ok';
    return { version, age, oldestSafe: OLDEST_SAFE_SERVER, maxPayloadBytes, hasJetStream };
  } finally {
    await connection.close();
  }
}
