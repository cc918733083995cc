import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThread } from '../../src/synthesizer/run-in-thread';

const LIMITS = { heapMb: 64, timeMs: 30_000 };

describe('a module run in a thread of its own', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'thread-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function moduleOf(code: string): string {
    const file = join(folder, `${String(Math.random()).slice(2)}.cjs`);
    writeFileSync(file, `const { parentPort, workerData } = require('node:worker_threads');\n${code}`);
    return file;
  }

  it('gives what it posts for its input', async () => {
    const twice = moduleOf('parentPort.postMessage({ twice: workerData.number * 2 });');
    expect(await runInThread(twice, { number: 21 }, LIMITS)).toEqual({ twice: 42 });
  });

  it('leaves the event loop free', async () => {
    const slow = moduleOf('const end = Date.now() + 300; while (Date.now() < end); parentPort.postMessage(1);');
    const running = runInThread(slow, null, LIMITS);
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    await running;
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  });

  it.each([
    ['throws', `throw new Error('no such report');`, 'no such report'],
    ['ends', 'process.exit(7);', 'the thread ended with code 7 and without a result'],
    ['has nothing to say', '', 'the thread ended with code 0 and without a result'],
    ['takes all memory', 'const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length));', 'memory limit'],
    ['cannot be found', null, 'Cannot find module'],
  ])('fails alone if it %s', async (_, code, message) => {
    const file = code === null ? join(folder, 'missing.cjs') : moduleOf(code);
    await expect(runInThread(file, null, LIMITS)).rejects.toThrow(message);
  });

  it('is ended when its time is up', async () => {
    const endless = moduleOf('for (;;);');
    await expect(runInThread(endless, null, { ...LIMITS, timeMs: 50 })).rejects.toThrow('did not finish within 50 ms and was ended');
  });
});
