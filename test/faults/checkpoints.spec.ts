import { sequence } from '../../src/audit/sequencer';
import { verifyLog } from '../../src/audit/verify-log';
import { eventually } from '../messaging/eventually';
import type { KillPoint } from '../../src/runtime/kill-point';
import { Client } from '../support/client';
import { Load } from '../support/load';
import { storedLog } from '../support/log';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

const SIGNS = {
  CHECKPOINT_KEY: Buffer.alloc(32, 5).toString('base64'),
  CHECKPOINT_ORIGIN: 'audit.example.org/faults',
  CHECKPOINT_MS: '150',
};
const POINTS: KillPoint[] = ['log.before-append', 'log.after-append', 'checkpoint.before-save', 'checkpoint.after-save'];

let supervisor: Supervisor;
beforeAll(async () => {
  supervisor = await Supervisor.start();
});
afterAll(() => supervisor?.close());

it('sagas that die while they log and sign, beside two that do not, leave one log with every event once', async () => {
  await supervisor.startMissing(SIGNS);
  await supervisor.start('saga', SIGNS);
  const load = new Load(supervisor);
  for (const point of POINTS) expect(await supervisor.startDoomed('saga', point, SIGNS).ended).toEqual({ code: null, signal: 'SIGKILL' });
  await load.finish();
  const { pool } = supervisor;
  await eventually(0, () => sequence(pool), 60_000);

  const { rows } = await pool.query<{ events: number; logs: number; checkpoints: number }>(
    `select (select count(*)::int from event) as events, (select count(*)::int from log_origin) as logs, (select count(*)::int from checkpoint) as checkpoints`,
  );
  const log = await storedLog(pool);
  const { events, logs, checkpoints } = rows[0] ?? {};
  expect({ entries: log.length, logs }).toEqual({ entries: events, logs: 1 });
  expect(new Set(log.map(({ streamId, version }) => `${streamId}/${version}`)).size).toBe(events);
  expect(checkpoints).toBeGreaterThan(2);
  expect((await verifyLog(pool, [], [], () => undefined)).faults).toEqual([]);
  expect(await new Client(supervisor).call('GET', '/v1/audit/proofs/consistency?from=1')).toMatchObject({ status: 200 });
});
