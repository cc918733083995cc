import type { Store } from '@lib/store/store';
import { cursorAt, LOG_CURSORS } from '@lib/store/log/log-cursor';
import { createFindGrown } from '@lib/store/log/grown-logs';
import { entryOf } from '@lib/store/log/log-places';
import { readLoggedEvents, type EventFilter } from '@lib/store/log/logged-events';
import { createReadTrail, forgetReads, listReads, type AuditRead } from '@lib/store/log/read-trail';
import { receiptOf, removedThreads, saveReceipt } from '@lib/store/log/deletion-receipts';
import { TRANSACTION_CURSORS } from '@lib/store/balances/transaction-cursor';
import { newId } from '@lib/store/new-id';
import { sequence } from '../../src/audit/sequencer';
import { storedLog } from '../support/log';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { deleteThread } from '../support/streams';

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());

describe('the trail of what auditors read', () => {
  const read = (tenantId: string, keyId: string, resource: string | null): AuditRead => ({
    ...{ tenantId, keyId, resource, route: 'GET /audit/events', requestId: `req-${resource}` },
    address: resource === null ? null : '192.0.2.7',
  });

  it('has every read, also of many at once, newest first and a page at a time, by key', async () => {
    const record = createReadTrail(store.pool);
    await record(read('acme', 'key1', 'job_1'));
    await record(read('acme', 'key2', null));
    await Promise.all([record(read('globex', 'key3', 'x')), record(read('acme', 'key1', 'job_2'))]);
    const whole = await listReads(store.pool, 'acme', { keyId: undefined, before: null, limit: 3 });
    expect(whole).toEqual({
      reads: ['job_2', null, 'job_1'].map((resource) => {
        const { tenantId: _, ...shown } = read('acme', resource === null ? 'key2' : 'key1', resource);
        return { ...shown, readAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string };
      }),
      next: null,
    });
    const first = await listReads(store.pool, 'acme', { keyId: undefined, before: null, limit: 2 });
    expect(first).toEqual({ reads: whole.reads.slice(0, 2), next: expect.any(Number) as number });
    expect(await listReads(store.pool, 'acme', { keyId: undefined, before: first.next, limit: 2 })).toEqual({
      reads: whole.reads.slice(2),
      next: null,
    });
    const { reads } = await listReads(store.pool, 'acme', { keyId: 'key1', before: null, limit: 9 });
    expect(reads.map(({ resource }) => resource)).toEqual(['job_2', 'job_1']);
  });

  it('is forgotten once it is old enough, a few at a time', async () => {
    await store.pool.query(`update audit_read set read_at = read_at - interval '10 days' where tenant_id = 'acme'`);
    expect(await forgetReads(store.pool, 11, 10)).toBe(0);
    expect(await forgetReads(store.pool, 9, 2)).toBe(2);
    expect(await forgetReads(store.pool, 9, 2)).toBe(1);
    expect((await listReads(store.pool, 'globex', { keyId: undefined, before: null, limit: 9 })).reads).toHaveLength(1);
  });
});

