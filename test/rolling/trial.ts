import { eventually } from '../messaging/eventually';
import { openJobs, type StoredRow } from '../support/histories';
import { Supervisor } from '../support/supervisor';
import { Balancer } from './balancer';
import { Books } from './caller';
import { Customers } from './customers';
import { probeMs } from './manifests';
import { lookForBrokenPromises, NOTHING_BROKEN } from './promises';
import { Rollout, type Scale } from './rollout';

/** A deployment under load of which processes are replaced. */
export interface Trial {
  supervisor: Supervisor;
  books: Books;
  customers: Customers;
  rollout: Rollout;
}

interface TrialOptions {
  scale: Scale;
  /** The program of the first processes; by default the build under test. */
  main?: string;
  /** Makes the schema; by default as the build under test has it. */
  makeSchema?: (url: string) => Promise<unknown>;
}

const QUIESCENCE_MS = 90_000;

/**
 * Replaces processes under load, and expects that no client noticed.
 * @returns every event
 */
export async function expectUnnoticed(
  { scale, main, makeSchema }: TrialOptions,
  replace: (trial: Trial) => Promise<void>,
): Promise<StoredRow[]> {
  await using closing = new AsyncDisposableStack();
  const supervisor = closing.adopt(await Supervisor.start({ makeSchema }), (opened) => opened.close());
  const balancer = closing.adopt(await Balancer.start(probeMs() * (scale.api ?? 1)), (opened) => opened.close());
  const books = new Books();
  const rollout = new Rollout({ supervisor, balancer, scale, openJobs: () => customers.open });
  await rollout.startAll(main);
  const customers = new Customers(balancer.port, supervisor.apiKey, books);
  closing.defer(() => customers.finish());
  await eventually(true, async () => customers.ended > 0, QUIESCENCE_MS);

  await replace({ supervisor, books, customers, rollout });
  await customers.finish();
  await eventually(0, () => openJobs(supervisor.pool), QUIESCENCE_MS);
  const { broken, events } = await lookForBrokenPromises(supervisor, customers);
  const { failed, requests, resumed } = books;
  const told = rollout.replaced.map(({ role, tookMs, openJobs: open }) => `${role} ${Math.round(tookMs)} ms, ${open} open`);
  process.stdout.write(`\n${requests} requests, ${customers.jobs.length} jobs, ${resumed} streams resumed; ${told.join('; ')}\n`);
  expect({ failed, ...broken }).toEqual({ failed: [], ...NOTHING_BROKEN });
  expect(rollout.replaced.filter(({ code }) => code !== 0)).toEqual([]);
  // A restart that met nobody at work tests nothing.
  expect(rollout.replaced.filter(({ openJobs: open }) => open === 0)).toEqual([]);
  return events;
}
