import { ROLES, type Role } from '../../src/roles';
import { isResumption } from './promises';
import { REPLICAS, SHORT } from './rollout';
import { expectUnnoticed } from './trial';

/** `make rolling` sets it, and takes the times of the manifests; `make test` takes a tenth of them, and replaces every process once. */
const SECONDS = Number(process.env.ROLLING_SECONDS || 0);
/** A worker's drain is so short that runs in the background do not end in it. */
const SCALE = SECONDS > 0 ? { worker: 0.01 } : SHORT;
/**
 * Nobody notices that either: no request is on its way to them, and they hold no run. What webhooks had in hand comes again after a lease of a minute,
 * which `make test` has no time for.
 */
const KILLED: Role[] = ['saga', 'synthesizer', ...(SECONDS > 0 ? (['webhooks'] as const) : [])];
const AROUND_MS = 15 * 60_000;

jest.setTimeout(SECONDS * 1000 + AROUND_MS);

it('two processes of each role are replaced one by one, and no client notices', async () => {
  const began = performance.now();
  const events = await expectUnnoticed({ scale: SCALE }, async ({ supervisor, books, rollout }) => {
    const lost = async () => (await supervisor.pool.query(`select 1 from event where type = 'StepAttemptLost' limit 1`)).rowCount !== 0;
    do {
      for (const role of ROLES) await rollout.replaceAll(role);
      // Until a stream was ended and a run was left, nobody has shown that it is gone on with. The time that the manifests give is longer than a stream here.
      while (SECONDS === 0 && books.resumed === 0) await rollout.replaceAll('api');
      while (!(await lost())) await rollout.replaceAll('worker');
      for (const killed of KILLED)
        do await rollout.replaceOne(killed, true);
        while (!rollout.replaced.some(({ role, isKilled }) => isKilled && role === killed));
    } while (performance.now() - began < SECONDS * 1000);
    expect(rollout.replaced.length).toBeGreaterThanOrEqual(ROLES.length * REPLICAS);
  });
  expect(events.filter(isResumption).length).toBeGreaterThan(0);
});
