import type { KillPoint } from '../../src/runtime/kill-point';
import type { Role } from '../../src/roles';
import { expectIntact } from '../support/auditor';
import { Client, Unanswered } from '../support/client';
import { isJob, readHistories } from '../support/histories';
import { Load } from '../support/load';
import { isEvent } from '../support/logs';
import { QUICK } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

const KILLED = { code: null, signal: 'SIGKILL' };
const IN_TURN: [Role, KillPoint[]][] = [
  ['saga', ['claim.before-commit', 'claim.after-commit', 'report.after-commit']],
  ['synthesizer', ['final.before-commit', 'final.after-commit']],
];

describe('a process that dies at a named point', () => {
  let supervisor: Supervisor;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
  });
  beforeEach(() => supervisor.startMissing());
  afterAll(() => supervisor?.close());

  /** Starts the role again as one that dies at the point. */
  const doom = async (role: Role, point: KillPoint) => {
    await supervisor.the(role).stop();
    return supervisor.startDoomed(role, point);
  };
  const storedJobs = async () => [...(await readHistories(supervisor.pool)).values()].filter(isJob).length;

  for (const [role, points] of IN_TURN)
    it(`${role}: ${points.join(', ')}, in turn under one load, loses no job and ends none twice`, async () => {
      await supervisor.the(role).stop();
      const load = new Load(supervisor);
      for (const point of points) {
        expect(await supervisor.startDoomed(role, point).ended).toEqual(KILLED);
      }
      await supervisor.start(role);
      await expectIntact(supervisor, load);
    });

  it('worker: worker.after-answer leaves paid runs behind, which are lost and never called again as the same attempt', async () => {
    const doomed = await doom('worker', 'worker.after-answer');
    const lost = supervisor.logs.next(isEvent('StepAttemptLost'));
    const load = new Load(supervisor, { providers: [QUICK] });

    expect(await doomed.ended).toEqual(KILLED);
    await supervisor.start('worker');
    await lost;
    await expectIntact(supervisor, load);
  });

  it('api: create.after-commit leaves jobs that nobody was told of, and they end like the others', async () => {
    const before = await storedJobs();
    const doomed = await doom('api', 'create.after-commit');
    const load = new Load(supervisor);

    expect(await doomed.ended).toEqual(KILLED);
    await supervisor.start('api');
    await expectIntact(supervisor, load);
    expect(await storedJobs()).toBeGreaterThan(before + load.accepted.length);
  });

  it('api: delete.after-commit has deleted the thread, though nobody was told', async () => {
    const doomed = await doom('api', 'delete.after-commit');
    const load = new Load(supervisor, { jobs: 10 });
    await load.finish();
    const path = `/v1/threads/${load.accepted[0]?.threadId ?? ''}`;
    const client = new Client(supervisor);

    await expect(client.call('DELETE', path)).rejects.toThrow(Unanswered);
    expect(await doomed.ended).toEqual(KILLED);
    await supervisor.start('api');
    expect(await client.call('GET', path)).toMatchObject({ status: 404 });
    expect(await client.call('DELETE', path)).toMatchObject({ status: 404 });
    await expectIntact(supervisor, load);
  });
});
