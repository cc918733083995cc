import { setTimeout as sleep } from 'node:timers/promises';
import { announcementPayload, WORKER_LIMITS_SUBJECT } from '@lib/messaging/worker-limits';
import { eventually } from '../messaging/eventually';
import { candidate, createJob } from '../support/store';
import { startJobRoles, type JobRoles, type JobRolesOptions } from '../support/job-roles';

jest.setTimeout(180_000);

let roles: JobRoles;
afterEach(() => roles.stop());

async function start(options: JobRolesOptions): Promise<void> {
  roles = await startJobRoles(options);
}

const ask = (tenantId: string) => createJob(roles.store, { tenantId, candidates: [candidate('provider-a')] });

async function queue(count: number, tenantId: string): Promise<void> {
  const together = 100;
  for (let queued = 0; queued < count; queued += together) {
    await Promise.all(Array.from({ length: Math.min(together, count - queued) }, () => ask(tenantId)));
  }
}

/** So many more steps that wait for their turn. Their jobs do not exist. */
const fillAgenda = (count: number) =>
  roles.store.pool.query(
    `insert into agenda (job_id, kind, ref, step_id, provider, due_at, look_at, tenant_id, waiting, gives_up_at)
      select 'job_' || n, 'dispatch step', 'stp_' || n || '#1', 'stp_' || n, 'provider-a', now(), now() + interval '1 hour', 'tenant-' || n % 10, true,
        now() + interval '1 hour' from generate_series(1, $1::int4) as n`,
    [count],
  );

/** Every submit of the provider takes so long. */
function takeEach(milliseconds: number): void {
  void (async () => {
    for (;;) {
      const submit = await roles.providers['provider-a'].submits.next();
      void sleep(milliseconds, undefined, { ref: false }).then(() => submit.finish());
    }
  })();
}

/** How often a step was dispatched, and how often one was handed to a worker. */
function countWork(): { dispatched: number; handled: number } {
  const counts = { dispatched: 0, handled: 0 };
  const { transport } = roles;
  const [dispatch, consume] = [transport.dispatch.bind(transport), transport.consume.bind(transport)];
  transport.dispatch = (work) => {
    if (work.kind === 'step') counts.dispatched += 1;
    return dispatch(work);
  };
  transport.consume = (queue, slots, handle) =>
    consume(queue, slots, (delivery) => {
      if (delivery.work.kind === 'step') counts.handled += 1;
      return handle(delivery);
    });
  return counts;
}

const STEP_MS = 500;
const SLOTS = 8;

/** How many other steps begin between a lone job's request and its start. */
async function stepsAhead(): Promise<number> {
  const { commits, providers } = roles;
  const { paid } = providers['provider-a'];
  const { jobId } = await ask('tenant-lone');
  await commits.until(jobId, 'StepStarted');
  return providers['provider-a'].paid - paid;
}

it('a lone job waits at most one step time behind 5,000 queued jobs of another tenant', async () => {
  await start({ limits: { concurrency: SLOTS } });
  takeEach(STEP_MS);
  await roles.startWorker();
  roles.startSweeper();
  await queue(5_000, 'tenant-long');
  // As many as there are slots begin within one step time.
  for (let times = 1; times <= 5; times += 1) expect(await stepsAhead()).toBeLessThanOrEqual(SLOTS);
});

it('10,000 jobs that wait for a provider that is down are neither dispatched nor touched', async () => {
  await start({ redispatchMs: 50 });
  for (let failures = 1; failures <= 5; failures += 1) await roles.store.admission.recordFailure('provider-a', 5, 3_600_000);
  const counts = countWork();
  await roles.startWorker();
  roles.startSweeper();
  await ask('tenant-long');
  await fillAgenda(9_999);
  const rows = async () => {
    const { rows: found } = await roles.store.pool.query<{ count: number; versions: string }>(
      `select count(*)::int, md5(string_agg(ctid::text || xmin::text, ' ' order by ctid)) as versions from agenda`,
    );
    return found[0];
  };
  const before = await rows();
  // Hundreds of rounds.
  await sleep(2_000);
  expect(before?.count).toBe(10_001);
  expect(await rows()).toEqual(before);
  expect(counts).toEqual({ dispatched: 0, handled: 0 });
});

