import { randomBytes } from 'node:crypto';
import { balanceDifferences } from '@lib/store/balances/balance-differences';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, DEADLINES, META, type TestStore } from '../support/store';
import { eventTypes, onJob, refusal } from '../support/streams';

jest.setTimeout(120_000);

const CAP = 100;
const QUIET = 'nothing was refused';

let test: TestStore;
let store: Store;
let other: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  other = test.another();
});
afterEach(async () => expect((await balanceDifferences(store.pool)).differences).toEqual([]));
afterAll(() => test.close());

let tenants = 0;
/** A tenant with a balance of its own. */
async function tenantWith(cents: number): Promise<string> {
  const tenantId = `tenant-${++tenants}`;
  if (cents > 0) await store.balances.change({ tenantId, kind: 'top_up', cents, reference: 'first' });
  return tenantId;
}

/** A job that reserves its cap; a step of it may charge up to half of that. */
const createPaidJob = (process: Store, tenantId: string, cents = CAP) =>
  createJob(process, {
    tenantId,
    budgetTier: 'XXS',
    budgetCapCents: cents,
    balanceReservedCents: cents,
    candidates: [candidate('provider-a', { max: cents * 5_000 })],
  });

const balance = async (tenantId: string) => {
  const { availableCents, reservedCents } = await store.balances.read(tenantId);
  return [availableCents, reservedCents];
};

