import type { Pool, PoolClient } from 'pg';
import { PARTS, type Part, type Writes } from './writes';

const NAMES = Object.keys(PARTS) as (keyof Writes)[];
/** What is counted in the statement itself, in the order in which its parts run, and how many there must be. */
const COUNTED: { part: keyof Writes; counted: string; expected: (writes: Writes) => number }[] = [
  { part: 'events', counted: 'count(*)', expected: ({ events }) => events.length },
  { part: 'heldThreads', counted: 'count(*)', expected: ({ heldThreads }) => heldThreads.length },
  {
    part: 'agendaRemoved',
    counted: 'count(*) filter (where ended)',
    expected: ({ agendaRemoved }) => agendaRemoved.filter(({ ended }) => ended).length,
  },
];

const texts = new Map<number, string>();

/** The statement over the parts of `mask`: counted parts run in this order, the others after them in one that is the same in every process. */
function statement(mask: number): string {
  const known = texts.get(mask);
  if (known) return known;
  let parameter = 0;
  const used = NAMES.filter((_, place) => mask & (1 << place));
  const queries = used.map((name) => {
    const { sql, columns } = PARTS[name];
    const types = columns.map(([type]) => `$${++parameter}::${type}[]`).join(', ');
    const names = columns.map((_, place) => `c${place + 1}`).join(', ');
    return `${name} as (${sql(`unnest(${types}) as given (${names})`)})`;
  });
  const counts = COUNTED.map(({ part, counted }) => {
    const count = used.includes(part) ? `(select ${counted} from ${part})` : '0';
    return `${count}, $${++parameter}::int4`;
  });
  const whole = `with ${queries.join(',\n')} select require_counts(${counts.join(', ')}), clock_timestamp() as now`;
  texts.set(mask, whole);
  return whole;
}

/** Commits the writes in one statement, all or none, and tells the database's clock. */
export async function append(pool: Pool | PoolClient, writes: Writes): Promise<Date> {
  let mask = 0;
  const values: (Buffer | number)[] = [];
  NAMES.forEach((name, place) => {
    const rows = writes[name] as never[];
    const { key, columns } = PARTS[name] as Part<never>;
    if (rows.length === 0) return;
    mask |= 1 << place;
    const sorted = rows.length > 1 ? rows.toSorted((one, other) => compare(key(one), key(other))) : rows;
    for (const [, encode] of columns) values.push(encode(sorted));
  });
  values.push(...COUNTED.map(({ expected }) => expected(writes)));
  const { rows } = await pool.query<{ now: Date }>({ name: `append_${mask}`, text: statement(mask), values });
  return (rows[0] as { now: Date }).now;
}

/** The same, and in the same transaction the thread's key, its views and every sealed byte of the streams. */
export async function appendAndErase(pool: Pool, writes: Writes, threadId: string, streamIds: readonly string[]): Promise<Date> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const now = await append(client, writes);
    await client.query('select erase_thread($1, $2)', [threadId, streamIds]);
    await client.query('commit');
    client.release();
    return now;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
