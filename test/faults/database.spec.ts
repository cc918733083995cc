import { setTimeout as delay } from 'node:timers/promises';
import { generateKey } from '@lib/store/access/key-format';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { readHistories } from '../support/histories';
import { Client } from '../support/client';
import { Load } from '../support/load';
import { isStateChange } from '../support/logs';
import { SLOW } from '../support/simulated-providers';
import { LEASE_MS, Supervisor } from '../support/supervisor';
import { HOLD } from '../support/hold';

jest.setTimeout(180_000);

describe('a PostgreSQL', () => {
  let supervisor: Supervisor;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    await supervisor.startMissing();
  });
  afterAll(() => supervisor?.close());

  it('that is shut down at once and restarted, twice under load, loses no job and crashes no process', async () => {
    const load = new Load(supervisor);
    for (const stateChanges of [40, 70]) {
      await supervisor.logs.next(isStateChange, stateChanges);
      expect(load.openJobs).toBeGreaterThan(0);
      await supervisor.database.crash();
      await supervisor.database.start();
    }
    await expectIntact(supervisor, load);
  });

  it('whose sessions are killed under a read, a deletion and the check of a key is answered with 503, and the api lives on', async () => {
    const load = new Load(supervisor, { jobs: 1 });
    await load.finish();
    const thread = `/v1/threads/${load.accepted[0]?.threadId ?? ''}`;
    const client = new Client(supervisor);
    const blocker = await supervisor.pool.connect();
    blocker.on('error', () => undefined);
    await blocker.query(HOLD);
    await blocker.query('lock table thread, message, api_key in access exclusive mode');
    const requests = [
      client.call('GET', thread),
      client.call('DELETE', thread),
      client.call('GET', thread, undefined, generateKey().keyText),
    ];
    await eventually(3, async () => (await supervisor.blockedSessions()).length);
    for (const session of await supervisor.blockedSessions()) kill(session);
    blocker.release(true);
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([503, 503, 503]);
    await eventually(200, async () => (await client.call('GET', thread)).status);
    expect(await client.call('DELETE', thread)).toMatchObject({ status: 200 });
    await expectIntact(supervisor, load);
  });

  it('that is read-only for a while, as after a failover, is answered with 503, and everything goes on afterwards', async () => {
    const client = new Client(supervisor);
    const load = new Load(supervisor);
    await supervisor.logs.next(isStateChange, 20);
    await supervisor.pool.query('alter system set default_transaction_read_only = on');
    await supervisor.pool.query('select pg_reload_conf()');
    await eventually(503, async () => (await client.call('POST', '/v1/threads', { message: 'Is this written?', budget: 'S' })).status);
    await supervisor.pool.query('alter system reset default_transaction_read_only');
    await supervisor.pool.query('select pg_reload_conf()');
    await expectIntact(supervisor, load);
  });

  it('that is down for longer than a lease costs no running attempt', async () => {
    const load = new Load(supervisor, { jobs: 8, atATime: 8, providers: [SLOW] });
    await eventually(8, async () => supervisor.callsOf(SLOW));
    const heldForMs = await supervisor.longestLeaseMs();
    expect(heldForMs).toBeGreaterThan(0);
    expect(heldForMs).toBeLessThanOrEqual(LEASE_MS);
    await supervisor.database.crash();
    // Nobody can renew a lease meanwhile, so by then the last of them has ended. Once the server is back a worker may renew its own at once.
    await delay(LEASE_MS);
    await supervisor.database.start();
    expect(load.openJobs).toBe(8);
    await expectIntact(supervisor, load);
    const histories = await readHistories(supervisor.pool);
    const types = load.accepted.flatMap(({ jobId }) => histories.get(jobId) ?? []).map(({ type }) => type);
    expect(types.filter((type) => type === 'StepStarted')).toHaveLength(8);
    expect(types).not.toContain('StepAttemptLost');
  });
});

/** Once the first session is killed, PostgreSQL ends the others by itself: some may be gone by now. */
function kill(session: number): void {
  try {
    process.kill(session, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
