import { setTimeout as delay } from 'node:timers/promises';
import type { Holding } from '@lib/memory/holdings';
import { ROLES, type Role } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Client } from '../support/client';
import { Load } from '../support/load';
import { isStateChange } from '../support/logs';
import { Supervisor } from '../support/supervisor';
import { HOLD } from '../support/hold';

jest.setTimeout(180_000);

/** Every cache and queue of the process has a bound, and says what it holds. */
const HELD: Partial<Record<Role, string[]>> = {
  api: ['API keys', 'contents', 'job answers', 'log lines', 'request bodies', 'thread keys'],
  saga: ['calls of report threads', 'contents', 'job states', 'log lines', 'thread keys'],
  worker: ['log lines'],
};

describe('SIGTERM under load', () => {
  let supervisor: Supervisor;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
  });
  beforeEach(() => supervisor.startMissing());
  afterAll(() => supervisor?.close());

  it('lets an api answer every request that it has taken', async () => {
    const load = new Load(supervisor);
    await supervisor.logs.next(isStateChange, 30);
    const api = supervisor.the('api');
    const client = new Client(supervisor);
    const question = { message: 'Is this still answered?', budget: 'S' };

    const writer = await supervisor.pool.connect();
    await writer.query(HOLD);
    await writer.query('lock table thread in exclusive mode');
    const requests = Array.from({ length: 20 }, () => client.call('POST', '/v1/threads', question));
    await eventually(true, async () => (await supervisor.blockedSessions()).length > 0);
    // Later requests on new connections are answered, so the earlier ones have been read. One alone may go by a connection that is there already.
    const later = await Promise.all(Array.from({ length: 40 }, () => client.call('GET', '/health/live')));
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([200]));
    api.send('SIGTERM');
    await supervisor.logs.next(({ reason }) => reason === 'stopping');
    await writer.query('commit');
    writer.release();

    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 201));
    expect(await api.ended).toEqual({ code: 0, signal: null });
    await supervisor.start('api');
    await expectIntact(supervisor, load);
  });

  it.each(Object.entries(HELD) as [Role, string[]][])(
    'is not what SIGUSR2 does: it has the role %s tell what it holds',
    async (role, names) => {
      const telling = supervisor.logs.next(({ reason }) => reason === 'holdings');
      supervisor.the(role).send('SIGUSR2');
      const { holdings, memory } = (await telling) as { holdings?: Holding[]; memory?: { rss: number } };
      expect(memory?.rss).toBeGreaterThan(0);
      expect(holdings?.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      for (const { name, bytes, maxBytes } of holdings ?? []) expect([name, bytes >= 0 && bytes <= maxBytes]).toEqual([name, true]);
    },
  );

  it('ends an api though its clients keep their connections', async () => {
    const api = supervisor.the('api');
    const client = new Client(supervisor);
    const writer = await supervisor.pool.connect();
    await writer.query(HOLD);
    await writer.query('lock table thread in exclusive mode');
    const held = client.call('POST', '/v1/threads', { message: 'Is this still answered?', budget: 'S' });
    await eventually(true, async () => (await supervisor.blockedSessions()).length > 0);
    const stopping = supervisor.logs.next(({ reason }) => reason === 'stopping');
    api.send('SIGTERM');
    await stopping;
    await writer.query('commit');
    writer.release();
    expect(await held).toMatchObject({ status: 201 });
    // The client's connection is idle from now on, and could be so for 72 s.
    expect(await Promise.race([api.ended, delay(20_000, 'still there', { ref: false })])).toEqual({ code: 0, signal: null });
    await supervisor.start('api');
  });

  it('lets every other role end what it has in hand', async () => {
    const load = new Load(supervisor);
    for (const role of ['synthesizer', 'worker', 'saga'] as const) {
      await supervisor.logs.next(isStateChange, 30);
      expect(load.openJobs).toBeGreaterThan(0);
      expect(await supervisor.the(role).stop()).toEqual({ code: 0, signal: null });
      await supervisor.start(role);
    }
    await expectIntact(supervisor, load);
  });
});

describe('SIGTERM while no server answers', () => {
  const DRAIN_MS = 1_000;
  /** As the protocol says, and a slow machine needs a while for anything. */
  const AFTERWARDS_MS = 3_000 + 3_000;
  /** With a lease of this length a process hopes for longer than that for a broker that is silent. */
  const environment = { DRAIN_MS: String(DRAIN_MS), LEASE_MS: '60000', HEARTBEAT_MS: '5000' };
  let supervisor: Supervisor;
  beforeEach(async () => {
    supervisor = await Supervisor.start();
    await supervisor.startMissing(environment);
    await supervisor.start('webhooks', environment);
  });
  afterEach(() => supervisor?.close());

  it.each([
    ['database', ['database']],
    ['broker', ['broker']],
    ['database and broker', ['database', 'broker']],
  ])('ends every role in its time: %s', async (_, silent) => {
    const { database, broker } = supervisor;
    const client = new Client(supervisor);
    const question = { message: 'Who ends in time?', budget: 'S' };
    const begun = supervisor.logs.next(({ reason }) => reason === 'StepStarted');
    await Promise.all(Array.from({ length: 10 }, () => client.call('POST', '/v1/threads', question)));
    await begun;
    const stopped = silent.includes('database') ? database.freeze() : [];
    if (silent.includes('broker')) process.kill(broker.pid, 'SIGSTOP');
    // Everybody has asked something by then and waits.
    await delay(1_000);
    const endings = await Promise.all(
      ROLES.map(async (role) => {
        const told = supervisor.the(role);
        const began = performance.now();
        const ending = await Promise.race([told.stop(), delay(30_000, 'still there', { ref: false })]);
        return { role, ending, inTime: performance.now() - began < DRAIN_MS + AFTERWARDS_MS };
      }),
    );
    database.goOn(stopped);
    process.kill(broker.pid, 'SIGCONT');
    expect(endings).toEqual(ROLES.map((role) => ({ role, ending: { code: 0, signal: null }, inTime: true })));
  });
});
