import type { KillPoint } from '../../src/runtime/kill-point';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Load } from '../support/load';
import { LEASE_MS, Supervisor } from '../support/supervisor';
import { research, start } from '../system/support/command';

jest.setTimeout(180_000);

let supervisor: Supervisor;
beforeAll(async () => {
  supervisor = await Supervisor.start();
  await supervisor.startMissing();
  await supervisor.start('api');
});
afterAll(() => supervisor?.close());

const operator = () => ({ ...supervisor.operator, LEASE_MS: String(LEASE_MS), HEARTBEAT_MS: '400' });
const views = (what: string) => research(['views', what], operator());

/** What somebody who writes to the tables may leave of them, of some rows at a time. What customers would see is done to jobs ($1) that they have seen the end of. */
const DRIFTS = [
  `update job set cost_cents = cost_cents + 7, version = version + 1 where id in (select id from job order by random() limit 3)`,
  `update job set status = 'running', completed_at = null where id in (select id from job where id = any ($1) order by random() limit 1)`,
  `delete from message where id in (select id from message order by random() limit 3)`,
  `delete from thread where id in (select thread_id from job where id = any ($1) order by random() limit 1)`,
  `update thread set updated_at = updated_at + interval '1 day' where id in (select id from thread order by random() limit 3)`,
  `delete from agenda where (job_id, kind, ref) in (select job_id, kind, ref from agenda order by random() limit 3)`,
  `update job set document = null where id in (select id from job where id = any ($1) and document is not null order by random() limit 2)`,
];

it('repairs what drifts while jobs run on two apis, and stops none of them', async () => {
  const load = new Load(supervisor);
  await eventually(true, async () => load.endings.size > 5, 60_000);
  const repaired: string[] = [];
  for (const drift of DRIFTS) {
    const drifted = await supervisor.pool.query(drift, drift.includes('$1') ? [[...load.endings.keys()]] : []);
    const { code, stdout, stderr } = await views('rebuild');
    expect({ drift, code, stderr }).toEqual({ drift, code: 0, stderr: '' });
    if (drifted.rowCount) repaired.push(stdout);
  }
  expect(repaired.length).toBeGreaterThan(DRIFTS.length / 2);
  expect(repaired.join('')).toMatch(/the history says/);
  await expectIntact(supervisor, load);
  expect(await views('verify')).toMatchObject({ code: 0, stderr: '' });
});

it.each<[KillPoint, boolean]>([
  ['views.half-written', false],
  ['views.before-commit', false],
  ['views.after-commit', true],
])('that dies at %s leaves the views of a stream as they were, or as they should be', async (point, isRepaired) => {
  const rows = async () =>
    (
      await supervisor.pool.query<{ id: string; row: unknown }>(
        `select id, to_jsonb(job) - 'document' as row from job where id = (select id from job order by id limit 1)
          union all select job_id, jsonb_agg(to_jsonb(agenda) order by ref) from agenda where job_id = (select id from job order by id limit 1) group by job_id`,
      )
    ).rows;
  const sound = await rows();
  const [{ id } = { id: '' }] = sound;
  await supervisor.pool.query(`update job set cost_cents = cost_cents + 1 where id = $1`, [id]);
  await supervisor.pool.query(
    `insert into agenda (job_id, kind, ref, due_at, look_at) values ($1, 'run', 'left', 'infinity', 'infinity')`,
    [id],
  );
  const drifted = await rows();
  const doomed = start('cli/main.js', ['views', 'rebuild'], { ...operator(), KILL_POINT: point });
  expect((await doomed.ended).code).toBeNull();
  expect(await rows()).toEqual(isRepaired ? sound : drifted);
  expect(await views('verify')).toMatchObject({ code: isRepaired ? 0 : 1 });
  expect(await views('rebuild')).toMatchObject({ code: 0 });
  expect(await rows()).toEqual(sound);
});

it('says that it could not look where it could not', async () => {
  const { code, stderr } = await research(['views', 'verify'], { ...operator(), DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('could not look: The database cannot be used') as string });
});
