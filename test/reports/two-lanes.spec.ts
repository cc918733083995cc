import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PoolLane } from '../../src/reports/pool-lane';
import { TwoLanes } from '../../src/reports/two-lanes';

/** Longer than a thread takes to start. */
const QUICK_MS = 2_000;
const MODULE = `
const { threadId } = require('node:worker_threads');
module.exports = (calls) => calls.map(({ task, given: [milliseconds] }) => {
  if (task === 'fail') return { error: new Error('no such report') };
  for (const until = performance.now() + milliseconds; performance.now() < until;);
  return { value: threadId };
});
`;

let folder: string;
let quickLane: PoolLane;
let slowLane: PoolLane;
let lanes: TwoLanes;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'two-lanes-'));
  writeFileSync(join(folder, 'taking-time.cjs'), MODULE);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  const open = (timeMs: number) =>
    new PoolLane(
      () => join(folder, 'taking-time.cjs'),
      { heapMb: 64, youngMb: 16, timeMs, idleMs: 60_000 },
      { maxItems: 10 },
      () => undefined,
    );
  quickLane = open(QUICK_MS);
  slowLane = open(60_000);
  lanes = new TwoLanes(quickLane, slowLane);
});
afterEach(() => Promise.all([quickLane.close(), slowLane.close()]));

/** Reports that take a thread so long. */
const reading = (milliseconds: number, task = 'read') => ({ task, given: [milliseconds] });
/** The thread that answered, or why none did. */
async function tell(milliseconds: number, isQuick = true, task?: string): Promise<unknown> {
  const answer = await lanes.answer(reading(milliseconds, task), isQuick);
  return 'error' in answer ? (answer.error as Error).message : answer.value;
}

it('what is expected to be quick does not wait for what is not', async () => {
  const [slow, quick] = [await tell(0, false), await tell(0)];
  expect(quick).not.toBe(slow);
  expect([await tell(0, false), await tell(0)]).toEqual([slow, quick]);
});

it('what turns out to be slow is answered all the same, and goes to its lane at once the next time', async () => {
  const slow = await tell(0, false);
  expect(await tell(QUICK_MS + 500)).toBe(slow);
  const quick = await tell(1);
  expect(await tell(QUICK_MS + 500, true, 'another task')).toBe(slow);
  // Its thread was not ended a second time.
  expect(await tell(1)).toBe(quick);
});

it('what fails for another reason is not tried in the other lane', async () => {
  const quick = await tell(0);
  expect(await tell(0, true, 'fail')).toBe('no such report');
  expect(await tell(0)).toBe(quick);
});
