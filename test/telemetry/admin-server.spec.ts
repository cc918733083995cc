import { Registry } from 'prom-client';
import { Readiness } from '../../src/api/health';
import { createLogger } from '../../src/api/logging';
import { startAdminServer, type AdminServer } from '../../src/telemetry/admin-server';
import { DrainRoute } from '../../src/telemetry/drain-route';

const logged: string[] = [];
const logger = createLogger('info', { write: (line) => void logged.push(line) });
const lines = () => logged.map((line) => JSON.parse(line) as Record<string, unknown>);
let isReady: boolean;
let worker: AdminServer;
let other: AdminServer;

beforeAll(async () => {
  const registry = new Registry();
  const readiness = new Readiness(logger);
  readiness.add({ name: 'nats', check: async () => (isReady ? undefined : Promise.reject(new Error('NATS refuses the login'))) });
  const stuck = { pause: () => undefined, resume: () => Promise.reject(new Error('nobody to take work from')), held: () => 3 };
  const tools = { host: '127.0.0.1', port: 0, registry, readiness, logger };
  worker = await startAdminServer({ ...tools, drain: new DrainRoute([stuck]) });
  other = await startAdminServer(tools);
});
beforeEach(() => {
  isReady = true;
  logged.length = 0;
});
afterAll(() => Promise.all([worker.close(), other.close()]));

async function ask(method: string, path: string, { address } = worker): Promise<[number, string]> {
  const response = await fetch(`${address}${path}`, { method });
  return [response.status, (await response.text()).trim()];
}

it('says which request failed, and the log says why', async () => {
  expect(await ask('PUT', '/drain')).toEqual([200, '{"draining":true,"held":3}']);
  expect(await ask('DELETE', '/drain')).toEqual([500, 'DELETE /drain failed: the log says why']);
  expect(lines().at(-1)).toMatchObject({
    reason: 'admin_failed',
    method: 'DELETE',
    path: '/drain',
    err: { message: 'nobody to take work from' },
  });
});

it('names what there is, and what it takes', async () => {
  const all = 'there are /metrics, /health/live, /health/ready, /log-level/<level>';
  expect(await ask('GET', '/anything')).toEqual([404, `${all}, /drain`]);
  expect(await ask('PUT', '/drain', other)).toEqual([404, all]);
  expect(await ask('POST', '/drain')).toEqual([405, '/drain takes GET, PUT, DELETE']);
  expect(await ask('GET', '/log-level/info')).toEqual([405, '/log-level/<level> takes PUT']);
});

it('logs once why the process is not ready, and names what fails', async () => {
  isReady = false;
  for (const server of [worker, other, worker]) expect(await ask('GET', '/health/ready', server)).toEqual([503, 'not ready: nats']);
  expect(lines()).toMatchObject([{ level: 'warn', reason: 'not_ready', check: 'nats', why: 'NATS refuses the login' }]);
});