const many = <Value>(count: number, make: (place: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const pursuing = (process: Store, job: { threadId: string; jobId: string }, tenantId: string, cents = CAP) => {
  const jobId = newId('job');
  const parent = { jobId: job.jobId, isOfThread: true };
  return process.execute({
    meta: META,
    commands: [
      { kind: 'thread', streamId: job.threadId, command: { type: 'AddJob', tenantId, jobId, parent } },
      {
        kind: 'job',
        streamId: jobId,
        command: {
          type: 'RequestJob',
          tenantId,
          threadId: job.threadId,
          parentJobId: job.jobId,
          query: 'And?',
          budgetTier: 'XXS',
          budgetCapCents: cents,
          balanceReservedCents: cents,
          researchMode: 'fast',
          spideringEnabled: false,
          markupBasisPoints: 0,
          synthesisReserveMicros: 0,
          deadlines: DEADLINES,
          candidates: [candidate('provider-a')],
        },
      },
    ],
  });
};

const keyed = (process: Store, threadId: string, tenantId: string, digest: Buffer) =>
  process.threads.execute(threadId, { type: 'AddMessage', tenantId, messageId: newId('msg'), content: 'm' }, META, {
    request: { digest, bodyDigest: digest, streamId: threadId },
  });

describe('a job', () => {
  it('reserves its cap at its creation and pays at its end what it cost, rounded up once', async () => {
    const tenantId = await tenantWith(250);
    const { jobId, stepIds } = await createPaidJob(store, tenantId);
    expect(await balance(tenantId)).toEqual([150, 100]);
    await onJob(store, jobId, start(stepIds[0] ?? ''), report(stepIds[0] ?? '', 1, success(70_001)), complete);
    expect(await balance(tenantId)).toEqual([242, 0]);
    const { transactions } = await store.balances.page(tenantId, null, 10);
    expect(
      transactions.map(({ kind, cents, reservedCents, jobId: of, reference }) => ({ kind, cents, reservedCents, of, reference })),
    ).toEqual([
      { kind: 'settlement', cents: 92, reservedCents: -100, of: jobId, reference: null },
      { kind: 'reservation', cents: -100, reservedCents: 100, of: jobId, reference: null },
      { kind: 'top_up', cents: 250, reservedCents: 0, of: null, reference: 'first' },
    ]);
    expect(await eventTypes(store, jobId)).toContain('BalanceReserved');
  });

  it('is refused with what there is and what it needs, and leaves nothing behind', async () => {
    const tenantId = await tenantWith(99);
    const count = async () => (await store.pool.query('select 1 from event')).rowCount;
    const before = await count();
    await expect(createPaidJob(store, tenantId)).rejects.toMatchObject({
      code: 'insufficient_balance',
      balanceCents: 99,
      requiredCents: 100,
    });
    await expect(createPaidJob(store, await tenantWith(0))).rejects.toMatchObject({ balanceCents: 0, requiredCents: 100 });
    expect([await count(), ...(await balance(tenantId))]).toEqual([before, 99, 0]);
  });

  it('that holds nothing moves nothing, whatever the balance', async () => {
    const tenantId = await tenantWith(50);
    const { jobId } = await createJob(store, { tenantId });
    await onJob(store, jobId, { type: 'CancelJob' });
    expect(await balance(tenantId)).toEqual([50, 0]);
    expect(await eventTypes(store, jobId)).not.toContain('BalanceReserved');
  });

  it('that was cancelled or deleted pays what it had cost, and what is charged after its end is not its tenant’s', async () => {
    const tenantId = await tenantWith(200);
    const [cancelled, deleted] = [await createPaidJob(store, tenantId), await createPaidJob(other, tenantId)];
    for (const { jobId, stepIds } of [cancelled, deleted]) await onJob(store, jobId, start(stepIds[0] ?? ''));
    await onJob(store, cancelled.jobId, { type: 'CancelJob' });
    await onJob(store, cancelled.jobId, report(cancelled.stepIds[0] ?? '', 1, success(300_000)));
    expect(await eventTypes(store, cancelled.jobId)).toContain('StepResultLate');
    expect(await balance(tenantId)).toEqual([100, 100]);
    await other.threads.delete(deleted.threadId, tenantId, META);
    await other.erasure.erase(deleted.threadId);
    expect(await balance(tenantId)).toEqual([200, 0]);
    const half = await createPaidJob(store, tenantId);
    await onJob(store, half.jobId, start(half.stepIds[0] ?? ''), report(half.stepIds[0] ?? '', 1, success(300_000)), { type: 'CancelJob' });
    expect(await balance(tenantId)).toEqual([170, 0]);
  });
});

describe('many at once', () => {
  it('in two processes: exactly as many are accepted as the balance covers, and what ends makes room again', async () => {
    const tenantId = await tenantWith(20 * CAP);
    const outcomes = await many(120, (place) => refusal(createPaidJob(place % 2 ? store : other, tenantId)));
    expect(outcomes.filter((outcome) => outcome === QUIET)).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'insufficient_balance')).toHaveLength(100);
    expect(await balance(tenantId)).toEqual([0, 2000]);
    const { transactions } = await store.balances.page(tenantId, null, 100);
    const jobs = transactions.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
    await many(7, (place) => onJob(place % 2 ? store : other, jobs[place] ?? '', { type: 'CancelJob' }));
    const again = await many(20, (place) => refusal(createPaidJob(place % 2 ? store : other, tenantId)));
    expect(again.filter((outcome) => outcome === QUIET)).toHaveLength(7);
  });

  it('a tenant without a balance spoils nothing for the others of its batch', async () => {
    const [rich, poor] = [await tenantWith(100 * CAP), await tenantWith(0)];
    const outcomes = await many(60, async (place) => [place % 3, await refusal(createPaidJob(store, place % 3 ? rich : poor))] as const);
    for (const [place, outcome] of outcomes) expect(outcome).toBe(place ? QUIET : 'insufficient_balance');
    expect(await balance(rich)).toEqual([60 * CAP, 40 * CAP]);
  });

  it('of one thread, those that the balance covers are created and the others refused, and what else the thread does is done', async () => {
    const tenantId = await tenantWith(3 * CAP);
    const first = await createPaidJob(store, tenantId);
    const digest = randomBytes(32);
    const [message, ...pursued] = await Promise.all([
      refusal(keyed(store, first.threadId, tenantId, digest)),
      ...[1, 2, 3, 4].map(() => refusal(pursuing(store, first, tenantId))),
      refusal(pursuing(store, first, tenantId, 10 * CAP)),
    ]);
    expect(message).toBe(QUIET);
    expect(pursued.toSorted()).toEqual([...Array(3).fill('insufficient_balance'), QUIET, QUIET].toSorted());
    expect(await balance(tenantId)).toEqual([0, 300]);
    expect(await store.requests.find(digest)).not.toBeNull();
    expect((await eventTypes(store, first.threadId)).filter((type) => type === 'JobAdded')).toHaveLength(3);
  });

  it('of the same request one reserves, and one that is refused is not recorded', async () => {
    const tenantId = await tenantWith(CAP);
    const first = await createPaidJob(store, tenantId);
    const digest = randomBytes(32);
    const ask = (process: Store) => {
      const jobId = newId('job');
      const unit = { meta: META, request: { digest, bodyDigest: digest, streamId: jobId } };
      const command = { type: 'AddJob' as const, tenantId, jobId, parent: { jobId: first.jobId, isOfThread: true } };
      const request = {
        type: 'RequestJob' as const,
        tenantId,
        threadId: first.threadId,
        parentJobId: first.jobId,
        query: 'And?',
        budgetTier: 'XXS' as const,
        budgetCapCents: CAP,
        balanceReservedCents: CAP,
        researchMode: 'fast' as const,
        spideringEnabled: false,
        markupBasisPoints: 0,
        synthesisReserveMicros: 0,
        deadlines: DEADLINES,
        candidates: [candidate('provider-a')],
      };
      return process.execute({
        ...unit,
        commands: [
          { kind: 'thread', streamId: first.threadId, command },
          { kind: 'job', streamId: jobId, command: request },
        ],
      });
    };
    expect(await refusal(ask(store))).toBe('insufficient_balance');
    expect(await store.requests.find(digest)).toBeNull();
    await store.balances.change({ tenantId, kind: 'top_up', cents: 5 * CAP, reference: 'second' });
    const outcomes = await many(20, (place) => refusal(ask(place % 2 ? store : other)));
    expect(outcomes.filter((outcome) => outcome === QUIET)).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set([QUIET, 'RequestRepeated']));
    expect(await balance(tenantId)).toEqual([400, 200]);
  });

  it('while somebody holds a balance, other tenants do not wait, jobs end, and a creation is done when it is free', async () => {
    const [held, free] = [await tenantWith(10 * CAP), await tenantWith(100 * CAP)];
    const running = await createPaidJob(store, held);
    const holder = await other.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from balance where tenant_id = $1 for update', [held]);
    const state = { isWaiting: true };
    const waiting = createPaidJob(store, held).finally(() => (state.isWaiting = false));
    await many(10, () => createPaidJob(store, free));
    await onJob(store, running.jobId, { type: 'CancelJob' });
    expect(state.isWaiting).toBe(true);
    expect(await balance(held)).toEqual([1000, 0]);
    await holder.query('commit');
    holder.release();
    await waiting;
    expect(await balance(held)).toEqual([900, 100]);
  });
});

