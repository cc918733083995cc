import type { Pool, PoolClient } from 'pg';
import { int4Array, textArray } from '../postgres/array-parameter';
import { PARTS, type Part } from './parts';
import type { OfThread, Writes } from './writes';

type Name = keyof typeof PARTS;

const NAMES = Object.keys(PARTS) as Name[];
/** Of these parts as many rows must be met as are given. They run first and in this order, the same one in every process. */
const COUNTED: { name: Name; counted: string }[] = [
  { name: 'events', counted: 'count(*)' },
  { name: 'heldThreads', counted: 'count(*)' },
  { name: 'agendaRemoved', counted: 'count(*) filter (where ended)' },
];

const texts = new Map<number, string>();

/**
 * The statement over the parts of `mask`, which are a bit each. First it locks the streams that are continued and finds those that
 * have moved on; of their threads nothing is written.
 */
function statement(mask: number): string {
  const known = texts.get(mask);
  if (known) return known;
  let parameter = 3;
  const used = NAMES.filter((_, index) => mask & (1 << index));
  const queries = used.map((name) => {
    const columns = [...PARTS[name].columns.map((column) => [column.name, column.type] as const), ['thread_index', 'int4'] as const];
    const arrays = columns.map(([, type]) => `$${++parameter}::${type}[]`).join(', ');
    const names = columns.map(([column]) => column).join(', ');
    return `given_${name} as (
      select * from unnest(${arrays}) as given (${names}) where thread_index <> all ((select thread_indexes from stale)::int4[])),
    ${name} as (${PARTS[name].sql(`given_${name}`)})`;
  });
  const counts = COUNTED.map(({ name, counted }) =>
    used.includes(name) ? `(select ${counted} from ${name}), (select ${counted} from given_${name})::int4` : '0, 0',
  );
  const whole = `with stale as materialized (select lock_streams($1::text[], $2::int4[], $3::int4[]) as thread_indexes),
    ${queries.join(',\n')}
    select require_counts(${counts.join(', ')}), statement_timestamp() as arrived, (select thread_indexes from stale) as stale,
      ${used.includes('agendaAdded') ? `(select array_agg(job_id || '/' || ref) from agendaAdded where waiting)` : 'null'} as waiting`;
  texts.set(mask, whole);
  return whole;
}

export interface Appended {
  /** When the statement arrived, on the database's clock. */
  arrivedAt: Date;
  /** Threads of which a stream had moved on: nothing of them was written, everything of the others was. */
  staleThreads: ReadonlySet<number>;
  /** Steps that wait for their turn, as `job/ref`. */
  waiting: ReadonlySet<string>;
}

interface Answer {
  arrived: Date;
  stale: number[];
  waiting: string[] | null;
}

/** Commits the writes in one statement, of each thread all or none. */
export async function append(pool: Pool | PoolClient, writes: Writes): Promise<Appended> {
  let mask = 0;
  const streams = sorted(writes.streams, ({ streamId }) => streamId);
  const values = [
    textArray(streams.map(({ streamId }) => streamId)),
    int4Array(streams.map(({ version }) => version)),
    int4Array(streams.map(({ threadIndex }) => threadIndex)),
  ];
  NAMES.forEach((name, index) => {
    const { key, columns } = PARTS[name] as unknown as Part<OfThread>;
    const rows = sorted<OfThread>(writes[name], key);
    if (rows.length === 0) return;
    mask |= 1 << index;
    for (const { encode } of columns) values.push(encode(rows));
    values.push(int4Array(rows.map(({ threadIndex }) => threadIndex)));
  });
  const { rows } = await pool.query<Answer>({ name: `append_${mask}`, text: statement(mask), values });
  const [{ arrived, stale, waiting }] = rows as [Answer];
  return { arrivedAt: arrived, staleThreads: new Set(stale), waiting: new Set(waiting) };
}

/** The same of one thread, and in the same transaction the thread's key, its views and every sealed byte of the streams. */
export async function appendAndErase(pool: Pool, writes: Writes, threadId: string, streamIds: readonly string[]): Promise<Appended> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const appended = await append(client, writes);
    if (appended.staleThreads.size === 0) await client.query('select erase_thread($1, $2)', [threadId, streamIds]);
    await client.query('commit');
    client.release();
    return appended;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function sorted<Row>(rows: readonly Row[], key: (row: Row) => string): readonly Row[] {
  if (rows.length < 2) return rows;
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ row }) => row);
}
