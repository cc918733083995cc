import type { Pool } from 'pg';
import { AgendaTable } from './agenda/agenda-table';
import { CommitBatch } from './commit/commit-batch';
import type { Times } from './commit/writes-of';
import { Execute } from './commit/execute';
import { createPool } from './postgres/pool';
import { Contents } from './sealing/contents';
import { KeyRing } from './sealing/key-ring';
import { ThreadKeys } from './sealing/thread-keys';
import { StoredViews } from './views/stored-views';

export interface StoreSettings extends Times {
  databaseUrl: string;
  /** Connections of the write path and the hot reads. */
  connections: number;
  /** 32 bytes that wrap every thread's key; without them no content can be read. */
  masterKey: Buffer;
}

/** Everything in PostgreSQL that the roles work with. */
export interface Store {
  pool: Pool;
  batches: CommitBatch;
  execute: Execute;
  views: StoredViews;
  contents: Contents;
  agenda: AgendaTable;
  /** @throws Unsealable if the database was sealed under another MASTER_KEY: better at the start than at the first read */
  requireMasterKey(): Promise<void>;
  close(): Promise<void>;
}

export function openStore({ databaseUrl, connections, masterKey, ...times }: StoreSettings): Store {
  const pool = createPool(databaseUrl, connections);
  const ring = new KeyRing(masterKey);
  const keys = new ThreadKeys(pool, ring);
  const contents = new Contents(pool, keys);
  const batches = new CommitBatch(pool, keys, contents, times);
  return {
    pool,
    batches,
    execute: new Execute(batches),
    views: new StoredViews(pool, contents, keys),
    contents,
    agenda: new AgendaTable(pool, ring),
    requireMasterKey: () => keys.requireRing(),
    close: () => pool.end(),
  };
}
