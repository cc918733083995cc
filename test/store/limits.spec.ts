import { randomBytes } from 'node:crypto';
import type { JobLimits } from '@lib/domain/limits';
import { newId } from '@lib/store/new-id';
import type { PoolClient } from 'pg';
import type { Store } from '@lib/store/store';
import { refusalOf } from '../../src/api/problem.filter';
import { readLimitUsage } from '@lib/store/limits/limit-usage';
import { createPool } from '@lib/store/postgres/pool';
import { limitDifferences } from '@lib/store/repair/limit-counts';
import { differenceText } from '@lib/store/repair/view-row';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createTestStore, DEADLINES, META, type TestStore } from '../support/store';
import { databaseClock } from '../support/database-clock';
import { onJob, refusal } from '../support/streams';
import { sql, tampered } from '../support/tampering';

jest.setTimeout(120_000);

const QUIET = 'nothing was refused';
const CAP = 100;

let test: TestStore;
let stores: Store[];
beforeAll(async () => {
  test = await createTestStore();
  stores = [test.store, test.another()];
});
afterAll(() => test.close());

const NONE: JobLimits = { keyId: null, openJobs: null, dailyCents: null, warningCents: null };
const many = <Value>(count: number, make: (place: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

/** Tenants of which a test changed the rows. */
const moved: string[] = [];
let tenants = 0;
const newTenant = (): string => `limited-${++tenants}`;

interface Asked extends Partial<JobLimits> {
  tenantId: string;
  near?: (cents: number) => void;
  balanceCents?: number;
  digest?: Buffer;
  /** Of the key that asks. */
  ofKey?: Partial<Omit<JobLimits, 'keyId'>> & { keyId: string; near?: (cents: number) => void };
}

/** A thread with a job of 100 cents, as the route asks for it. */
async function create(place: number, { tenantId, near, balanceCents, digest, ofKey, ...limits }: Asked) {
  const [threadId, jobId, step] = [newId('thr'), newId('job'), candidate('provider-a', { max: CAP * 8_000 })];
  await (stores[place % stores.length] as Store).execute({
    meta: ofKey ? { ...META, actor: `key:${ofKey.keyId}` } : META,
    limits: [{ ...NONE, ...limits, ...(near && { near }) }, ...(ofKey ? [{ ...NONE, ...ofKey }] : [])],
    ...(digest && { request: { digest, bodyDigest: digest, streamId: jobId } }),
    commands: [
      { kind: 'thread', streamId: threadId, command: { type: 'CreateThread', tenantId, title: 'How?' } },
      { kind: 'thread', streamId: threadId, command: { type: 'AddJob', tenantId, jobId, parent: null } },
      {
        kind: 'job',
        streamId: jobId,
        command: {
          ...{ type: 'RequestJob', tenantId, threadId, parentJobId: null, query: 'How?', budgetTier: 'XXS', budgetCapCents: CAP },
          ...{ researchMode: 'fast', spideringEnabled: false, markupBasisPoints: 0, synthesisReserveMicros: 0, deadlines: DEADLINES },
          balanceReservedCents: balanceCents,
          candidates: [step],
        },
      },
    ],
  });
  return { threadId, jobId, stepId: step.stepId };
}

const codes = async (count: number, asked: Asked) => {
  const found = Map.groupBy(await many(count, (place) => refusal(create(place, asked))), (code) => code);
  return Object.fromEntries([...found].map(([code, { length }]) => [code, length]));
};

it('of many jobs in two processes at once exactly as many are open as may be, and what ends makes room', async () => {
  const tenantId = newTenant();
  expect(await codes(300, { tenantId, openJobs: 40 })).toEqual({ [QUIET]: 40, too_many_open_jobs: 260 });
  const { rows } = await test.store.pool.query<{ id: string }>('select id from job where tenant_id = $1 order by id', [tenantId]);
  expect(rows).toHaveLength(40);
  await many(15, (place) => onJob(stores[place % 2] as Store, rows[place]?.id ?? '', { type: 'CancelJob' }));
  expect(await codes(60, { tenantId, openJobs: 40 })).toEqual({ [QUIET]: 15, too_many_open_jobs: 45 });
  expect(await codes(1, { tenantId, openJobs: 0 })).toEqual({ too_many_open_jobs: 1 });
});

it('of a day’s cents an open job holds its cap and an ended one what it cost, also once its thread is deleted', async () => {
  const asked = { tenantId: newTenant(), dailyCents: 3 * CAP };
  const jobs = [await create(0, asked), await create(1, asked), await create(0, asked)];
  expect(await codes(10, asked)).toEqual({ daily_limit: 10 });
  await expect(create(0, asked)).rejects.toMatchObject({
    detail: expect.stringContaining('300 cents already, and this one 100, of 300') as string,
  });
  const [first, second] = jobs as [(typeof jobs)[0], (typeof jobs)[0]];
  await onJob(test.store, first.jobId, start(first.stepId), report(first.stepId, 1, success(400_000)), complete);
  // 40 + 100 + 100, and 100 more do not fit into 300.
  expect(await codes(1, asked)).toEqual({ daily_limit: 1 });
  await onJob(test.store, second.jobId, { type: 'CancelJob' });
  expect(await codes(10, asked)).toEqual({ [QUIET]: 1, daily_limit: 9 });
});

it('of a day’s cents a job that is cancelled at work holds also what its providers may still charge, for its tenant and its key', async () => {
  const [tenantId, keyId] = [newTenant(), 'lostkey00000'];
  for (const asked of [
    { tenantId, dailyCents: 3 * CAP },
    { tenantId: newTenant(), ofKey: { keyId, dailyCents: 3 * CAP } },
  ]) {
    for (const reported of [success(100_000), null, null]) {
      const { jobId, stepId } = await create(0, asked);
      await onJob(test.store, jobId, start(stepId), ...(reported ? [report(stepId, 1, reported)] : []), { type: 'CancelJob' });
    }
    // 10 + 80 + 80 of 300.
    expect(await codes(3, asked)).toEqual({ [QUIET]: 1, daily_limit: 2 });
  }
});

it('of a day’s cents a process whose clock is off says rightly when the next day begins', async () => {
  const asked = { tenantId: newTenant(), dailyCents: CAP };
  await create(0, asked);
  const others = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval'] as const;
  jest.useFakeTimers({ now: Date.now() + 7 * 3_600_000, doNotFake: [...others, 'clearInterval', 'setTimeout', 'clearTimeout'] });
  const refused = await create(1, asked).catch((error: unknown) => error);
  // What the api answers with.
  const told = Number(refusalOf(refused).headers?.['retry-after']);
  jest.useRealTimers();
  const { rows } = await test.store.pool.query<{ left: number }>(
    `select 86400 - extract(epoch from now() at time zone 'utc' - date_trunc('day', now() at time zone 'utc'))::float8 as left`,
  );
  // Between the two a day may have begun.
  const apart = Math.abs(told - Number(rows[0]?.left)) % 86_400;
  expect(Math.min(apart, 86_400 - apart)).toBeLessThan(30);
});

it('a deleted thread gives back what its job did not cost, and no more', async () => {
  const asked = { tenantId: newTenant(), dailyCents: 2 * CAP };
  const { threadId, jobId, stepId } = await create(0, asked);
  await onJob(test.store, jobId, start(stepId), report(stepId, 1, success(600_000)));
  await test.store.threads.delete(threadId, asked.tenantId, META);
  await test.store.erasure.erase(threadId);
  expect(await codes(5, asked)).toEqual({ [QUIET]: 1, daily_limit: 4 });
});

it('it warns of what the jobs of the day may cost, and still creates them', async () => {
  const told: number[] = [];
  const asked = { tenantId: newTenant(), warningCents: 2 * CAP, near: (cents: number) => void told.push(cents) };
  for (let place = 0; place < 4; place += 1) await create(place, asked);
  expect(told).toEqual([3 * CAP, 4 * CAP]);
});

it('yesterday’s cents do not count, its open jobs do', async () => {
  const tenantId = newTenant();
  moved.push(tenantId);
  await create(0, { tenantId, dailyCents: CAP });
  await test.store.pool.query(`update limit_usage set day = day - 1 where tenant_id = $1`, [tenantId]);
  await test.store.pool.query(`update limited_job set day = day - 1 where tenant_id = $1`, [tenantId]);
  expect(await codes(3, { tenantId, dailyCents: CAP })).toEqual({ [QUIET]: 1, daily_limit: 2 });
  expect(await codes(3, { tenantId, openJobs: 2 })).toEqual({ too_many_open_jobs: 3 });
});

it('of a day’s cents nothing is forgotten where statements of two days are counted in turns', async () => {
  const own = await createTestStore();
  const clock = await databaseClock(own);
  // Functions have a search path of their own.
  const { rows } = await own.store.pool.query<{ name: string; of: string }>(
    `select oid::regprocedure::text as name from pg_proc where proname in ('check_limits', 'record_limited_jobs', 'settle_limits')`,
  );
  for (const { name } of rows) await own.store.pool.query(`alter function ${name} set search_path = set_clock, public, pg_catalog`);
  const [{ ms } = { ms: 0 }] = (
    await own.store.pool.query<{ ms: number }>(
      `select extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day' - (now() at time zone 'UTC'))::int * 1000 as ms`,
    )
  ).rows;
  const [before, after] = [() => clock.set(ms - 60_000), () => clock.set(ms + 60_000)];
  const asked = { tenantId: 'midnight', dailyCents: 3 * CAP };
  const others = stores;
  stores = [own.store];
  try {
    await before();
    await codes(3, asked);
    expect(await codes(1, asked)).toEqual({ daily_limit: 1 });
    await after();
    const ofTomorrow = await many(2, (place) => create(place, asked));
    // As if it had arrived before midnight: it takes of the day that has begun.
    await before();
    expect(await codes(2, asked)).toEqual({ [QUIET]: 1, daily_limit: 1 });
    const asOfNow = createPool(clock.url, 1);
    const { tenant } = await readLimitUsage(asOfNow, { tenantId: asked.tenantId, keyId: 'none' }).finally(() => asOfNow.end());
    expect(tenant.dailyCents).toBe(3 * CAP);
    await after();
    expect(await codes(1, asked)).toEqual({ daily_limit: 1 });
    for (const { jobId } of ofTomorrow) await onJob(own.store, jobId, { type: 'CancelJob' });
    expect(await codes(3, asked)).toEqual({ [QUIET]: 2, daily_limit: 1 });
    const { rows: used } = await own.store.pool.query(`select open_jobs as open, day_cents::int as cents from limit_usage`);
    expect(used).toEqual([{ open: 6, cents: 3 * CAP }]);
  } finally {
    stores = others;
    await own.close();
  }
});

it('a limited tenant spoils nothing for the others of its batch, and one without limits has no rows', async () => {
  const [limited, other] = [newTenant(), newTenant()];
  const outcomes = await many(60, async (place) => {
    const asked = place % 3 ? { tenantId: other } : { tenantId: limited, openJobs: 5 };
    const { openJobs = null } = asked as Partial<JobLimits>;
    const code = openJobs === null ? refusal(createFreely(place, other)) : refusal(create(place, asked));
    return [place % 3 ? 'other' : 'limited', await code].join(' ');
  });
  expect(outcomes.filter((outcome) => outcome === `other ${QUIET}`)).toHaveLength(40);
  expect(outcomes.filter((outcome) => outcome === `limited ${QUIET}`)).toHaveLength(5);
  const { rows } = await test.store.pool.query(`select from limit_usage where tenant_id = $1`, [other]);
  expect(rows).toEqual([]);
});

/** Without any limits, as for most tenants. */
const createFreely = async (place: number, tenantId: string) => {
  const [threadId, jobId] = [newId('thr'), newId('job')];
  await (stores[place % 2] as Store).execute({
    meta: META,
    commands: [
      { kind: 'thread', streamId: threadId, command: { type: 'CreateThread', tenantId, title: 'How?' } },
      { kind: 'thread', streamId: threadId, command: { type: 'AddMessage', tenantId, messageId: newId('msg'), content: jobId } },
    ],
  });
};

it('what the balance refuses counts for no limit, what the limit refuses takes nothing of the balance, and neither is recorded as a request', async () => {
  const tenantId = newTenant();
  await test.store.balances.change({ tenantId, kind: 'top_up', cents: 10 * CAP, reference: 'first' });
  const digests = Array.from({ length: 40 }, () => randomBytes(32));
  const limits = { tenantId, openJobs: 4, balanceCents: CAP };
  const outcomes = await many(40, (place) => refusal(create(place, { ...limits, ...(digests[place] && { digest: digests[place] }) })));
  expect(outcomes.filter((outcome) => outcome === QUIET)).toHaveLength(4);
  expect(await test.store.balances.read(tenantId)).toMatchObject({ availableCents: 6 * CAP, reservedCents: 4 * CAP });
  const recorded = await Promise.all(digests.map((digest) => test.store.requests.find(digest)));
  expect(recorded.filter((found) => found !== null)).toHaveLength(4);
  expect(await codes(20, { ...limits, openJobs: 100, balanceCents: CAP })).toEqual({ [QUIET]: 6, insufficient_balance: 14 });
  const { rows } = await test.store.pool.query<{ open: number }>('select open_jobs as open from limit_usage where tenant_id = $1', [
    tenantId,
  ]);
  expect(rows).toEqual([{ open: 10 }]);
});

it('what the balance refuses takes no room in a limit from another request of its batch', async () => {
  const tenantId = newTenant();
  await test.store.balances.change({ tenantId, kind: 'top_up', cents: CAP, reference: 'first' });
  const asked = { tenantId, openJobs: 1, balanceCents: CAP };
  // One process, so that all are in one batch.
  const outcomes = await Promise.all([2 * CAP, 2 * CAP, CAP].map((balanceCents) => refusal(create(0, { ...asked, balanceCents }))));
  expect(outcomes).toEqual(['insufficient_balance', 'insufficient_balance', QUIET]);
});

describe('of a key', () => {
  const [ONE, OTHER] = ['firstkey0000', 'otherkey0000'];
  const rows = async (tenantId: string) => {
    const text =
      'select key_id as "keyId", open_jobs as open, day_cents::int as cents from limit_usage where tenant_id = $1 order by key_id';
    return (await test.store.pool.query<{ keyId: string; open: number; cents: number }>(text, [tenantId])).rows;
  };

  it('of many jobs in two processes at once exactly as many are open as each key and the tenant of both may have', async () => {
    const tenantId = newTenant();
    const outcomes = await many(300, async (place) => {
      const keyId = place % 3 === 0 ? ONE : OTHER;
      const asked = { tenantId, openJobs: 25, ofKey: { keyId, openJobs: keyId === ONE ? 10 : 1_000 } };
      return `${keyId} ${await refusal(create(place, asked))}`;
    });
    const created = (keyId: string) => outcomes.filter((outcome) => outcome === `${keyId} ${QUIET}`).length;
    expect(created(ONE)).toBeLessThanOrEqual(10);
    expect(created(ONE) + created(OTHER)).toBe(25);
    expect(await rows(tenantId)).toEqual([
      { keyId: '', open: 25, cents: 2_500 },
      { keyId: ONE, open: created(ONE), cents: created(ONE) * CAP },
      { keyId: OTHER, open: created(OTHER), cents: created(OTHER) * CAP },
    ]);
  });

  it('what it creates beyond its own limits is refused alone, and the refusal says whose limit it is', async () => {
    const tenantId = newTenant();
    const ofKey = (keyId: string, limits: Partial<Omit<JobLimits, 'keyId'>>) => ({
      tenantId,
      openJobs: 3,
      dailyCents: 1_000,
      ofKey: { keyId, ...limits },
    });
    expect(await codes(5, ofKey(ONE, { openJobs: 2 }))).toEqual({ [QUIET]: 2, too_many_open_jobs: 3 });
    const detail = (text: string) => ({ detail: expect.stringContaining(text) as string });
    await expect(create(0, ofKey(ONE, { openJobs: 2 }))).rejects.toMatchObject(
      detail(`The key ${ONE} has 2 open jobs, as many as it may have`),
    );
    await expect(create(0, ofKey(OTHER, { dailyCents: CAP - 1 }))).rejects.toMatchObject(
      detail(`The key ${OTHER}'s jobs may cost 99 cents a day, and this one alone 100`),
    );
    await create(1, ofKey(OTHER, { dailyCents: CAP }));
    await expect(create(0, ofKey(OTHER, {}))).rejects.toMatchObject(detail('The tenant has 3 open jobs, as many as it may have'));
  });

  it('what ends makes room for the key that created it', async () => {
    const asked = { tenantId: newTenant(), ofKey: { keyId: ONE, openJobs: 1, dailyCents: 2 * CAP } };
    const first = await create(0, asked);
    expect(await codes(3, asked)).toEqual({ too_many_open_jobs: 3 });
    await onJob(test.store, first.jobId, start(first.stepId), report(first.stepId, 1, success(400_000)), complete);
    const second = await create(1, asked);
    await onJob(test.store, second.jobId, { type: 'CancelJob' });
    // 40 + 0, and 100 more fit once.
    expect(await codes(3, { ...asked, ofKey: { keyId: ONE, dailyCents: 2 * CAP } })).toEqual({ [QUIET]: 1, daily_limit: 2 });
  });

  it('each is warned of its own', async () => {
    const told: string[] = [];
    const near = (whose: string) => (cents: number) => void told.push(`${whose} ${cents}`);
    const asked = {
      tenantId: newTenant(),
      warningCents: 2 * CAP,
      near: near('tenant'),
      ofKey: { keyId: ONE, warningCents: CAP, near: near('key') },
    };
    for (let place = 0; place < 3; place += 1) await create(place, asked);
    expect(told).toEqual(['key 200', 'tenant 300', 'key 300']);
  });
});

describe('what is looked at when a job is created', () => {
  const OPEN = 400;

  it('is what has ended, not what is open', async () => {
    const asked = { tenantId: newTenant(), openJobs: OPEN };
    const jobs = await many(OPEN, (place) => create(place, asked));
    const ended = jobs.slice(0, 3);
    for (const { jobId } of ended) await onJob(test.store, jobId, { type: 'CancelJob' });
    const client = await test.store.pool.connect();
    try {
      await client.query('begin');
      const text = 'select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = any ($1)';
      const touched = async () =>
        (await client.query<{ read: number }>(text, [['limited_job', 'limit_usage', 'event']])).rows[0]?.read ?? 0;
      const before = await touched();
      await client.query(`select settle_limits($1, '', current_date)`, [asked.tenantId]);
      expect((await touched()) - before).toBeLessThan(10 * ended.length);
      const left = await client.query<{ open: number }>('select open_jobs as open from limit_usage where tenant_id = $1', [asked.tenantId]);
      expect(left.rows).toEqual([{ open: OPEN - ended.length }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await codes(10, asked)).toEqual({ [QUIET]: ended.length, too_many_open_jobs: 10 - ended.length });
  });
});

const tenantsOf = (streamId: string): string => streamId.replace(/^ten_/, '');

/** What differs of what counts for limits; not of the tenants whose rows a test changed. */
async function countDifferences(): Promise<string[]> {
  const found: string[] = [];
  for await (const { differences } of test.store.viewRepair.compare())
    found.push(...differences.filter(({ streamId }) => !moved.includes(tenantsOf(streamId))).map(differenceText));
  return found;
}

async function rebuild(): Promise<unknown[]> {
  const left: unknown[] = [];
  for await (const { differences } of test.store.viewRepair.compare())
    for (const [streamId, found] of Map.groupBy(differences, (one) => one.streamId))
      if (!moved.includes(tenantsOf(streamId))) left.push(...(await test.store.viewRepair.repair(streamId, found, () => undefined)));
  return left;
}

describe('what counts is compared with the histories', () => {
  const KEY = 'countedkey00';
  let tenantId: string;
  /** Open, ended and counted out, ended and not yet counted out. */
  beforeAll(async () => {
    tenantId = newTenant();
    const asked = { tenantId, openJobs: 10, dailyCents: 20 * CAP, ofKey: { keyId: KEY, openJobs: 10 } };
    const [gone, ended] = [await create(0, asked), await create(1, asked)];
    await onJob(test.store, gone.jobId, start(gone.stepId), report(gone.stepId, 1, success(400_000)), complete);
    await create(0, asked);
    await onJob(test.store, ended.jobId, start(ended.stepId), report(ended.stepId, 1, success(300_000)), complete);
  });

  const rows = async () => {
    const { rows: usage } = await test.store.pool.query('select * from limit_usage where tenant_id = $1 order by key_id', [tenantId]);
    const { rows: jobs } = await test.store.pool.query('select * from limited_job where tenant_id = $1 order by job_id, key_id', [
      tenantId,
    ]);
    return { usage, jobs } as unknown;
  };

  /** The rows as they are, to be put back. */
  async function keep(): Promise<{ putBack: () => Promise<void> }> {
    const tables = ['limit_usage', 'limited_job'] as const;
    const kept = await Promise.all(
      tables.map(async (table) => {
        const text = `select to_jsonb(${table}) as row from ${table} where tenant_id = $1`;
        return { table, rows: (await test.store.pool.query<{ row: object }>(text, [tenantId])).rows };
      }),
    );
    const putBack = async () => {
      for (const { table, rows: own } of kept) {
        await test.store.pool.query(`delete from ${table} where starts_with(tenant_id, $1)`, [tenantId]);
        for (const { row } of own)
          await test.store.pool.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [row]);
      }
    };
    return { putBack };
  }

  it('and nothing differs after all that the tests above have done', async () => expect(await countDifferences()).toEqual([]));

  /** The last: whether the repair puts back what was there; else the histories do not tell all of it. */
  it.each<[string, string, string, boolean]>([
    ['open jobs', 'limit usage', 'update limit_usage set open_jobs = -500 where tenant_id = $1', true],
    ['open jobs of a key', 'limit usage', `update limit_usage set open_jobs = 1 where tenant_id = $1 and key_id = '${KEY}'`, true],
    ['fewer cents than of what is open', 'limit usage', 'update limit_usage set day_cents = -1000000 where tenant_id = $1', true],
    ['more cents than of all jobs of the day', 'limit usage', 'update limit_usage set day_cents = 1000000 where tenant_id = $1', true],
    ['an earlier day', 'limit usage', 'update limit_usage set day = day - 1 where tenant_id = $1', true],
    ['a later day', 'limit usage', 'update limit_usage set day = day + 1 where tenant_id = $1', true],
    ['no usage', 'limit usage', 'delete from limit_usage where tenant_id = $1', true],
    // Two days, because within ten minutes of midnight a job may count for the day before.
    ['an earlier day of a job', 'limited job', 'update limited_job set day = day - 2 where tenant_id = $1', true],
    ['a later day of a job', 'limited job', 'update limited_job set day = day + 1 where tenant_id = $1', true],
    ['a cap of a job', 'limited job', 'update limited_job set cents = 0 where tenant_id = $1', true],
    ['an end of an open job', 'limited job', 'update limited_job set ended_cents = 0 where tenant_id = $1 and ended_cents is null', true],
    ['other cents of an ended job', 'limited job', 'update limited_job set ended_cents = ended_cents - 1 where tenant_id = $1', true],
    ['no end of an ended job', 'limited job', 'update limited_job set ended_cents = null where tenant_id = $1', true],
    ['jobs that nobody began', 'limited job', `update limited_job set job_id = job_id || 'x' where tenant_id = $1`, false],
    ['jobs of another key', 'limited job', `update limited_job set key_id = 'another' where tenant_id = $1 and key_id = '${KEY}'`, false],
    ['jobs of another tenant', 'limited job', `update limited_job set tenant_id = tenant_id || 'x' where tenant_id = $1`, false],
    ['no jobs', 'limit usage', 'delete from limited_job where tenant_id = $1', false],
  ])('%s that somebody wrote are named as %s, and repaired', async (_, view, change, isPutBack) => {
    const [before, kept] = [await rows(), await keep()];
    await test.store.pool.query(change, [tenantId]);
    const found = await countDifferences();
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(`^${view} ${tenantId}`)]));
    expect(await rebuild()).toEqual([]);
    expect(await countDifferences()).toEqual([]);
    if (isPutBack) expect(await rows()).toEqual(before);
    await kept.putBack();
    expect(await countDifferences()).toEqual([]);
  });

  it('and a cap that somebody wrote otherwise ends no look', async () => {
    const write = (cap: string) =>
      tampered(
        test.store.pool,
        sql(
          `update event set facts = jsonb_set(facts, '{budgetCapCents}', $2) where version = 1 and facts ->> 'tenantId' = $1`,
          tenantId,
          cap,
        ),
        (pool) => limitDifferences(pool as unknown as PoolClient, [tenantId]),
      );
    expect(await write(`${String(CAP)}.0`)).toEqual([]);
    expect(await write(String(CAP + 1))).not.toEqual([]);
  });

  it('and jobs that start and end meanwhile make no difference, nor does a repair keep them from counting', async () => {
    const asked = { tenantId: newTenant(), openJobs: 1_000, ofKey: { keyId: KEY, dailyCents: 1_000 * CAP } };
    let isWorking = true;
    const works = many(4, async (place) => {
      for (let count = 0; count < 25; count += 1) {
        const { jobId } = await create(place, asked);
        if (count % 2 === 0) await onJob(stores[place % 2] as Store, jobId, { type: 'CancelJob' });
      }
    }).finally(() => (isWorking = false));
    let looks = 0;
    for (; isWorking; looks += 1) {
      expect(await countDifferences()).toEqual([]);
      const difference = { view: 'limit usage', key: `${asked.tenantId}/`, streamId: `ten_${asked.tenantId}` } as const;
      const found = { ...difference, column: 'openJobs', expected: 0, stored: 1 };
      await test.store.viewRepair.repair(difference.streamId, [found], () => undefined);
    }
    await works;
    expect(looks).toBeGreaterThan(0);
    expect(await countDifferences()).toEqual([]);
    await create(0, asked);
    const { rows: open } = await test.store.pool.query('select open_jobs as open from limit_usage where tenant_id = $1', [asked.tenantId]);
    expect(open).toEqual([{ open: 4 * 12 + 1 }, { open: 4 * 12 + 1 }]);
  });
});
