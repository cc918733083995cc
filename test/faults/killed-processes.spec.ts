import { randomInt } from 'node:crypto';
import { chance } from '@lib/providers/simulated/chance';
import { JOB_ROLES } from '../../src/roles';
import { expectIntact } from '../support/auditor';
import { Load } from '../support/load';
import { isStateChange } from '../support/logs';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

/** `FAULT_SEED` repeats the moments of an earlier run. */
const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const ROUNDS = [1, 2];
const KILLED = { code: null, signal: 'SIGKILL' };

describe(`kill -9 at random moments under load (FAULT_SEED=${seed})`, () => {
  let supervisor: Supervisor;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
  });
  afterAll(() => supervisor?.close());

  it.each(JOB_ROLES)('of the %s loses no job and ends none twice', async (role) => {
    await supervisor.startMissing();
    const load = new Load(supervisor);
    for (const round of ROUNDS) {
      const stateChanges = 15 + Math.floor(chance(seed, role, round) * 60);
      await supervisor.logs.next(isStateChange, stateChanges);
      expect(load.openJobs).toBeGreaterThan(0);
      expect(await supervisor.the(role).kill()).toEqual(KILLED);
      await supervisor.start(role);
    }
    await expectIntact(supervisor, load);
  });
});
