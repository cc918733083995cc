import { JOB_ROLES, type Role } from '../../src/roles';
import { expectIntact } from '../support/auditor';
import { DoublingProxy } from '../support/doubling-proxy';
import { Load } from '../support/load';
import { isEvent } from '../support/logs';
import { SLOW_BACKGROUND } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

const WRITTEN_BY: [string, Role][] = [
  ['JobRequested', 'api'],
  ['StepStarted', 'saga'],
  ['JobCompleted', 'synthesizer'],
];

describe('two processes of each role', () => {
  let supervisor: Supervisor;
  let proxy: DoublingProxy;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    proxy = await DoublingProxy.start(supervisor.broker.port);
  });
  afterAll(async () => {
    await supervisor?.close();
    await proxy?.close();
  });

  it('share the work and do nothing twice, though every NATS message comes twice', async () => {
    for (const _ of [1, 2]) await Promise.all(JOB_ROLES.map((role) => supervisor.start(role, { NATS_URL: proxy.url })));
    const load = new Load(supervisor, { jobs: 40 });
    await expectIntact(supervisor, load);
    expect(supervisor.callers()).toBe(2);
    for (const [type, role] of WRITTEN_BY)
      expect(supervisor.logs.processesWith(isEvent(type)).sort()).toEqual(
        supervisor
          .running(role)
          .map(({ name }) => name)
          .sort(),
      );
    const subjects = ['step.claim', 'step.external', 'step.heartbeat', 'step.report', 'work.step', 'work.synthesis'];
    expect([...proxy.doubled.keys()]).toEqual(expect.arrayContaining(subjects));
  });

  it('do nothing twice while both sweepers hurry after the workers that were killed', async () => {
    const load = new Load(supervisor, { jobs: 10, atATime: 10, providers: [SLOW_BACKGROUND] });
    const lost = supervisor.logs.next(isEvent('StepAttemptLost'), 10);
    await supervisor.logs.next(isEvent('StepExternalIdRecorded'), 10);
    await Promise.all(supervisor.running('worker').map((worker) => worker.kill()));
    await supervisor.start('worker');
    await lost;
    await expectIntact(supervisor, load);
    expect(supervisor.callsOf(SLOW_BACKGROUND)).toBe(10);
  });
});
