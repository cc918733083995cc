import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';

const DIST = resolve(__dirname, '../../dist');

/** Logs 64 MB, says what it holds, and waits to be told to go on. */
const TALKER = `
  const { createLogger } = require('${DIST}/src/api/logging.js');
  const { holdings } = require('${DIST}/libs/memory/holdings.js');
  const logger = createLogger('info');
  const line = 'x'.repeat(1024);
  let written = 0;
  const talk = () => {
    for (let n = 0; n < 1024; n += 1) logger.info({ number: written++ }, line);
    if (written < 65536) return setImmediate(talk);
    process.send(holdings().find(({ name }) => name === 'log lines'));
  };
  talk();
  process.on('message', () => logger.flush(() => {
    logger.info('goes on');
    logger.flush(() => process.exit(0));
  }));`;

it('a process whose log nobody reads holds no more of it than 16 MB, and goes on writing whole lines once somebody does', async () => {
  const child = spawn(process.execPath, ['-e', TALKER], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [held] = (await once(child, 'message')) as [{ bytes: number; maxBytes: number }];
  expect(held.maxBytes).toBe(16 * 1024 * 1024);
  expect(held.bytes).toBeGreaterThan(0.9 * held.maxBytes);
  expect(held.bytes).toBeLessThanOrEqual(held.maxBytes);
  child.send('read');
  let text = '';
  for await (const piece of child.stdout as Readable) text += String(piece);
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(10_000);
  expect(lines.length).toBeLessThan(20_000);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'goes on' });
});
