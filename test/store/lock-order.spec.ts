import { append } from '@lib/store/commit/append';
import { TABLE_WRITES } from '@lib/store/commit/table-writes';
import { noWrites, type Writes } from '@lib/store/commit/writes';
import type { Pool } from '@lib/store/postgres/pool';

/** Processes of two releases that lock the same rows in different orders would wait for each other. */
const IN_ORDER = ['a', 'b', 'c'];
const SHUFFLED = ['c', 'a', 'b'];

/** What the statement is given for these writes. */
async function given(writes: Partial<Writes>): Promise<Buffer[]> {
  let sent: unknown[] = [];
  const answer = { arrived: new Date(), moved: [], locked: [], deleted: [], waiting: null };
  const query = ({ values }: { values: unknown[] }) => {
    sent = values;
    return Promise.resolve({ rows: [answer] });
  };
  await append({ query } as unknown as Pool, { ...noWrites(), ...writes }, null);
  return sent.filter((value) => Buffer.isBuffer(value));
}

/** Of the first value that has all of these names. */
const orderIn = (values: Buffer[], names: string[]): string[] => {
  const value = values.find((one) => names.every((name) => one.includes(name))) ?? Buffer.alloc(0);
  return names.toSorted((one, other) => value.indexOf(one) - value.indexOf(other));
};

it.each<[string, (name: string) => Partial<Writes>, (name: string) => string]>([
  ['streams', (name) => ({ streams: [{ streamId: `job_${name}`, version: 1, hash: null, threadIndex: 0 }] }), (name) => `job_${name}`],
  ['held threads', (name) => ({ heldThreads: [{ threadId: `thr_${name}`, threadIndex: 0 }] }), (name) => `thr_${name}`],
  [
    'what is removed from the agenda',
    (name) => ({ agendaRemoved: [{ jobId: 'job', kind: 'lease', ref: `ref ${name}`, ended: false, threadIndex: 0 }] }),
    (name) => `ref ${name}`,
  ],
  ['erased jobs', (name) => ({ erasedJobs: [{ jobId: `job_${name}`, threadIndex: 0 }] }), (name) => `job_${name}`],
  [
    'touched threads',
    (name) => ({ touchedThreads: [{ id: `thr_${name}`, updatedAt: '2026-11-22T00:00:00.000Z', summary: null, threadIndex: 0 }] }),
    (name) => `thr_${name}`,
  ],
])('%s are locked in one order, whatever the order in which they come', async (_, one, nameOf) => {
  const all = SHUFFLED.map(one);
  const merged: Record<string, unknown[]> = {};
  for (const [part, rows] of all.flatMap((writes) => Object.entries(writes))) merged[part] = [...(merged[part] ?? []), ...rows];
  expect(orderIn(await given(merged), SHUFFLED.map(nameOf))).toEqual(IN_ORDER.map(nameOf));
});

it('every table write of a commit has its own order', () => {
  const row = {
    ...{ jobId: 'job', kind: 'lease', ref: 'ref', threadId: 'thr', id: 'id', tenantId: 'tenant', threadIndex: 0 },
    record: { streamId: 'stream', version: 12 },
  };
  const keys = Object.entries(TABLE_WRITES).map(([name, { key }]) => [name, (key as (of: typeof row) => string)(row)]);
  expect(Object.fromEntries(keys)).toEqual({
    events: 'stream/000000012',
    agendaRemoved: 'job/lease/ref',
    agendaAdded: 'job/lease/ref',
    ...{ erasedThreads: 'thr', erasedJobs: 'job', newKeys: 'thr', newThreads: 'id', touchedThreads: 'id', messages: 'id' },
    ...{ newJobs: 'id', changedJobs: 'id', limitedJobs: 'job', settlements: 'tenant/id' },
  });
});
