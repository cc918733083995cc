import { JOB_ROLES } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { openJobs } from '../support/histories';
import { Supervisor } from '../support/supervisor';
import { Balancer } from './balancer';
import { Books } from './caller';
import { Customers } from './customers';
import { probeMs } from './manifests';
import { lookForBrokenPromises, NOTHING_BROKEN } from './promises';
import { REPLICAS, Rollout } from './rollout';

/** `make rolling` sets it, and takes the times of the manifests; `make test` takes a tenth of them, and replaces every process once. */
const SECONDS = Number(process.env.ROLLING_SECONDS || 0);
/** A worker's drain is so short that runs in the background do not end in it. */
const SCALE = SECONDS > 0 ? { worker: 0.02 } : { api: 0.1, saga: 0.1, worker: 0.005, synthesizer: 0.1 };
const AROUND_MS = 5 * 60_000;
const QUIESCENCE_MS = 60_000;

jest.setTimeout(SECONDS * 1000 + AROUND_MS);

it('two processes of each role are replaced one by one, and no client notices', async () => {
  await using closing = new AsyncDisposableStack();
  const supervisor = closing.adopt(await Supervisor.start(), (opened) => opened.close());
  const balancer = closing.adopt(await Balancer.start(probeMs() * (SECONDS > 0 ? 1 : (SCALE.api ?? 1))), (opened) => opened.close());
  const books = new Books();
  const rollout = new Rollout({ supervisor, balancer, scale: SCALE, openJobs: () => customers.open });
  await rollout.startAll();
  const customers = new Customers(balancer.port, supervisor.apiKey, books);
  closing.defer(() => customers.finish());
  await eventually(true, async () => customers.ended > 0, QUIESCENCE_MS);

  const began = performance.now();
  const lost = async () => (await supervisor.pool.query(`select 1 from event where type = 'StepAttemptLost' limit 1`)).rowCount !== 0;
  do {
    for (const role of JOB_ROLES) await rollout.replaceAll(role);
    // A restart that met nobody at work tests nothing.
    while (books.resumed === 0) await rollout.replaceAll('api');
    while (!(await lost())) await rollout.replaceAll('worker');
  } while (performance.now() - began < SECONDS * 1000);
  await customers.finish();
  await eventually(0, () => openJobs(supervisor.pool), QUIESCENCE_MS);
  const { broken, resumed } = await lookForBrokenPromises(supervisor, customers);
  const { failed, requests, resumed: streams } = books;
  const told = rollout.replaced.map(({ role, tookMs, openJobs: open }) => `${role} ${Math.round(tookMs)} ms, ${open} open`);
  process.stdout.write(
    `\n${requests} requests, ${customers.jobs.length} jobs, ${streams} streams and ${resumed} runs resumed; ${told.join('; ')}\n`,
  );

  expect({ failed, ...broken }).toEqual({ failed: [], ...NOTHING_BROKEN });
  expect(rollout.replaced.filter(({ code }) => code !== 0)).toEqual([]);
  expect(rollout.replaced.length).toBeGreaterThanOrEqual(JOB_ROLES.length * REPLICAS);
  expect(rollout.replaced.filter(({ openJobs: open }) => open === 0)).toEqual([]);
  expect(streams).toBeGreaterThan(0);
  expect(resumed).toBeGreaterThan(0);
});
