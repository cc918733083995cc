import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';

import { ANSWER_WITHIN_MS } from './answer-within';

type Callback = (error: Error | undefined, client: PoolClient | undefined, release: PoolClient['release']) => void;

/** A connection that was used so lately is not doubted, because to ask costs a round trip. */
const TRUSTED_MS = 1_000;
/** A server that takes longer to answer is slow or gone: another connection is tried beside. */
const LATE_MS = 1_000;
const LOOK = { text: 'select', query_timeout: ANSWER_WITHIN_MS };

/**
 * Before a connection is used that was idle, the server is asked on it whether it is there: it may have been restarted, or what lies between may have
 * forgotten the connection, without a word to this side. Nothing of the caller's has been sent by then, so a write, too, can take another connection.
 */
export function replaceForgotten(pool: Pool): void {
  const usedAt = new WeakMap<ClientBase, number>();
  pool.on('release', (_, client) => usedAt.set(client, performance.now()));
  const connect = pool.connect.bind(pool) as (callback: Callback) => void;
  const hasRoom = (): boolean => pool.totalCount < pool.options.max;
  const take = (callback: Callback): void =>
    connect((error, client, release) => {
      const usedBefore = client && usedAt.get(client);
      if (usedBefore === undefined || performance.now() - usedBefore < TRUSTED_MS) return callback(error, client, release);
      livingOr(client as PoolClient, another, hasRoom).then(
        (living) => callback(undefined, living, living.release),
        (failure: Error) => callback(failure, undefined, () => undefined),
      );
    });
  const another = (): Promise<PoolClient> =>
    new Promise((resolve, reject) =>
      take((error, client) => (client ? resolve(client) : reject(error ?? new Error('the pool gave no connection')))),
    );
  pool.connect = ((callback?: Callback) => (callback ? take(callback) : another())) as Pool['connect'];
}

/** The connection if the server answers on it, else another one. While the server is late, the one of the two on which it answers first. */
async function livingOr(client: PoolClient, another: () => Promise<PoolClient>, hasRoom: () => boolean): Promise<PoolClient> {
  const answered = client.query(LOOK).then(() => client);
  const isLate = await isLateFor(answered);
  // Without room another one can only come in the place of this.
  const other = isLate && hasRoom() ? another() : null;
  const living = await Promise.any([answered, ...(other ? [other] : [])]).catch(() => null);
  if (living !== client) {
    client.release(true);
    return other ?? another();
  }
  other?.then(
    (spare) => spare.release(),
    () => undefined,
  );
  return client;
}

async function isLateFor(answered: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(LATE_MS, true, { signal: over.signal });
  const inTime = answered.then(
    () => false,
    () => false,
  );
  return Promise.race([inTime, late]).finally(() => over.abort());
}
