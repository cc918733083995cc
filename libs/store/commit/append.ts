import type { Pool } from 'pg';
import { int4Array, textArray } from '../postgres/array-parameter';
import { PARTS, type Part } from './parts';
import type { OfThread, Writes } from './writes';

type Name = keyof typeof PARTS;

const NAMES = Object.keys(PARTS) as Name[];
/** Of these parts as many rows must be met as are given. They run first and in this order, the same one in every process. */
const COUNTED: { name: Name; counted: string }[] = [
  { name: 'events', counted: 'count(*)' },
  { name: 'agendaRemoved', counted: 'count(*) filter (where ended)' },
];

const texts = new Map<number, string>();

/** What `lock_or_set_aside` is given. */
const LOCKS = ['timestamptz', 'text[]', 'int4[]', 'int4[]', 'text[]', 'int4[]', 'text[]', 'text[]', 'text[]', 'int4[]'];

/**
 * The statement over the parts of `mask`, which are a bit each. First it locks what is continued, held or removed; of a thread that has
 * moved on, is locked by others or was deleted nothing is written.
 */
function statement(mask: number): string {
  const known = texts.get(mask);
  if (known) return known;
  let parameter = LOCKS.length;
  const used = NAMES.filter((_, index) => mask & (1 << index));
  const queries = used.map((name) => {
    const columns = [...PARTS[name].columns.map((column) => [column.name, column.type] as const), ['thread_index', 'int4'] as const];
    const arrays = columns.map(([, type]) => `$${++parameter}::${type}[]`).join(', ');
    const names = columns.map(([column]) => column).join(', ');
    return `given_${name} as (
      select * from unnest(${arrays}) as given (${names}) where thread_index <> all ((select moved || locked || deleted from aside)::int4[])),
    ${name} as (${PARTS[name].sql(`given_${name}`)})`;
  });
  const [events, leases] = COUNTED.map(({ name, counted }) =>
    used.includes(name) ? `(select ${counted} from ${name}), (select ${counted} from given_${name})::int4` : '0, 0',
  );
  // They are functions, and what nobody asks for is not called.
  const erased = used.filter((name) => name === 'erasedThreads' || name === 'erasedJobs');
  const locks = LOCKS.map((type, index) => `$${index + 1}::${type}`).join(', ');
  const whole = `with aside as materialized (select * from lock_or_set_aside(${locks})),
    ${queries.join(',\n')}
    select require_counts(${events}, 0, 0, ${leases}), statement_timestamp() as arrived, moved, locked, deleted,
      ${used.includes('agendaAdded') ? `(select array_agg(job_id || '/' || ref) from agendaAdded where waiting)` : 'null'} as waiting${erased.map((name) => `, (select count(*) from ${name})`).join('')} from aside`;
  texts.set(mask, whole);
  return whole;
}

/** Why nothing of a thread was written: a stream had moved on, a row was locked by somebody else, or its key is gone. */
export type SetAside = 'moved' | 'locked' | 'deleted';

export interface Appended {
  /** When the statement arrived, on the database's clock. */
  arrivedAt: Date;
  /** By the thread's index: nothing of it was written, everything of the others was. */
  setAside: ReadonlyMap<number, SetAside>;
  /** Steps that wait for their turn, as `job/ref`. */
  waiting: ReadonlySet<string>;
}

interface Answer extends Record<SetAside, number[]> {
  arrived: Date;
  waiting: string[] | null;
}

/**
 * Commits the writes in one statement, of each thread all or none.
 * @param answerBy on the database's clock: a statement that arrives later does nothing, since nobody waits for it any more
 */
export async function append(pool: Pool, writes: Writes, answerBy: Date | null): Promise<Appended> {
  let mask = 0;
  const values: unknown[] = [answerBy, ...locksOf(writes)];
  NAMES.forEach((name, index) => {
    const { key, columns } = PARTS[name] as unknown as Part<OfThread>;
    const rows = sorted<OfThread>(writes[name], key);
    if (rows.length === 0) return;
    mask |= 1 << index;
    for (const { encode } of columns) values.push(encode(rows));
    values.push(int4Array(rows.map(({ threadIndex }) => threadIndex)));
  });
  const { rows } = await pool.query<Answer>({ name: `append_${mask}`, text: statement(mask), values });
  const [{ arrived, waiting, ...aside }] = rows as [Answer];
  const reasons: SetAside[] = ['moved', 'locked', 'deleted'];
  const setAside = new Map(reasons.flatMap((reason) => aside[reason].map((index) => [index, reason])));
  return { arrivedAt: arrived, setAside, waiting: new Set(waiting) };
}

/** Each in the order in which every process locks. */
function locksOf(writes: Writes): Buffer[] {
  const streams = sorted(writes.streams, ({ streamId }) => streamId);
  const held = sorted(writes.heldThreads, ({ threadId }) => threadId);
  const entries = sorted(writes.agendaRemoved, PARTS.agendaRemoved.key);
  const indexes = (rows: readonly OfThread[]) => int4Array(rows.map(({ threadIndex }) => threadIndex));
  return [
    textArray(streams.map(({ streamId }) => streamId)),
    int4Array(streams.map(({ version }) => version)),
    indexes(streams),
    textArray(held.map(({ threadId }) => threadId)),
    indexes(held),
    textArray(entries.map(({ jobId }) => jobId)),
    textArray(entries.map(({ kind }) => kind)),
    textArray(entries.map(({ ref }) => ref)),
    indexes(entries),
  ];
}

function sorted<Row>(rows: readonly Row[], key: (row: Row) => string): readonly Row[] {
  if (rows.length < 2) return rows;
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ row }) => row);
}
