import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_ROLES } from '../../src/roles';
import { expectIntact } from '../support/auditor';
import { readHistories } from '../support/histories';
import { Load } from '../support/load';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';
import { QUICK } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

const LATE_MS = 2_000;
/** As they are where nobody sets them. */
const INTERVALS = { LEASE_MS: '30000', HEARTBEAT_MS: '10000', REDISPATCH_FIRST_MS: '10000', REDISPATCH_MS: '30000', SWEEP_MS: '1000' };

let supervisor: Supervisor;
let proxy: PostgresProxy;
beforeAll(async () => {
  supervisor = await Supervisor.start();
  proxy = await startPostgresProxy(supervisor.database.url);
  const withDatabase = { ...INTERVALS, DATABASE_URL: proxy.url, DATABASE_POOL: '8' };
  await Promise.all(JOB_ROLES.map((role) => supervisor.start(role, role === 'worker' ? INTERVALS : withDatabase)));
});
afterAll(async () => {
  await supervisor?.close();
  await proxy?.close();
});

it('each answer of the database two seconds late makes jobs slow, and neither stops one nor loses an attempt', async () => {
  proxy.delayAnswers(LATE_MS);
  const load = new Load(supervisor, { jobs: 4, atATime: 4, providers: [QUICK] });
  // A balancer would have taken out every api.
  const [address = ''] = supervisor.apiAddresses();
  for (const round of [1, 2]) expect([round, (await fetch(`${address}/health/ready`)).status]).toEqual([round, 200]);
  await load.finish();
  expect(new Set(load.endings.values())).toEqual(new Set(['completed']));
  // Whose creation was answered too late may have a job that nobody asks for.
  const types = () => readHistories(supervisor.pool).then((histories) => [...histories.values()].flat().map(({ type }) => type));
  for (; (await types()).filter((type) => type === 'JobCompleted').length < (await jobs());) await sleep(500);
  expect(await types()).not.toContain('StepAttemptLost');
  expect(supervisor.callsOf(QUICK)).toBe(await jobs());
  proxy.delayAnswers(0);
  await expectIntact(supervisor, load);
});

async function jobs(): Promise<number> {
  const { rows } = await supervisor.pool.query<{ count: number }>('select count(*)::int as count from job');
  return rows[0]?.count ?? 0;
}
