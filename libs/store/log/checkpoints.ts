import type { Pool } from 'pg';

/** A log, by its name. There is one, and another one after each restore of a database that lacked entries of a published checkpoint. */
export interface LogOrigin {
  number: number;
  origin: string;
  /** The database that it was last known to be in, see `clusterOf`. */
  cluster: string;
  /** Entries that it had when it was opened: they were those of the log before. */
  size: number;
  /** The signed note of the newest checkpoint of the log before. */
  predecessor: string | null;
}

export interface StoredCheckpoint {
  origin: string;
  size: number;
  /** With the signatures of the log's keys. */
  note: string;
  signedAt: Date;
}

/** A public key that has signed checkpoints, under the name of its log. */
export interface StoredKey {
  name: string;
  /** 8 hexadecimal digits. */
  keyId: string;
  publicKey: Buffer;
}

const numbered = <Row extends { size: number | string }>(row: Row) => ({ ...row, size: Number(row.size) });

/** Every log that was opened on this database, oldest first. */
export async function logOrigins(pool: Pool): Promise<LogOrigin[]> {
  const { rows } = await pool.query<LogOrigin>('select number, origin, cluster, size, predecessor from log_origin order by number');
  return rows.map(numbered);
}

/** If several processes open the same log at the same time, one of them succeeds. */
export async function openOrigin(pool: Pool, { number, origin, cluster, predecessor }: Omit<LogOrigin, 'size'>): Promise<void> {
  await pool.query(
    `insert into log_origin (number, origin, cluster, size, predecessor)
      select $1, $2, $3, size, $4 from log_head on conflict do nothing`,
    [number, origin, cluster, predecessor],
  );
}

export async function moveOrigin(pool: Pool, number: number, cluster: string): Promise<void> {
  await pool.query('update log_origin set cluster = $2 where number = $1', [number, cluster]);
}

const COLUMNS = 'origin, size, note, signed_at as "signedAt"';

export async function newestCheckpoint(pool: Pool, origin: string): Promise<StoredCheckpoint | null> {
  const text = `select ${COLUMNS} from checkpoint where origin = $1 order by size desc limit 1`;
  const { rows } = await pool.query<StoredCheckpoint>(text, [origin]);
  return rows.map(numbered)[0] ?? null;
}

/** The newest checkpoint of the newest log that has one. */
export async function latestCheckpoint(pool: Pool): Promise<StoredCheckpoint | null> {
  // Looks at one checkpoint of each log: they become many over the years.
  const text = `select newest.* from log_origin cross join lateral (
      select ${COLUMNS} from checkpoint where checkpoint.origin = log_origin.origin order by size desc limit 1) as newest
    order by log_origin.number desc limit 1`;
  const { rows } = await pool.query<StoredCheckpoint>(text);
  return rows.map(numbered)[0] ?? null;
}

/** When the first checkpoint of all logs was signed; null if there is none. Reads every checkpoint. */
export async function firstSignedAt(pool: Pool): Promise<Date | null> {
  return (await pool.query<{ first: Date | null }>('select min(signed_at) as first from checkpoint')).rows[0]?.first ?? null;
}

/** The log's checkpoints before one, newest first. */
export async function olderCheckpoints(
  pool: Pool,
  { origin, size }: Pick<StoredCheckpoint, 'origin' | 'size'>,
  most: number,
): Promise<StoredCheckpoint[]> {
  const text = `select ${COLUMNS} from checkpoint where origin = $1 and size < $2 order by size desc limit $3`;
  return (await pool.query<StoredCheckpoint>(text, [origin, size, most])).rows.map(numbered);
}

/** The size for which the newest log was signed at least this long before its newest checkpoint; 0 if it was not signed by then. */
export async function sizeSignedBefore(pool: Pool, minutes: number): Promise<number> {
  const text = `select max(size) as size from checkpoint
    where origin = $1 and signed_at < (select max(signed_at) from checkpoint where origin = $1) - make_interval(mins => $2)`;
  const origin = (await logOrigins(pool)).at(-1)?.origin;
  const { rows } = await pool.query<{ size: string | null }>(text, [origin, minutes]);
  return Number(rows[0]?.size ?? 0);
}

export async function hasCheckpoint(pool: Pool, { origin, size }: Pick<StoredCheckpoint, 'origin' | 'size'>): Promise<boolean> {
  return (await pool.query('select from checkpoint where origin = $1 and size = $2', [origin, size])).rowCount === 1;
}

