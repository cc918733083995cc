import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { LIMITS_TAKEN_SUBJECT, WIRE_VERSION } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { SharedBuckets } from '../../src/access/shared-buckets';

/** What somebody says on the broker who may publish what processes tell each other of limits, and is none of them. */
const RATE = { perSecond: 10, burst: 40 };
const [TENANT, FILLS_MS] = ['acme', 4_000];

let transport: Transport;
let buckets: SharedBuckets;
let now: number;
beforeEach(async () => {
  transport = createMemoryTransport();
  now = 1_000_000;
  buckets = new SharedBuckets(transport, () => now);
  await buckets.listen();
});
afterEach(async () => {
  await buckets.stop();
  await transport.close();
});

const left = () => buckets.take([{ bucket: TENANT, rate: RATE }])[0];
async function say(taken: unknown, other: object = {}): Promise<void> {
  const heard = new Promise<void>((hear) => void transport.subscribe(LIMITS_TAKEN_SUBJECT, () => hear()));
  transport.publish(LIMITS_TAKEN_SUBJECT, { v: WIRE_VERSION, from: 'somebody', taken, ...other });
  await heard;
}

it('what another process gave out is taken from the own bucket', async () => {
  await say([[TENANT, 30, RATE.perSecond, RATE.burst]]);
  expect(left()).toMatchObject({ isTaken: true, tokens: 9 });
});

it.each([
  ['all that there may be', [TENANT, 1_000_000, RATE.perSecond, RATE.burst]],
  ['more than will ever flow', [TENANT, 1_000_000, 1e-300, 1_000_000]],
  ['as much as the slowest limit allows', [TENANT, 1_000_000, 1 / 60, 1_000_000]],
])('who says that somebody took %s empties a bucket for ten times the time in which it fills, and no longer', async (_, taken) => {
  await say([taken]);
  expect(left()).toMatchObject({ isTaken: false, tokens: 0 });
  now += 10 * FILLS_MS;
  expect(left()).toMatchObject({ isTaken: true, tokens: RATE.burst - 1 });
});

it.each([
  ['nothing', null],
  ['a number', 7],
  ['what is no list', {}],
  ['entries that are none', [null, 'x', [], [TENANT], { bucket: TENANT }]],
  ['fewer than none', [[TENANT, -5, 10, 40]]],
  ['what is no number', [[TENANT, 'NaN', 10, 40]]],
  ['no rate', [[TENANT, 5, 0, 40]]],
  ['more than a process can give', [[TENANT, 1e300, 10, 40]]],
  ['a name without end', [[TENANT.repeat(100), 5, 10, 40]]],
])('%s changes nothing', async (_, taken) => {
  await say(taken);
  await say([[TENANT, 5, 10, 40]], { v: 'x' });
  await say([[TENANT, 5, 10, 40]], { from: 7 });
  expect(left()).toMatchObject({ isTaken: true, tokens: RATE.burst - 1 });
});