describe('a tenant’s events in the log', () => {
  const tenantId = 'tenant-of-log';
  let threadId: string;
  let jobId: string;
  beforeAll(async () => {
    await createJob(store);
    ({ threadId, jobId } = await createJob(store, { tenantId }));
    await createJob(store, { tenantId });
    await sequence(store.pool);
  });
  const page = (filter: EventFilter, limit: number, after = null as Parameters<typeof readLoggedEvents>[3]['after']) =>
    readLoggedEvents(store.pool, tenantId, filter, { after, limit });

  it('are read a page at a time in the log’s order, to its end', async () => {
    const log = await storedLog(store.pool);
    const whole = await page({}, 8);
    expect(whole?.rows).toHaveLength(8);
    expect(whole?.hasMore).toBe(false);
    const first = await page({}, 5);
    expect([first?.rows.length, first?.hasMore]).toEqual([5, true]);
    const last = first?.rows.at(-1);
    expect(first?.cursor).toEqual(cursorAt(last?.index ?? -1, log[last?.index ?? -1]?.leafHash ?? Buffer.alloc(0)));
    const second = await page({}, 5, first?.cursor);
    expect([...(first?.rows ?? []), ...(second?.rows ?? [])].map(({ index }) => index)).toEqual(whole?.rows.map(({ index }) => index));
    expect([second?.rows.length, second?.hasMore]).toEqual([3, false]);
    const end = await page({}, 5, second?.cursor);
    expect(end).toEqual({ rows: [], cursor: second?.cursor, hasMore: false });
    expect(await page({}, 5, { index: 0, leaf: '0'.repeat(16) })).toBeNull();
    expect(await page({}, 5, { index: 999, leaf: '0'.repeat(16) })).toBeNull();
    expect(await readLoggedEvents(store.pool, 'nobody', {}, { after: null, limit: 5 })).toEqual({ rows: [], cursor: null, hasMore: false });
  });

  it('are found by type, actor, thread and time', async () => {
    const types = async (filter: EventFilter) => (await page(filter, 20))?.rows.map(({ type }) => type);
    expect(await types({ type: 'JobRequested' })).toEqual(['JobRequested', 'JobRequested']);
    expect(await types({ threadId })).toHaveLength(4);
    expect(await types({ threadId, type: 'JobRequested', actor: 'role:test' })).toEqual(['JobRequested']);
    expect(await types({ actor: 'nobody' })).toEqual([]);
    const [from, to] = [new Date(Date.now() - 600_000), new Date(Date.now() + 600_000)];
    expect(await types({ from, to })).toHaveLength(8);
    expect(await types({ from: to })).toEqual([]);
    expect(await types({ to: from })).toEqual([]);
    expect((await page({ type: 'JobRequested' }, 1))?.hasMore).toBe(true);
  });

  it('are found grown where the log has more than was seen', async () => {
    const findGrown = createFindGrown(store.pool);
    const { length: size } = await storedLog(store.pool);
    expect(await findGrown([{ tenantId, size: size - 1 }, { tenantId: TENANT, size: 4 }, { tenantId: 'nobody', size: 0 }])).toEqual({ size, tenants: [tenantId] }); // prettier-ignore
    expect(await findGrown([{ tenantId, size }])).toEqual({ size, tenants: [] });
  });

  it('have a place in the log, each, which others do not see', async () => {
    const entry = await entryOf(store.pool, { streamId: jobId, version: 1, tenantId });
    const log = await storedLog(store.pool);
    expect(entry?.index).toBe(log.find((one) => one.streamId === jobId)?.index);
    expect(entry).toMatchObject({ hash: expect.any(Buffer) as Buffer, appendedAt: expect.stringMatching(/Z$/) as string });
    expect(await entryOf(store.pool, { streamId: jobId, version: 1, tenantId: null })).toEqual(entry);
    expect(await entryOf(store.pool, { streamId: jobId, version: 1, tenantId: TENANT })).toBeNull();
    expect(await entryOf(store.pool, { streamId: jobId, version: 99, tenantId })).toBeNull();
    const later = await createJob(store, { tenantId });
    expect((await entryOf(store.pool, { streamId: later.jobId, version: 1, tenantId }))?.index).toBeNull();
  });
});

describe('the receipt of a deletion', () => {
  it('is nothing before it, unsigned after it, and what was signed since', async () => {
    const { threadId } = await createJob(store);
    expect(await receiptOf(store.pool, TENANT, threadId)).toBeNull();
    await deleteThread(store, threadId);
    expect(await receiptOf(store.pool, TENANT, threadId)).toBe('unsigned');
    expect(await receiptOf(store.pool, 'tenant-two', threadId)).toBeNull();
    await sequence(store.pool);
    await saveReceipt(store.pool, { threadId, size: 9, note: 'signed', streams: 'streams' });
    expect(await receiptOf(store.pool, TENANT, threadId)).toMatchObject({ threadId, size: 9, note: 'signed' });
    expect(await receiptOf(store.pool, 'tenant-two', threadId)).toBeNull();
    expect(await removedThreads(store.pool, [TENANT], 1_000, '', null)).toEqual([]);
  });
});

describe('cursors', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64url');

  it('of the log and of transactions are read back', () => {
    const cursor = cursorAt(7, Buffer.from('0123456789abcdef01', 'hex'));
    expect(cursor).toEqual({ index: 7, leaf: '0123456789abcdef' });
    expect(LOG_CURSORS.placeIn(LOG_CURSORS.textOf(cursor))).toEqual(cursor);
    const id = newId('txn');
    expect(TRANSACTION_CURSORS.placeIn(TRANSACTION_CURSORS.textOf(id))).toBe(id);
  });

  it.each([
    '',
    encoded('7.'),
    encoded('7.0123'),
    encoded('x7.0123456789abcdef'),
    encoded('07.0123456789abcdef'),
    encoded('7.0123456789abcdef0'),
    `${encoded('7.0123456789abcdef')}=`,
  ])('of the log are nothing where no page gave them out: %j', (text) => expect(LOG_CURSORS.placeIn(text)).toBeUndefined());

  it.each(['', encoded('txn_'), encoded(newId('job')), `${encoded(newId('txn'))}=`])('of transactions likewise: %j', (text) => {
    expect(TRANSACTION_CURSORS.placeIn(text)).toBeUndefined();
  });
});