/** Some of those that a witness has cosigned and that are gone, and the newest log with the size 0 if it was signed and has none. */
export async function lostCheckpoints(pool: Pool): Promise<Pick<StoredCheckpoint, 'origin' | 'size'>[]> {
  const text = `select distinct origin, size from checkpoint_cosignature as known where not exists (
      select from checkpoint where checkpoint.origin = known.origin and checkpoint.size = known.size)
    union all select origin, 0 from log_origin where number = (select max(number) from log_origin)
      and exists (select from checkpoint_key where name = log_origin.origin)
      and not exists (select from checkpoint where checkpoint.origin = log_origin.origin)
    order by origin, size limit 20`;
  return (await pool.query<Pick<StoredCheckpoint, 'origin' | 'size'>>(text)).rows.map(numbered);
}

/** All of them, by their size. */
export async function* storedCheckpoints(pool: Pool): AsyncGenerator<StoredCheckpoint, undefined> {
  const text = `select ${COLUMNS} from checkpoint where (size, origin) > ($1, $2) order by checkpoint.size, checkpoint.origin limit 500`;
  for (let last = { origin: '', size: -1 }; ;) {
    const { rows } = await pool.query<StoredCheckpoint>(text, [last.size, last.origin]);
    yield* rows.map(numbered);
    const end = rows.at(-1);
    if (!end) return;
    last = numbered(end);
  }
}

/**
 * Stores a checkpoint with the keys that signed it. One of the same log and size that is there already stays. It is not stored if a new log
 * was opened or the log is shorter now: this process may have been held up while another one took over.
 */
export async function saveCheckpoint(
  pool: Pool,
  { origin, size, note, signedAt }: StoredCheckpoint,
  keys: readonly StoredKey[],
): Promise<void> {
  await pool.query(
    `with wanted as materialized (
        select where $1 = (select origin from log_origin order by number desc limit 1) and $2 <= (select size from log_head)),
      keys as (
        insert into checkpoint_key (name, key_id, public_key)
          select given.* from wanted, unnest($5::text[], $6::text[], $7::bytea[]) as given on conflict do nothing)
      insert into checkpoint (origin, size, note, signed_at) select $1::text, $2::bigint, $3::text, $4::timestamptz from wanted
        on conflict do nothing`,
    [origin, size, note, signedAt, keys.map(({ name }) => name), keys.map(({ keyId }) => keyId), keys.map(({ publicKey }) => publicKey)],
  );
}

export async function checkpointKeys(pool: Pool): Promise<StoredKey[]> {
  const { rows } = await pool.query<StoredKey>(
    `select name, key_id as "keyId", public_key as "publicKey" from checkpoint_key order by first_used_at, name, key_id`,
  );
  return rows;
}

/** Those of a log that were made known last: several if they were given together. */
export async function newestKeys(pool: Pool, name: string): Promise<StoredKey[]> {
  const { rows } = await pool.query<StoredKey>(
    `select name, key_id as "keyId", public_key as "publicKey" from checkpoint_key
      where name = $1 and first_used_at = (select max(first_used_at) from checkpoint_key where name = $1)`,
    [name],
  );
  return rows;
}

/** Makes keys known before they have signed anything. */
export async function addCheckpointKeys(pool: Pool, keys: readonly StoredKey[]): Promise<void> {
  await pool.query(
    `insert into checkpoint_key (name, key_id, public_key, first_used_at)
      select *, statement_timestamp() from unnest($1::text[], $2::text[], $3::bytea[]) on conflict do nothing`,
    [keys.map(({ name }) => name), keys.map(({ keyId }) => keyId), keys.map(({ publicKey }) => publicKey)],
  );
}

/** The signature lines of witnesses for this checkpoint, each with its newline. */
export async function cosignatures(pool: Pool, { origin, size }: Pick<StoredCheckpoint, 'origin' | 'size'>): Promise<string[]> {
  const text = 'select line from checkpoint_cosignature where origin = $1 and size = $2 order by witness';
  const { rows } = await pool.query<{ line: string }>(text, [origin, size]);
  return rows.map(({ line }) => `${line}\n`);
}

/** The size of the newest checkpoint that this witness cosigned; 0 if it did none. */
export async function newestCosigned(pool: Pool, origin: string, witness: string): Promise<number> {
  const text = 'select max(size) as size from checkpoint_cosignature where origin = $1 and witness = $2';
  const { rows } = await pool.query<{ size: string | null }>(text, [origin, witness]);
  return Number(rows[0]?.size ?? 0);
}

export async function saveCosignature(pool: Pool, { origin, size }: StoredCheckpoint, witness: string, line: string): Promise<void> {
  const text = 'insert into checkpoint_cosignature (origin, size, witness, line) values ($1, $2, $3, $4) on conflict do nothing';
  await pool.query(text, [origin, size, witness, line]);
}
