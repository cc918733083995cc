import { JOB_ROLES } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { readHistories } from '../support/histories';
import { Load } from '../support/load';
import { entryOf, isEvent } from '../support/logs';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';
import type { RoleProcess } from '../support/role-process';
import { QUICK, SLOW } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

const ATTEMPTS = 20;

describe('one of two sagas that is cut from its database', () => {
  let supervisor: Supervisor;
  let proxy: PostgresProxy;
  let isolated: RoleProcess;
  let healthy: RoleProcess;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    proxy = await startPostgresProxy(supervisor.database.url);
    isolated = await supervisor.start('saga', { DATABASE_URL: proxy.url });
    const others = await Promise.all(JOB_ROLES.map((role) => supervisor.start(role)));
    healthy = others.find(({ role }) => role === 'saga') as RoleProcess;
  });
  afterAll(async () => {
    await supervisor?.close();
    await proxy?.close();
  });

  it.each([
    ['since its connections break', () => proxy.interrupt()],
    ['and hears nothing any more', () => proxy.silence()],
  ])('%s costs no running attempt, leaves the requests to the other, and takes its share once it can commit', async (_, cut) => {
    const callsBefore = supervisor.callsOf(SLOW);
    const load = new Load(supervisor, { jobs: ATTEMPTS, atATime: ATTEMPTS, providers: [SLOW] });
    await eventually(callsBefore + ATTEMPTS, async () => supervisor.callsOf(SLOW), 30_000);
    cut();
    await eventually('/database,/requests', () => readinessOf(isolated), 20_000);
    await load.finish();
    expect(await readinessOf(healthy)).toBe('ready');
    const { lost, failed } = await endingsOf(load);
    expect({ lost, failed, submits: supervisor.callsOf(SLOW) - callsBefore }).toEqual({ lost: 0, failed: 0, submits: ATTEMPTS });

    proxy.resume();
    await eventually('ready', () => readinessOf(isolated), 60_000);
    const heardBefore = supervisor.logs.lines.length;
    // One at a time: a worker asks for what came together in one message, which one of the two answers.
    const next = new Load(supervisor, { jobs: 20, atATime: 1, providers: [QUICK] });
    await next.finish();
    const grantedBy = new Set(
      supervisor.logs.lines
        .slice(heardBefore)
        .filter(({ text }) => isEvent('StepStarted')(entryOf(text)))
        .map(({ process }) => process),
    );
    expect([...grantedBy].sort()).toEqual([isolated.name, healthy.name].sort());
    await expectIntact(supervisor, load);
    await expectIntact(supervisor, next);
  });

  async function endingsOf(load: Load): Promise<{ lost: number; failed: number }> {
    const histories = await readHistories(supervisor.pool);
    const types = load.accepted.flatMap(({ jobId }) => histories.get(jobId) ?? []).map(({ type }) => type);
    const count = (wanted: string): number => types.filter((type) => type === wanted).length;
    return { lost: count('StepAttemptLost'), failed: count('JobFailed') };
  }
});

/** `ready`, or what is down. */
async function readinessOf({ address }: RoleProcess): Promise<string> {
  const answer = await fetch(`${address}/health/ready`);
  if (answer.status === 200) return 'ready';
  const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
  return errors.map(({ pointer }) => pointer).join();
}