it('a window of thousands of slots is filled, however many wait', async () => {
  await start({});
  const slots = 8_000;
  const limits = new Map([['provider-a' as const, { slots, requestsPerMinute: null }]]);
  roles.transport.publish(WORKER_LIMITS_SUBJECT, announcementPayload({ worker: 'large', limits }));
  const counts = countWork();
  await fillAgenda(slots);
  roles.startSweeper();
  await eventually(true, () => Promise.resolve(counts.dispatched >= slots / 2), 60_000);
  expect(counts.dispatched).toBe(slots / 2);
});

it('behind a limit of requests a step is handed to a worker about once, however many wait', async () => {
  const distanceMs = 100;
  await start({ redispatchMs: 50, limits: { requestsPerMinute: 60_000 / distanceMs } });
  const counts = countWork();
  takeEach(1);
  await roles.startWorker();
  roles.startSweeper();
  await queue(1_000, 'tenant-long');
  const { providers } = roles;
  const [handled, paid] = [counts.handled, providers['provider-a'].paid];
  while (providers['provider-a'].paid < paid + 10) await sleep(5);
  expect(counts.handled - handled).toBeLessThanOrEqual(13);
});

it('a job that a newer build wrote to holds no place of its provider’s window', async () => {
  // So long that the row would not be taken again by itself.
  await start({ redispatchMs: 600_000, limits: { concurrency: 1 } });
  const { store, transport, providers, commits } = roles;
  await roles.startWorker();
  // By another process, so that this one remembers nothing of it.
  const newer = await createJob(roles.test.another(), { candidates: [candidate('provider-a')] });
  await store.pool.query(
    `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
      select stream_id, version + 1, 'evt_newer_' || stream_id, 'StepDreamt', 1, '{}', meta, hash, hash from event where stream_id = $1`,
    [newer.jobId],
  );
  await store.pool.query(`update agenda set look_at = now() + interval '1 hour'`);
  const { jobId } = await ask('tenant-one');
  expect((await store.pool.query('select 1 from agenda where waiting')).rows).toHaveLength(1);
  roles.startSweeper();
  await transport.dispatch({
    ...{ kind: 'step', provider: 'provider-a', resumes: false },
    ...{ jobId: newer.jobId, stepId: newer.stepIds[0] ?? '' },
  });
  (await providers['provider-a'].submits.next()).finish();
  await commits.until(jobId, 'JobCompleted');
  expect(providers['provider-a'].paid).toBe(1);
});

it('a step that can never be claimed, because its job’s history is corrupt, holds no place of its provider’s window', async () => {
  await start({ limits: { concurrency: 1 } });
  const { store, transport, providers, commits, logged } = roles;
  await roles.startWorker();
  // By another process, so that this one remembers nothing of it.
  const broken = await createJob(roles.test.another(), { candidates: [candidate('provider-a')] });
  await store.pool.query('alter table event disable trigger user');
  await store.pool.query(`update event set facts = '{}' where stream_id = $1`, [broken.jobId]);
  await store.pool.query(`update agenda set look_at = now() + interval '1 hour'`);
  const { jobId } = await ask('tenant-one');
  expect((await store.pool.query('select 1 from agenda where waiting')).rows).toHaveLength(1);
  roles.startSweeper();
  await transport.dispatch({
    ...{ kind: 'step', provider: 'provider-a', resumes: false },
    ...{ jobId: broken.jobId, stepId: broken.stepIds[0] ?? '' },
  });
  (await providers['provider-a'].submits.next()).finish();
  await commits.until(jobId, 'JobCompleted');
  expect(providers['provider-a'].paid).toBe(1);
  expect(logged.filter(({ reason }) => reason === 'corrupt_history')).toEqual([expect.objectContaining({ alert: true, of: broken.jobId })]);
});
