import { randomUUID } from 'node:crypto';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Transport } from '@lib/messaging/transport';
import { announcementPayload, readAnnouncement, WORKER_LIMITS_SUBJECT, type WorkerLimits } from '@lib/messaging/worker-limits';
import { Capacity } from '../../src/dispatch/capacity';
import { announceLimits } from '../../src/worker/announcements';

const aProcess = (): { instance: string; build: string } => ({ instance: randomUUID(), build: 'unbuilt' });

let transport: Transport;
let capacity: Capacity;
beforeEach(async () => {
  transport = createMemoryTransport();
  capacity = new Capacity();
  await capacity.listen(transport);
});
afterEach(() => transport.close());

const limits = (slots: number, requestsPerMinute: number | null = null) =>
  new Map([['provider-a', { slots, requestsPerMinute }]] as [['provider-a', WorkerLimits]]);
const told = () => new Promise((resolve) => setImmediate(resolve));

describe('the window of a provider', () => {
  it('is half of the slots of all workers that take it, and at least one', async () => {
    const workers = [announceLimits(transport, aProcess(), limits(1))];
    await told();
    expect(capacity.windowOf('provider-a')).toEqual({ size: 1, paceMs: 0 });
    workers.push(announceLimits(transport, aProcess(), limits(20)));
    await told();
    expect(capacity.windowOf('provider-a')).toEqual({ size: 11, paceMs: 0 });
    workers.forEach((worker) => worker.stop());
    await told();
    expect(capacity.windowOf('provider-a')).toEqual(capacity.windowOf('provider-e'));
  });

  it('keeps the distance of all workers together, and leaves it to the admission', async () => {
    const workers = [announceLimits(transport, aProcess(), limits(20, 60)), announceLimits(transport, aProcess(), limits(20, 60))];
    await told();
    expect(capacity.windowOf('provider-a')).toMatchObject({ paceMs: 500 });
    expect([capacity.writerWindow('provider-a'), capacity.writerWindow('provider-e')]).toEqual([0, 32]);
    workers.push(announceLimits(transport, aProcess(), limits(20)));
    await told();
    expect(capacity.windowOf('provider-a')).toEqual({ size: 30, paceMs: 0 });
    workers.forEach((worker) => worker.stop());
  });

  it('is not moved by announcements that make no sense', async () => {
    const good = announcementPayload({ worker: 'w', limits: limits(4) });
    const hostile = [
      ...[null, 7, 'limits', [], {}, { ...good, v: 2 }, { ...good, worker: '' }, { ...good, worker: 'w'.repeat(101) }],
      ...[
        { ...good, limits: null },
        { ...good, limits: [] },
        { ...good, limits: { 'provider-z': { slots: 4 } } },
      ],
      ...[0, -1, 1.5, 10_001, '4', null, {}].map((slots) => ({ ...good, limits: { 'provider-a': { slots } } })),
    ];
    for (const payload of hostile) transport.publish(WORKER_LIMITS_SUBJECT, payload);
    await told();
    expect(capacity.windowOf('provider-a')).toEqual({ size: 32, paceMs: 0 });
    expect(readAnnouncement(good)?.limits).toEqual(limits(4));
    for (const requestsPerMinute of [0, -3, 'x', 60_001]) {
      const read = readAnnouncement({ ...good, limits: { 'provider-a': { slots: 4, requestsPerMinute } } });
      expect(read?.limits).toEqual(limits(4));
    }
  });

  it('is nothing of a worker that drains, which says what it still holds', async () => {
    const worker = announceLimits(transport, aProcess(), limits(20));
    await told();
    expect(capacity.windowOf('provider-a')).toEqual({ size: 10, paceMs: 0 });
    worker.drain(() => 3);
    await told();
    expect(capacity.windowOf('provider-a')).toEqual({ size: 32, paceMs: 0 });
    worker.stop();
    const draining = announcementPayload({ worker: 'w', limits: new Map(), drainsWith: 3 });
    expect(readAnnouncement(draining)?.drainsWith).toBe(3);
    expect(readAnnouncement({ ...draining, drainsWith: 0 })?.drainsWith).toBe(0);
    for (const drainsWith of [-1, 1.5, 1e9, '3', null, {}, undefined])
      expect(readAnnouncement({ ...draining, drainsWith })?.drainsWith).toBeNull();
    // Whoever takes something does not drain.
    expect(readAnnouncement({ ...announcementPayload({ worker: 'w', limits: limits(4) }), drainsWith: 3 })?.drainsWith).toBeNull();
  });
});
