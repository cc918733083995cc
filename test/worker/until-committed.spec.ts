import timers from 'node:timers/promises';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { leaseTimes, REPORT_AGAIN_MS } from '@lib/settings/lease-times';
import { createSagaClient } from '../../src/worker/saga-client';
import { untilCommitted } from '../../src/worker/until-committed';

const TIMES = leaseTimes({ LEASE_MS: 30_000, HEARTBEAT_MS: 10_000 });
/** Turns of the event loop between two timers. */
const MEANWHILE_MS = 100;

beforeEach(() => {
  jest.useFakeTimers();
  // Those of the module pass by the clock of the machine.
  jest.spyOn(timers, 'setTimeout').mockImplementation((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it.each<[string, (signal: AbortSignal) => Promise<never>]>([
  ['answers nothing', (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))],
  ['refuses at once for now', () => Promise.reject(new Error('unavailable'))],
])('a report that the saga %s is sent again in time for a deadline that waits for it', async (_, answer) => {
  const transport = createMemoryTransport();
  const test = new AbortController();
  const sentAt: number[] = [];
  transport.request = (_subject, _payload, timeoutMs) => {
    sentAt.push(performance.now());
    const late = AbortSignal.any([test.signal, timeoutIn(timeoutMs)]);
    return answer(late);
  };
  const saga = createSagaClient(transport, TIMES);
  const report = { jobId: 'job_1', stepId: 'stp_1', attempt: 1, result: { outcome: 'failed', errorMessage: 'Broken.' } } as never;
  const ended = untilCommitted(
    () => saga.report(report),
    test.signal,
    () => undefined,
  ).catch(() => 'left');
  await jest.advanceTimersByTimeAsync(180_000);
  const gaps = sentAt.slice(1).map((at, place) => at - (sentAt[place] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(REPORT_AGAIN_MS + MEANWHILE_MS);
  expect(gaps.length).toBeGreaterThan(30);
  expect(gaps.length).toBeLessThan(50);
  // A worker of the release before may take ten seconds longer.
  expect(Math.max(...gaps) + 10_000 + TIMES.brokerSilenceMs / 3).toBeLessThan(TIMES.reportsMs);
  test.abort();
  await jest.advanceTimersByTimeAsync(20_000);
  expect(await ended).toBe('left');
  await transport.close();
});

function timeoutIn(milliseconds: number): AbortSignal {
  const timeout = new AbortController();
  setTimeout(() => timeout.abort(), milliseconds);
  return timeout.signal;
}
