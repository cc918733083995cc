import { createReadTrail, forgetReads, listReads, type AuditRead } from '@lib/store/log/read-trail';
import type { Pool } from '@lib/store/postgres/pool';
import { createTestStore, type TestStore } from '../support/store';

let test: TestStore;
let pool: Pool;
beforeEach(async () => {
  test = await createTestStore();
  pool = test.store.pool;
});
afterEach(() => test.close());

const read = (place: number, changes: Partial<AuditRead> = {}): AuditRead => ({
  ...{ tenantId: 'acme', keyId: 'one', route: `GET /${place}`, resource: null, requestId: `request ${place}`, address: null },
  ...changes,
});
const list = (page: Partial<Parameters<typeof listReads>[2]> = {}, tenantId = 'acme') =>
  listReads(pool, tenantId, { keyId: undefined, before: null, limit: 3, ...page });
const routes = async (...asked: Parameters<typeof list>) => (await list(...asked)).reads.map(({ route }) => route);

it('a read is stored as it was told, with the time of the database', async () => {
  const told = read(1, { resource: 'job_1', address: '192.0.2.1' });
  await createReadTrail(pool)(told);
  const { tenantId: _, ...shown } = told;
  const { reads, next } = await list();
  expect([reads, next]).toEqual([[{ ...shown, readAt: expect.any(String) as string }], null]);
  expect(Math.abs(Date.parse(reads[0]?.readAt ?? '') - Date.now())).toBeLessThan(60_000);
  expect(reads[0]?.readAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

it('what is told together is stored together, and read newest first, a page at a time', async () => {
  const tell = createReadTrail(pool);
  await Promise.all(Array.from({ length: 7 }, (_, place) => tell(read(place))));
  const pages: string[][] = [];
  for (let before: number | null = null; ;) {
    const { reads, next }: Awaited<ReturnType<typeof list>> = await list({ before });
    pages.push(reads.map(({ route }) => route));
    if (next === null) break;
    before = next;
  }
  expect(pages).toEqual([['GET /6', 'GET /5', 'GET /4'], ['GET /3', 'GET /2', 'GET /1'], ['GET /0']]);
  expect((await list({ limit: 7 })).next).toBeNull();
});

it('is shown to its tenant alone, and of one key where that is asked for', async () => {
  const tell = createReadTrail(pool);
  for (const one of [read(1), read(2, { keyId: 'two' }), read(3, { tenantId: 'globex' })]) await tell(one);
  expect(await routes()).toEqual(['GET /2', 'GET /1']);
  expect(await routes({ keyId: 'two' })).toEqual(['GET /2']);
  expect(await routes({}, 'globex')).toEqual(['GET /3']);
  expect(await routes({}, 'nobody')).toEqual([]);
});

it('what is older than so many days is forgotten, a few at a time and the oldest first', async () => {
  const tell = createReadTrail(pool);
  for (const place of [1, 2, 3, 4]) await tell(read(place));
  for (const [place, days] of [40, 35, 31, 29].entries())
    await pool.query(`update audit_read set read_at = now() - $2 * interval '1 day' where route = $1`, [`GET /${place + 1}`, days]);
  expect(await forgetReads(pool, 30, 2)).toBe(2);
  expect(await routes()).toEqual(['GET /4', 'GET /3']);
  expect(await forgetReads(pool, 30, 2)).toBe(1);
  expect(await forgetReads(pool, 30, 2)).toBe(0);
  expect(await routes()).toEqual(['GET /4']);
});
