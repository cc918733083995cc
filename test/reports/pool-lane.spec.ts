import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PoolLane, type PoolLimits } from '../../src/reports/pool-lane';

const LIMITS: PoolLimits = { heapMb: 64, youngMb: 16, timeMs: 30_000, idleMs: 60_000 };
const GONE_WITHIN_MS = 20_000;

/** Obeys its tasks, and answers with its id. */
const OBEYING = `
const { threadId } = require('node:worker_threads');
const orders = {
  throw: () => { throw new Error('no such report'); },
  exit: () => process.exit(7),
  fill: () => { const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length)); },
  hang: () => { for (;;); },
  who: () => threadId,
};
const answer = ({ task }) => {
  try {
    return { value: orders[task] ? orders[task]() : task };
  } catch (error) {
    return { error };
  }
};
module.exports = (calls) => calls.map(answer);
`;

let folder: string;
let opened: PoolLane[];
const failures: unknown[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pool-lane-'));
  writeFileSync(join(folder, 'obeying.cjs'), OBEYING);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => void (opened = []));
afterEach(() => Promise.all(opened.map((lane) => lane.close())));

function openLane(limits: Partial<PoolLimits> = {}): PoolLane {
  const lane = new PoolLane(
    () => join(folder, 'obeying.cjs'),
    { ...LIMITS, ...limits },
    { maxItems: 10 },
    (error) => void failures.push(error),
  );
  opened.push(lane);
  return lane;
}

/** What the thread said, or why it did not. */
async function tell(lane: PoolLane, task: string): Promise<unknown> {
  const answer = await lane.answer({ task, given: [] });
  return 'error' in answer ? (answer.error as Error).message : answer.value;
}

describe.each([
  ['throws', 'throw', 'no such report'],
  ['ends its thread', 'exit', 'worker exited with code: 7'],
  ['takes all memory', 'fill', 'Worker terminated due to reaching memory limit'],
])('a call that %s', (_, order, message) => {
  it('fails alone, also among others of one message, and the next one gets a thread', async () => {
    const lane = openLane();
    const told = await Promise.all(['one', order, 'two', 'three'].map((task) => tell(lane, task)));
    expect(told).toEqual(['one', expect.stringContaining(message), 'two', 'three']);
    expect(await tell(lane, 'four')).toBe('four');
  });
});

describe('a call without an end', () => {
  it('is ended when its time is up, and the next one gets a thread', async () => {
    const lane = openLane({ timeMs: 2_000 });
    expect(await tell(lane, 'hang')).toBe('the thread did not finish within 2000 ms and was ended');
    expect(await tell(lane, 'one')).toBe('one');
  });

  it('fails when the lane is closed, as does what waits for it and what comes later', async () => {
    const lane = openLane();
    await tell(lane, 'one');
    const hanging = tell(lane, 'hang');
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = tell(lane, 'two');
    await lane.close();
    const closed = 'the threads for reports are closed';
    expect([await hanging, await waiting, await tell(lane, 'three')]).toEqual(['Terminating worker thread', closed, closed]);
  });
});

it('a thread that nobody needs is ended, and the next call gets a new one', async () => {
  const lane = openLane({ idleMs: 1 });
  const first = await tell(lane, 'who');
  const deadline = performance.now() + GONE_WITHIN_MS;
  while (threadsAlive().includes(first)) {
    if (performance.now() > deadline) throw new Error(`a thread lives on after ${String(GONE_WITHIN_MS)} ms`);
    await new Promise((wake) => setTimeout(wake, 10));
  }
  expect(await tell(lane, 'who')).not.toBe(first);
});

it('a thread is kept for the next call', async () => {
  const lane = openLane();
  expect(await tell(lane, 'who')).toBe(await tell(lane, 'who'));
});

/** Their ids. Specs that ran before in this process may have left threads of their own. */
const threadsAlive = (): unknown[] =>
  (process.report.getReport() as { workers: { header: { threadId: number } }[] }).workers.map(({ header }) => header.threadId);
