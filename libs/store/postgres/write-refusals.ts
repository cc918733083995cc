import type { EventEmitter } from 'node:events';
import { Client, type Pool, type PoolClient } from 'pg';
import { DISK_FULL, READ_ONLY } from './sql-states';

interface Refusals {
  /** By `performance.now()`: older connections may lead to the former primary after a failover. */
  readOnlyAt: number;
  isFull: boolean;
}

const refusalsOf = new WeakMap<Pool, Refusals>();

/** Knows when it was begun: the server that a name leads to is chosen then, and may be another one by the time that the connection is open. */
export class DatedClient extends Client {
  readonly beganAt = performance.now();
}

/**
 * Notices servers that refuse writes. If one says that it is read-only, all connections that are older are given up, also those that only
 * read: the name of the primary may lead to another server by now, but an open connection stays with the old one.
 */
export function heedRefusals(pool: Pool): void {
  const refusals: Refusals = { readOnlyAt: -Infinity, isFull: false };
  refusalsOf.set(pool, refusals);
  pool.on('connect', (client) => {
    // For every statement of every caller.
    (client as PoolClient & { connection: EventEmitter }).connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === DISK_FULL) refusals.isFull = true;
      if (code === READ_ONLY) giveUpConnections(pool);
    });
  });
  pool.on('release', (_, client) => {
    const { beganAt } = client as unknown as DatedClient;
    if (beganAt <= refusals.readOnlyAt) void (client as PoolClient & Client).end();
  });
}

/** Connections in use follow once they are released. */
export function giveUpConnections(pool: Pool): void {
  const refusals = refusalsOf.get(pool);
  if (!refusals) return;
  refusals.readOnlyAt = performance.now();
  for (let idle = pool.idleCount; idle > 0; idle -= 1) void pool.connect().then(release, () => undefined);
}

const release = (client: PoolClient): void => client.release();

/** Whether the server has found no space on its disk since `foundSpace`. */
export const isFull = (pool: Pool): boolean => refusalsOf.get(pool)?.isFull ?? false;

export function foundSpace(pool: Pool): void {
  const refusals = refusalsOf.get(pool);
  if (refusals) refusals.isFull = false;
}