describe('what ended jobs give back', () => {
  it('is counted in pieces, and nobody is refused for what is not counted yet', async () => {
    const tenantId = await tenantWith(1);
    const settled = Array.from({ length: 2_500 }, () => newId('txn'));
    // As 2,500 jobs that ended since anybody reserved would leave it.
    await store.pool.query(
      `insert into balance_transaction (tenant_id, id, kind, cents, reserved_cents, reference, created_at, counted)
        select $1, id, 'top_up', 1, 0, id, now(), false from unnest($2::text[]) as given (id)`,
      [tenantId, settled],
    );
    expect(await balance(tenantId)).toEqual([2501, 0]);
    await createPaidJob(store, tenantId, 2501);
    expect(await balance(tenantId)).toEqual([0, 2501]);
  });
});

describe('an operator’s change', () => {
  const change = (tenantId: string, cents: number, reference: string, kind: 'top_up' | 'adjustment' = 'top_up') =>
    store.balances.change({ tenantId, cents, reference, kind });

  it('happens once for each reference, however often and wherever it is asked for at once', async () => {
    const [tenantId, neighbour] = [await tenantWith(0), await tenantWith(0)];
    const outcomes = await many(20, (place) =>
      (place % 2 ? store : other).balances.change({ tenantId, kind: 'top_up', cents: 7, reference: 'r' }),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(19);
    expect(await change(tenantId, 8, 'r')).toEqual({ outcome: 'reference_reused', balance: { availableCents: 7, reservedCents: 0 } });
    expect(await change(tenantId, 7, 'r', 'adjustment')).toMatchObject({ outcome: 'reference_reused' });
    expect(await change(neighbour, 8, 'r')).toMatchObject({ outcome: 'recorded' });
    expect(await balance(tenantId)).toEqual([7, 0]);
  });

  it('never takes more than there is, nor what open jobs hold, and never makes more than the largest balance', async () => {
    const tenantId = await tenantWith(150);
    await createPaidJob(store, tenantId);
    expect(await change(tenantId, -51, 'a', 'adjustment')).toMatchObject({ outcome: 'insufficient', balance: { availableCents: 50 } });
    expect(await change(tenantId, -50, 'b', 'adjustment')).toMatchObject({ outcome: 'recorded', balance: { availableCents: 0 } });
    expect(await change(tenantId, 1e12, 'c')).toMatchObject({ outcome: 'too_large' });
    expect(await change(tenantId, 1e12 - 100, 'd')).toMatchObject({ outcome: 'recorded' });
    expect(await balance(tenantId)).toEqual([1e12 - 100, 100]);
  });

  it('counts what ended jobs have given back', async () => {
    const tenantId = await tenantWith(100);
    const { threadId } = await createPaidJob(store, tenantId);
    await store.threads.delete(threadId, tenantId, META);
    await store.erasure.erase(threadId);
    expect(await change(tenantId, -100, 'out', 'adjustment')).toMatchObject({ outcome: 'recorded', balance: { availableCents: 0 } });
  });
});

it('pages through transactions, newest first, each once', async () => {
  const tenantId = await tenantWith(1);
  for (let place = 0; place < 6; place += 1) await store.balances.change({ tenantId, kind: 'top_up', cents: 1, reference: `${place}` });
  const references: (string | null)[] = [];
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const page = await store.balances.page(tenantId, after, 3);
    references.push(...page.transactions.map(({ reference }) => reference));
    after = page.next;
  }
  expect(references).toEqual(['5', '4', '3', '2', '1', '0', 'first']);
});
