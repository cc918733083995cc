import type { Pool } from 'pg';
import { runPlace } from '../agenda/sealed-runs';
import { webhookPlace } from '../webhooks/sealed-webhook';

/** Rows that are read together. */
const PIECE = 200;

/** Rows with something sealed directly under a master key. They do not say which, so each is opened. */
export interface SealedKind {
  name: 'webhooks' | 'runs';
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
  /** The column with the sealed value. */
  column: string;
  /** Further columns that form its place. */
  others: readonly string[];
  placeOf: (row: Record<string, string>) => string;
}

export const WEBHOOKS: SealedKind = {
  ...{ name: 'webhooks', table: 'webhook', key: ['id'], column: 'sealed', others: ['tenant_id'] },
  placeOf: ({ id = '', tenant_id: tenantId = '' }) => webhookPlace({ id, tenantId }),
};

export const RUNS: SealedKind = {
  ...{ name: 'runs', table: 'agenda', key: ['job_id', 'kind', 'ref'], column: 'sealed_run', others: [] },
  placeOf: ({ job_id: jobId = '', ref = '' }) => runPlace({ jobId, ref }),
};

export interface SealedRow {
  /** Primary key, in the order of the columns of `SealedKind.key`. */
  key: string[];
  place: string;
  sealed: Buffer;
}

/** All of them, in the order of their keys. */
export async function* sealedRows(pool: Pool, { table, key, column, others, placeOf }: SealedKind): AsyncGenerator<SealedRow> {
  const after = `(${key.join(', ')}) > (${key.map((_, place) => `$${place + 1}`).join(', ')})`;
  const text = `select ${[...key, ...others].join(', ')}, ${column} as sealed from ${table}
    where ${column} is not null and ${after} order by ${key.join(', ')} limit ${PIECE}`;
  for (let last: string[] | null = key.map(() => ''); last;) {
    const { rows }: { rows: (Record<string, string> & { sealed: Buffer })[] } = await pool.query(text, last);
    last = null;
    for (const row of rows) {
      last = key.map((name) => row[name] ?? '');
      yield { key: last, place: placeOf(row), sealed: row.sealed };
    }
  }
}

/** Reseals a row, unless somebody has written to it in between. @returns whether it did */
export async function reseal(pool: Pool, { table, column, key: names }: SealedKind, row: SealedRow, sealed: Buffer): Promise<boolean> {
  const where = names.map((name, place) => `${name} = $${place + 3}`).join(' and ');
  const { rowCount } = await pool.query(`update ${table} set ${column} = $1 where ${column} = $2 and ${where}`, [
    sealed,
    row.sealed,
    ...row.key,
  ]);
  return rowCount === 1;
}
