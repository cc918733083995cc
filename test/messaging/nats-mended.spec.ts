import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connectNats } from '@lib/messaging/nats-transport';
import type { Transport } from '@lib/messaging/transport';
import { startNats, type RunningNats } from '../servers/nats';
import { eventually } from './eventually';

interface Allowed {
  /** What the saga may publish, and what it may hear. */
  saga: [publish: string, subscribe: string];
  /** What the worker may publish. */
  worker: string;
}

const users = ({ saga: [publish, subscribe], worker }: Allowed): string => {
  const user = (name: string, publishes: string, subscribes: string[]): string =>
    `{ user: ${name}, password: ${name}, permissions { publish: { allow: ["${publishes}"] }, subscribe: { allow: ${JSON.stringify(subscribes)} } } }`;
  const inbox = '_INBOX.>';
  return `authorization { users: [
    ${user('saga', publish, [inbox, subscribe])}
    ${user('replica', inbox, [inbox, 'step.claim'])}
    ${user('worker', worker, [inbox])}
  ] }\n`;
};

let folder: string;
let server: RunningNats;
let transports: Transport[];
const warned: string[] = [];
const logger = { warn: (fields: object) => void warned.push(JSON.stringify(fields)) };

/** A server of which an operator changes what its users may do, while their processes stay connected. */
const startWith = async (allowed: Allowed): Promise<void> => {
  folder = mkdtempSync(join(tmpdir(), 'nats-mended-'));
  transports = [];
  writeFileSync(join(folder, 'users.conf'), users(allowed));
  server = await startNats({ more: { lines: `include "../${basename(folder)}/users.conf"\n` } });
};

const change = (allowed: Allowed): void => {
  writeFileSync(join(folder, 'users.conf'), users(allowed));
  process.kill(server.pid, 'SIGHUP');
};

const open = async (user: string): Promise<Transport> => {
  const transport = await connectNats({ url: server.url.replace('//', `//${user}:${user}@`), prefix: '', name: 'test', logger });
  transports.push(transport);
  return transport;
};

const claimOf = (worker: Transport) => () => worker.request('step.claim', {}, 1_000).catch((error: Error) => error.message);

afterEach(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  await server.stop();
  rmSync(folder, { recursive: true });
});

it('permissions that were wrong and are mended hold without a restart of the processes', async () => {
  await startWith({ saga: ['_INBOX.>', 'nothing'], worker: 'nothing' });
  const [saga, worker] = [await open('saga'), await open('worker')];
  await saga.serve('step.claim', async () => 'granted');
  const ask = claimOf(worker);
  expect(await ask()).toMatch(/permissions of this NATS user/);
  await eventually(true, async () => warned.some((line) => line.includes('listener_failed')));

  change({ saga: ['_INBOX.>', 'step.claim'], worker: 'step.claim' });
  await eventually('granted', ask, 30_000);
}, 60_000);

it('who may not answer decides nothing any more until it may, and leaves the requests to those who can', async () => {
  const right: Allowed = { saga: ['_INBOX.>', 'step.claim'], worker: 'step.claim' };
  await startWith(right);
  const [saga, worker] = [await open('saga'), await open('worker')];
  let decided = 0;
  await saga.serve('step.claim', async () => {
    decided += 1;
    return 'granted';
  });
  const ask = claimOf(worker);
  expect(await ask()).toBe('granted');

  change({ ...right, saga: ['nothing', 'step.claim'] });
  await eventually(true, async () => (await ask()) !== 'granted');
  const refusals = () => warned.filter((line) => line.includes('"subject":"_INBOX')).length;
  await eventually(true, async () => refusals() > 0);
  const [decidedBefore, refusedBefore] = [decided, refusals()];
  // It tries again whether it may answer.
  await eventually(
    true,
    async () => {
      expect(await ask()).not.toBe('granted');
      return refusals() >= refusedBefore + 2;
    },
    30_000,
  );
  expect(decided).toBe(decidedBefore);

  const replica = await open('replica');
  await replica.serve('step.claim', async () => 'granted by the other');
  await eventually(true, async () => {
    const answers = [];
    for (let times = 0; times < 20; times += 1) answers.push(await ask());
    return answers.every((answer) => answer === 'granted by the other');
  });

  await replica.close();
  change(right);
  await eventually('granted', ask, 30_000);
}, 90_000);
