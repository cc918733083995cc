import { access } from 'node:fs/promises';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { readHistories } from '../support/histories';
import { Load } from '../support/load';
import { isStateChange } from '../support/logs';
import { SLOW } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

describe('a nats-server', () => {
  let supervisor: Supervisor;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
  });
  beforeEach(() => supervisor.startMissing());
  afterAll(() => supervisor?.close());

  it('that is killed and restarted under load loses no job', async () => {
    const load = new Load(supervisor, { jobs: 20 });
    await supervisor.logs.next(isStateChange, 40);
    expect(load.openJobs).toBeGreaterThan(0);
    await supervisor.broker.kill();
    await supervisor.broker.start();
    await expectIntact(supervisor, load);
  });

  it('that is down while jobs are created delays them and refuses none', async () => {
    await supervisor.broker.kill();
    const load = new Load(supervisor, { jobs: 10 });
    await eventually(10, async () => load.accepted.length);
    expect(load).toMatchObject({ unanswered: 0, openJobs: 10 });
    expect(supervisor.broker.isRunning).toBe(false);
    await supervisor.broker.start();
    await expectIntact(supervisor, load);
  });

  it('that loses its store in mid-run loses no job', async () => {
    await supervisor.the('worker').stop();
    const load = new Load(supervisor, { jobs: 20 });
    await eventually(true, async () => (await supervisor.broker.queued()) >= 20);
    await supervisor.broker.kill();
    await supervisor.broker.wipe();
    await expect(access(supervisor.broker.storeDir)).rejects.toThrow('ENOENT');
    await supervisor.broker.start();
    await supervisor.start('worker');
    await expectIntact(supervisor, load);
  });

  it('that is down for longer than a lease costs no running attempt', async () => {
    const load = new Load(supervisor, { jobs: 8, atATime: 8, providers: [SLOW] });
    await eventually(8, async () => supervisor.callsOf(SLOW));
    await supervisor.broker.kill();
    await eventually(0, () => supervisor.heldLeases());
    expect(load.openJobs).toBe(8);
    await supervisor.broker.start();
    await expectIntact(supervisor, load);
    expect(await eventsOf(load, 'StepAttemptLost')).toBe(0);
    expect(await eventsOf(load, 'StepStarted')).toBe(8);
  });

  const eventsOf = async (load: Load, type: string): Promise<number> => {
    const histories = await readHistories(supervisor.pool);
    return load.accepted.flatMap(({ jobId }) => histories.get(jobId) ?? []).filter((event) => event.type === type).length;
  };
});
