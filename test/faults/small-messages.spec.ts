import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Client } from '../support/client';
import { Load } from '../support/load';
import { entryOf } from '../support/logs';
import { SLOW } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

const MAX_PAYLOAD = 64 * 1024;
const JOBS = 8;

let supervisor: Supervisor;
beforeEach(async () => {
  supervisor = await Supervisor.start();
});
afterEach(() => supervisor?.close());

/** Steps whose answer a worker has and cannot report. */
const unreported = (): number =>
  new Set(
    supervisor.logs.lines
      .map(({ text }) => entryOf(text))
      .filter(({ reason }) => reason === 'saga_unanswered')
      .map(({ stepId }) => stepId),
  ).size;

/** Reports that were cut. */
async function cut(): Promise<number> {
  const { rows } = await supervisor.pool.query<{ cut: number }>(
    `select count(*)::int as cut from event where type = 'StepCompleted' and facts ->> 'truncated' = 'true'`,
  );
  return rows[0]?.cut ?? 0;
}

it.each([
  ['each longer than that', 100_000, JOBS],
  ['longer than that together', 15_000, 0],
])('a broker that comes back with room for 64 KB in a message gets the reports that wait, %s', async (_, reportBytes, cutReports) => {
  supervisor.reportBytes = reportBytes;
  await supervisor.startMissing();
  const load = new Load(supervisor, { jobs: JOBS, atATime: JOBS, providers: [SLOW] });
  await eventually(JOBS, async () => supervisor.callsOf(SLOW), 30_000);
  await supervisor.broker.kill();
  await eventually(JOBS, async () => unreported(), 30_000);
  await supervisor.broker.start({ maxPayload: MAX_PAYLOAD });
  await load.finish();
  // Whatever is refused as too long is repeated, and goes through only if others happen not to wait beside it.
  expect(supervisor.logs.processesWith(({ err }) => /bytes are more than/.test(JSON.stringify(err) ?? ''))).toEqual([]);
  expect(await cut()).toBe(cutReports);
  expect(new Set(load.endings.values())).toEqual(new Set(['completed']));
  expect(supervisor.callsOf(SLOW)).toBe(JOBS);
  await expectIntact(supervisor, load);
});

it('a question that is longer than a message fails at once, unpaid, and its job and the saga say what to do', async () => {
  await supervisor.broker.kill();
  await supervisor.broker.start({ maxPayload: MAX_PAYLOAD });
  await supervisor.startMissing();
  const client = new Client(supervisor);
  const question = { message: '😀'.repeat(20_000), budget: 'S', providers: [SLOW] };
  const { body } = await client.call('POST', '/v1/threads', question);
  const job = `/v1/threads/${String(body.id)}/jobs/${(body.job as { id: string }).id}`;
  await eventually('failed', async () => (await client.call('GET', job)).body.status);
  const REMEDY = /has 8\d{4} bytes, and NATS takes \d+: set max_payload of nats-server to 1048576/;
  const { steps } = (await client.call('GET', job)).body as { steps: { errorMessage: string }[] };
  expect(steps.map(({ errorMessage }) => errorMessage)).toEqual([expect.stringMatching(REMEDY)]);
  await eventually(1, async () => supervisor.logs.processesWith(({ msg }) => REMEDY.test(String(msg))).length);
  const { rows } = await supervisor.pool.query(`select count(*)::int as attempts from event where type = 'StepStarted'`);
  expect(rows).toEqual([{ attempts: 1 }]);
});
