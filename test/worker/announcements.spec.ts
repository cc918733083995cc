import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { readAnnouncement, workerLimitsSubject } from '@lib/messaging/worker-limits';
import { announceLimits } from '../../src/worker/announcements';
import { PROCESS } from '../support/store';

const EVERY_MS = 5_000;
const LIMITS = { slots: 3, requestsPerMinute: null };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A worker that announces itself, and what was heard of it: what it takes, and how much it holds while it drains. */
async function announced() {
  const transport = createMemoryTransport();
  const heard: [slots: number | undefined, drainsWith: number | null | undefined][] = [];
  await transport.subscribe(workerLimitsSubject('provider-a'), (payload) => {
    const told = readAnnouncement(payload);
    heard.push([told?.limits.get('provider-a')?.slots, told?.drainsWith]);
  });
  const announcements = announceLimits(transport, PROCESS, new Map([['provider-a', LIMITS]]));
  return { announcements, heard, pass: (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds) };
}

it('a worker says at once and then every five seconds what it takes, until it stops, which it says once', async () => {
  const { announcements, heard, pass } = await announced();
  await pass(2 * EVERY_MS);
  expect(heard).toEqual(Array(3).fill([3, null]));
  announcements.stop();
  announcements.stop();
  await pass(3 * EVERY_MS);
  expect(heard.slice(3)).toEqual([[undefined, null]]);
  expect(jest.getTimerCount()).toBe(0);
});

it('a worker that drains says how much it still holds each time, and no longer once it has stopped', async () => {
  const { announcements, heard, pass } = await announced();
  let held = 2;
  announcements.drain(() => held);
  await pass(0);
  held = 0;
  await pass(EVERY_MS);
  announcements.stop();
  await pass(0);
  expect(heard).toEqual([
    [3, null],
    [undefined, 2],
    [undefined, 0],
    [undefined, null],
  ]);
});
