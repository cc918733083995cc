import type { Role } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { openJobs, type StoredRow } from '../support/histories';
import { Supervisor } from '../support/supervisor';
import { Balancer } from './balancer';
import { Books } from './single-try-client';
import { Customers } from './customers';
import { readinessProbe } from './manifests';
import { lookForBrokenPromises, NOTHING_BROKEN } from './promises';
import { Receivers } from './receivers';
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
/** Of a balancer, with the times of the manifests; of a tenth of it nothing could be told on a busy machine. */
const LAG_MS = 5_000;

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
  const { everyMs, failures } = readinessProbe();
  const knowledge = { everyMs: everyMs * (scale.api ?? 1), failures, lagMs: scale.api === undefined ? LAG_MS : 0 };
  const balancer = closing.adopt(await Balancer.start(knowledge), (opened) => opened.close());
  const books = new Books();
  const underWay = (role: Role) => (role === 'webhooks' ? receivers.waiting : customers.open);
  const rollout = new Rollout({ supervisor, balancer, scale, underWay });
  await rollout.startAll(main);
  const receivers = closing.adopt(await Receivers.open(balancer.port, supervisor.apiKey, books), (opened) => opened.close());
  const customers = new Customers(balancer.port, supervisor.apiKey, books);
  closing.defer(() => customers.finish());
  await eventually(true, async () => customers.ended > 0, QUIESCENCE_MS);

  await replace({ supervisor, books, customers, rollout });
  await customers.finish();
  await eventually(0, () => openJobs(supervisor.pool), QUIESCENCE_MS);
  // What is still missing then stands among the broken promises.
  await eventually(true, async () => receivers.haveAll(customers.jobs.length), QUIESCENCE_MS).catch(() => undefined);
  const { broken, events } = await lookForBrokenPromises(supervisor, { customers, receivers });
  const { failed, requests, resumed } = books;
  const { calls, events: told } = receivers.counts;
  const replaced = rollout.replaced.map(
    ({ role, isKilled, tookMs, underWay: met }) => `${role} ${isKilled ? 'killed' : `${Math.round(tookMs)} ms`}, ${met} under way`,
  );
  const counts = `${requests} requests, ${customers.jobs.length} jobs, ${resumed} streams resumed, ${calls} calls of webhooks for ${told} events`;
  process.stdout.write(`\n${counts}; ${replaced.join('; ')}\n`);
  expect({ failed, ...broken }).toEqual({ failed: [], ...NOTHING_BROKEN });
  expect(rollout.replaced.filter(({ code, isKilled }) => !isKilled && code !== 0)).toEqual([]);
  expect(rollout.replaced.filter(({ underWay: met }) => met === 0)).toEqual([]);
  return events;
}
