import { Connections } from '../chaos/connections';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Load } from '../support/load';
import { isEvent } from '../support/logs';
import { SLOWEST } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(60_000);

/** A lease is longer than a round of pulls, as it always is: what a worker asked for before it was away is over. */
const TIMES = { LEASE_MS: '6000', HEARTBEAT_MS: '1000' };
const JOBS = 4;

let supervisor: Supervisor;
let wires: Connections[];
beforeAll(async () => {
  supervisor = await Supervisor.start();
  await Promise.all((['api', 'saga', 'saga', 'synthesizer'] as const).map((role) => supervisor.start(role, TIMES)));
  wires = await Promise.all([1, 2].map(() => Connections.start(supervisor.broker.port, { isNats: true })));
  // Either has room for what the other one is calling for.
  const settings = { ...TIMES, WORKER_SLOTS: String(JOBS) };
  await Promise.all(wires.map(({ port }) => supervisor.start('worker', { ...settings, NATS_URL: `nats://127.0.0.1:${port}` })));
});
afterAll(async () => {
  await supervisor?.close();
  await Promise.all(wires?.map((wire) => wire.close()) ?? []);
});

const stopped = (signal: NodeJS.Signals) => () => supervisor.running('worker').forEach((worker) => worker.send(signal));
const held = () => wires.forEach(({ weather }) => (weather.held = { there: true, back: true }));

it.each([
  ['stand still', stopped('SIGSTOP'), stopped('SIGCONT')],
  ['are cut off from the broker', held, () => wires.forEach((wire) => wire.calm())],
])('two workers that %s together for longer than their leases pay for nothing twice', async (_, away, back) => {
  const callsBefore = supervisor.callsOf(SLOWEST);
  const load = new Load(supervisor, { jobs: JOBS, atATime: JOBS, providers: [SLOWEST] });
  await eventually(callsBefore + JOBS, async () => supervisor.callsOf(SLOWEST));
  expect(supervisor.callers()).toBe(2);
  // The fault: every attempt is lost.
  const lost = supervisor.logs.next(isEvent('StepAttemptLost'), JOBS);
  away();
  await lost;
  back();
  await expectIntact(supervisor, load);
  expect(new Set(load.endings.values())).toEqual(new Set(['completed']));
  expect(supervisor.callsOf(SLOWEST)).toBe(callsBefore + JOBS);
});
