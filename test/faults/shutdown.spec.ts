import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Client } from '../support/client';
import { Load } from '../support/load';
import { isStateChange } from '../support/logs';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

describe('SIGTERM under load', () => {
  let supervisor: Supervisor;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
  });
  beforeEach(() => supervisor.startMissing());
  afterAll(() => supervisor?.close());

  it('lets an api answer every request that it has taken', async () => {
    const load = new Load(supervisor, { jobs: 20 });
    await supervisor.logs.next(isStateChange, 30);
    const api = supervisor.the('api');
    const client = new Client(supervisor);
    const question = { message: 'Is this still answered?', budget: 'S' };

    const writer = await supervisor.pool.connect();
    await writer.query('begin');
    await writer.query('lock table thread in exclusive mode');
    const requests = Array.from({ length: 20 }, () => client.call('POST', '/v1/threads', question));
    await eventually(true, async () => (await supervisor.blockedSessions()).length > 0);
    // A later request on a new connection is answered, so the earlier ones have been read.
    expect(await client.call('GET', '/health/live')).toMatchObject({ status: 200 });
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

  it('lets every other role end what it has in hand', async () => {
    const load = new Load(supervisor, { jobs: 20 });
    for (const role of ['synthesizer', 'worker', 'saga'] as const) {
      await supervisor.logs.next(isStateChange, 30);
      expect(load.openJobs).toBeGreaterThan(0);
      expect(await supervisor.the(role).stop()).toEqual({ code: 0, signal: null });
      await supervisor.start(role);
    }
    await expectIntact(supervisor, load);
  });
});
