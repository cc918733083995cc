import { ROLES } from '../../src/roles';
import { isResumption } from './promises';
import { REPLICAS, SHORT } from './rollout';
import { expectUnnoticed } from './trial';

/** `make rolling` sets it, and takes the times of the manifests; `make test` takes a tenth of them, and replaces every process once. */
const SECONDS = Number(process.env.ROLLING_SECONDS || 0);
/** A worker's drain is so short that runs in the background do not end in it. */
const SCALE = SECONDS > 0 ? { worker: 0.01 } : SHORT;
const AROUND_MS = 15 * 60_000;

jest.setTimeout(SECONDS * 1000 + AROUND_MS);

it('two processes of each role are replaced one by one, and no client notices', async () => {
  const began = performance.now();
  const events = await expectUnnoticed({ scale: SCALE }, async ({ supervisor, books, rollout }) => {
    const lost = async () => (await supervisor.pool.query(`select 1 from event where type = 'StepAttemptLost' limit 1`)).rowCount !== 0;
    do {
      for (const role of ROLES) await rollout.replaceAll(role);
      // Until a stream was ended and a run was left, nobody has shown that it is gone on with.
      while (books.resumed === 0) await rollout.replaceAll('api');
      while (!(await lost())) await rollout.replaceAll('worker');
    } while (performance.now() - began < SECONDS * 1000);
    expect(rollout.replaced.length).toBeGreaterThanOrEqual(ROLES.length * REPLICAS);
  });
  expect(events.filter(isResumption).length).toBeGreaterThan(0);
});
