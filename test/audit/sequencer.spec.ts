import { leafOf } from '@lib/audit/format/log-leaf';
import { GrowingTree, inclusionRanges } from '@lib/audit/format/merkle';
import { rootOfInclusion } from '@lib/audit/format/merkle-proofs';
import type { Store } from '@lib/store/store';
import type { Pool } from '@lib/store/postgres/pool';
import { sequence } from '../../src/audit/sequencer';
import { hashesOf, rootOfSize } from '../../src/audit/stored-tree';
import { settleLog, storedLog } from '../support/log';
import fc from '../support/properties';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { Client } from 'pg';

let test: TestStore;
let store: Store;
let pool: Pool;
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
  pool = store.pool;
});
afterEach(() => test.close());

const INSERT = `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
  values ($1, $2::int, $1 || '/' || $2::int, 'MessageAdded', 1, '{}', '{}', sha256('x'), sha256(convert_to($1 || $2::int, 'utf8')))`;
const insert = (client: Pick<Client, 'query'>, streamId: string, version: number) => client.query(INSERT, [streamId, version]);

/** Every committed event has one place in the log, the places have no gap, each stream's events are in order, and the tree is that of the leaves. */
async function expectWhole(): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from event');
  const log = await storedLog(pool);
  expect(log.map(({ index }) => index)).toEqual(log.map((_, index) => index));
  expect(new Set(log.map(({ streamId, version }) => `${streamId}/${version}`)).size).toBe(rows[0]?.count);
  expect(log.length).toBe(rows[0]?.count);
  const versions = Map.groupBy(log, ({ streamId }) => streamId);
  for (const entries of versions.values())
    expect(entries.map(({ version }) => version)).toEqual(entries.map(({ version }) => version).toSorted((one, other) => one - other));
  const tree = new GrowingTree();
  for (const { leafHash } of log) tree.add(leafHash);
  expect(await rootOfSize(pool, log.length)).toEqual(tree.root());
}

jest.setTimeout(120_000);

it('gives the events of all streams their places, with the leaf that the documentation says', async () => {
  await createJob(store);
  await createJob(store);
  expect(await sequence(pool)).toBe(8);
  expect(await sequence(pool)).toBe(0);
  await expectWhole();
  const [first] = await storedLog(pool);
  const { rows } = await pool.query<{ hash: Buffer; at: string }>(
    `select hash, to_char(appended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from event where stream_id = $1 and version = $2`,
    [first?.streamId, first?.version],
  );
  const { hash, at } = rows[0] as { hash: Buffer; at: string };
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const leaf = { streamId: first?.streamId ?? '', version: first?.version ?? 0, hash, appendedAt: at };
  expect(first?.leafHash).toEqual(leafOf(leaf));
});

/** What may happen at the same time, in any order. Each number names one of three transactions that are slow. */
type Step = { kind: 'fast' | 'sequence' | 'sequence twice at once' } | { kind: 'begin' | 'commit' | 'rollback'; transaction: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'fast' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'sequence' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'sequence twice at once' as const }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('begin', 'commit', 'rollback'), transaction: fc.nat(2) }) },
);

it('loses no event and takes none twice, however slow and fast transactions and two sequencers meet', async () => {
  const slow = await Promise.all(
    [0, 1, 2].map(async () => {
      const client = new Client({ connectionString: test.databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const other = test.another();
  let streams = 0;
  let late = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const open = new Set<number>();
      const end = async (transaction: number, how: 'commit' | 'rollback') => {
        if (!open.delete(transaction)) return;
        await slow[transaction]?.query(how);
        if (how === 'commit') late += 1;
      };
      for (const one of steps) {
        if (one.kind === 'fast') await insert(pool, `thr_${(streams += 1)}`, 1);
        if (one.kind === 'sequence') await sequence(pool);
        if (one.kind === 'sequence twice at once') await Promise.all([sequence(pool), sequence(other.pool)]);
        if (one.kind === 'begin' && !open.has(one.transaction)) {
          const client = slow[one.transaction] as Client;
          await client.query('begin');
          open.add(one.transaction);
          streams += 1;
          await insert(client, `thr_${streams}`, 1);
          await insert(client, `thr_${streams}`, 2);
        }
        if (one.kind === 'commit' || one.kind === 'rollback') await end(one.transaction, one.kind);
      }
      for (const transaction of [...open]) await end(transaction, 'commit');
      await sequence(pool);
      await expectWhole();
    }),
    { numRuns: 60 },
  );
  for (const client of slow) await client.end();
  expect(late).toBeGreaterThan(30);
});

it('takes an event whose transaction was slow, however much was logged meanwhile, and looks at nothing twice once all is settled', async () => {
  const slow = new Client({ connectionString: test.databaseUrl });
  await slow.connect();
  await slow.query('begin');
  await insert(slow, 'thr_slow', 1);
  for (let round = 0; round < 4; round += 1) {
    await insert(pool, `thr_${round}`, 1);
    await sequence(pool);
  }
  await slow.query('commit');
  await slow.end();
  expect(await sequence(pool)).toBe(1);
  await settleLog(pool);
  await expectWhole();
});

it('finds what a restored cluster appends, whose transactions have lower ids than the events of before', async () => {
  await createJob(store);
  await pool.query('alter table event disable trigger user');
  await pool.query(`update event set tx = '9000000000000'`);
  await pool.query(`update log_head set epoch = 'another cluster', floor = 1000000, mark = 1000000, mark_xmax = '9000000000000'`);
  expect(await sequence(pool)).toBe(4);
  await createJob(store);
  expect(await sequence(pool)).toBe(4);
  await expectWhole();
});

it('finds on demand what was put below the floor', async () => {
  await createJob(store);
  await settleLog(pool);
  await pool.query(INSERT.replace('(stream_id', '(position, stream_id').replace('values (', 'overriding system value values (0, '), [
    'thr_low',
    1,
  ]);
  expect(await sequence(pool)).toBe(0);
  expect(await sequence(pool, 'the beginning')).toBe(1);
  await expectWhole();
});

it('logs what existed before there was a log, and stores every eighth level of its tree', async () => {
  await pool.query(
    `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash, appended_at)
      select 'thr_' || number / 10, 1 + number % 10, 'evt_' || number, 'MessageAdded', 1, '{}', '{}', '', sha256(number::text::bytea), null
      from generate_series(0, 66000) as number`,
  );
  const other = test.another();
  const added = await Promise.all([sequence(pool), sequence(other.pool)]);
  expect((added[0] ?? 0) + (added[1] ?? 0) + (await sequence(pool))).toBe(66_001);
  await expectWhole();
  const { rows } = await pool.query('select level, count(*)::int as count from log_node group by level order by level');
  expect(rows).toEqual([
    { level: 8, count: 257 },
    { level: 16, count: 1 },
  ]);
  const [size, index] = [66_001, 65_535];
  const log = await storedLog(pool);
  const proof = { index, size, leaf: log[index]?.leafHash as Buffer, hashes: await hashesOf(pool, inclusionRanges(index, size)) };
  expect(rootOfInclusion(proof)).toEqual(await rootOfSize(pool, size));
});
