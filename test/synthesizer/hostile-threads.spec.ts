import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { ReportThreads, type ThreadLimits } from '../../src/synthesizer/report-threads';

const LIMITS: ThreadLimits = { heapMb: 64, timeMs: 30_000, calls: 8, idleMs: 60_000 };
const GONE_WITHIN_MS = 20_000;

/** Does what the question says, and answers with the question and the thread's id. */
const OBEYING = `
const { threadId } = require('node:worker_threads');
const orders = {
  throw: () => { throw new Error('no such report'); },
  exit: () => process.exit(7),
  fill: () => { const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length)); },
  hang: () => { for (;;); },
};
const answer = ({ given: [{ query }] }) => {
  try {
    return { value: orders[query]?.() ?? { synthesizer: String(threadId), markdown: query } };
  } catch (error) {
    return { error };
  }
};
module.exports = (calls) => calls.map(answer);
`;

let folder: string;
let opened: ReportThreads[];
const logged: Record<string, unknown>[] = [];
const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'threads-'));
  writeFileSync(join(folder, 'obeying.cjs'), OBEYING);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => void (opened = []));
afterEach(() => Promise.all(opened.map((threads) => threads.close())));

function openThreads(limits: Partial<ThreadLimits> = {}, module = 'obeying.cjs'): ReportThreads {
  const threads = new ReportThreads(logger, { ...LIMITS, ...limits }, () => join(folder, module));
  opened.push(threads);
  return threads;
}

/** How it went, in a word: what the thread said, or why it did not. */
async function tell(threads: ReportThreads, query: string, size = 0): Promise<string> {
  const reportMarkdown = 'x'.repeat(size);
  const input = { query, steps: [{ reportMarkdown, citations: [] }] } as unknown as SynthesisInput;
  try {
    return (await threads.run('synthesize', input)).markdown;
  } catch (error) {
    return (error as Error).message;
  }
}

const threadOf = async (threads: ReportThreads): Promise<string> =>
  (await threads.run('synthesize', { query: 'who', steps: [] } as unknown as SynthesisInput)).synthesizer;

describe.each([
  ['throws', 'throw', 'no such report'],
  ['ends its thread', 'exit', 'worker exited with code: 7'],
  ['takes all memory', 'fill', 'Worker terminated due to reaching memory limit'],
])('a report that %s', (_, order, message) => {
  it('fails alone, also among others of one message, and the next one gets a thread', async () => {
    const threads = openThreads();
    const told = await Promise.all(['one', order, 'two', 'three'].map((query) => tell(threads, query)));
    expect(told).toEqual(['one', expect.stringContaining(message), 'two', 'three']);
    expect(await tell(threads, 'four')).toBe('four');
  });
});

describe('a report without an end', () => {
  it('is ended when its time is up, and the next one gets a thread', async () => {
    const threads = openThreads({ timeMs: 2_000 });
    expect(await tell(threads, 'hang')).toBe('the thread did not finish within 2000 ms and was ended');
    expect(await tell(threads, 'one')).toBe('one');
  });

  it('does not hold up small ones if it is large', async () => {
    const threads = openThreads();
    let ended = false;
    const hanging = tell(threads, 'hang', 1_000_000).finally(() => (ended = true));
    expect(await tell(threads, 'one')).toBe('one');
    expect(ended).toBe(false);
    await threads.close();
    await hanging;
  });

  it('fails when the threads are closed, as does what is asked of them later', async () => {
    const threads = openThreads();
    const hanging = tell(threads, 'hang');
    // By now the thread of the small ones has its call.
    await tell(threads, 'one', 1_000_000);
    await threads.close();
    expect([await hanging, await tell(threads, 'two')]).toEqual([
      expect.stringContaining('Terminating worker thread'),
      'the threads for reports are closed',
    ]);
  });
});

it('what does not fit into the queue is refused, and nothing that fitted is lost', async () => {
  const threads = openThreads({ calls: 3 });
  const told = await Promise.all(['one', 'two', 'three', 'four'].map((query) => tell(threads, query)));
  expect(told).toEqual(['one', 'two', 'three', '3 calls wait for the threads of the reports; no more are taken']);
  expect(await tell(threads, 'five')).toBe('five');
});

it('a thread that nobody needs is ended, and the next call gets a new one', async () => {
  const threads = openThreads({ idleMs: 1 });
  const first = await threadOf(threads);
  for (const deadline = performance.now() + GONE_WITHIN_MS; threadsAlive() > 0; await new Promise((wake) => setTimeout(wake, 10)))
    if (performance.now() > deadline) throw new Error(`a thread lives on after ${String(GONE_WITHIN_MS)} ms`);
  expect(await threadOf(threads)).not.toBe(first);
});

it('a thread is kept for the next call', async () => {
  const threads = openThreads();
  expect(await threadOf(threads)).toBe(await threadOf(threads));
});

const threadsAlive = (): number => (process.report.getReport() as { workers: unknown[] }).workers.length;
