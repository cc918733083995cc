import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectNats } from '@lib/messaging/nats-transport';
import type { Delivery, Transport } from '@lib/messaging/transport';
import { freeze } from '../servers/freeze';
import { Arrivals } from './arrivals';
import { ACK_WAIT_MS } from './transport.contract';

const MODULE = join(__dirname, '../../dist/libs/messaging/nats-transport.js');
const QUEUE = { kind: 'synthesis' } as const;
/** Takes one entry, says so, and never ends it. */
const HOLDER = `import(${JSON.stringify(MODULE)}).then(async ({ connectNats }) => {
  const transport = await connectNats(JSON.parse(process.env.NATS_OPTIONS));
  await transport.consume(${JSON.stringify(QUEUE)}, 1, () => { console.log('held'); return new Promise(() => undefined); });
});`;

let transport: Transport;
let holder: ChildProcess;
afterEach(async () => {
  holder.kill('SIGKILL');
  await transport.close();
});

it('work that takes long stays with its process, and comes to another one once that stands still', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const options = { url: process.env.TEST_NATS_URL ?? '', prefix, name: 'test', ackWaitMs: ACK_WAIT_MS };
  transport = await connectNats({ ...options, keepsStream: true });
  holder = spawn(process.execPath, ['-e', HOLDER], { env: { ...process.env, NATS_OPTIONS: JSON.stringify(options) } });
  const said = new Promise((hear) => holder.stdout?.once('data', hear));
  await transport.dispatch({ kind: 'synthesis', jobId: 'job_1', first: true });
  expect(String(await said)).toBe('held\n');
  const taken = new Arrivals<Delivery>();
  await transport.consume(QUEUE, 1, async (delivery) => {
    delivery.ack();
    taken.push(delivery);
  });
  await sleep(ACK_WAIT_MS * 3);
  expect(taken.unseen).toEqual([]);
  await freeze(holder.pid as number);
  expect(await taken.next()).toMatchObject({ work: { jobId: 'job_1' }, deliveries: 2 });
});
