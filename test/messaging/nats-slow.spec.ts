import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectNats } from '@lib/messaging/nats-transport';
import type { Delivery, Transport } from '@lib/messaging/transport';
import { Connections } from '../chaos/connections';
import { Arrivals } from './arrivals';

const QUEUE = { kind: 'step', provider: 'provider-a' } as const;
/** Each message of a round trip comes so much later. */
const LATE_MS = 1_200;
/** Longer than the server's word that nothing came takes, after a round of pulls. */
const ROUND_MS = 9_000;

jest.setTimeout(30_000);

let wire: Connections;
let slow: Transport;
let fast: Transport;
afterEach(async () => {
  wire.calm();
  await Promise.all([slow.close(), fast.close()]);
  await wire.close();
});

it('a slow connection is not taken for one that has lost its pulls, so that an entry comes once and at once', async () => {
  const { port } = new URL(process.env.TEST_NATS_URL ?? '');
  wire = await Connections.start(Number(port), { isNats: true });
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const warned: unknown[] = [];
  const logger = { warn: (fields: object) => warned.push('code' in fields ? fields.code : undefined) };
  fast = await connectNats({ url: process.env.TEST_NATS_URL ?? '', prefix, name: 'fast', keepsStream: true });
  slow = await connectNats({ url: `nats://127.0.0.1:${wire.port}`, prefix, name: 'slow', logger });
  wire.weather.lateMs = { there: LATE_MS, back: LATE_MS };
  const taken = new Arrivals<Delivery>();
  await slow.consume(QUEUE, 1, async (delivery) => {
    delivery.ack();
    taken.push(delivery);
  });
  await sleep(ROUND_MS);
  expect(wire.toll.delayed).toBeGreaterThan(0);
  expect(warned).not.toContain('pull_lost');
  const dispatchedAt = performance.now();
  await fast.dispatch({ ...QUEUE, jobId: 'job_1', stepId: 'stp_1', resumes: false });
  expect(await taken.next()).toMatchObject({ work: { jobId: 'job_1' }, deliveries: 1 });
  expect(performance.now() - dispatchedAt).toBeLessThan(4 * LATE_MS);
});
