import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const SENDER = resolve(__dirname, '../../dist/src/webhooks/sender.js');

/** Opens files until none is left, and then sends. */
const SENDS = `
  const { Sender } = require(process.argv[1]);
  const sender = new Sender({ rules: { loopback: true }, timeoutMs: 20_000 });
  try { for (;;) require('node:fs').openSync('/dev/null'); } catch {}
  const event = { eventId: 'evt_1', type: 'webhook.test', threadId: null, jobId: null, occurredAt: new Date(), attemptedAt: new Date() };
  sender.send({ url: process.argv[2], secrets: [] }, event, new AbortController().signal)
    .then((sent) => console.log(JSON.stringify(sent)));`;

it.each(['http://127.0.0.1:1', 'https://hook.example.com/'])(
  'a process that can open no connection to %s has not called it, and says what it lacks',
  async (url) => {
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'ulimit -n 60 && exec "$0" "$@"',
      process.execPath,
      '-e',
      SENDS,
      SENDER,
      url,
    ]);
    expect(JSON.parse(stdout)).toEqual({ responseStatus: null, error: 'not_called', lack: expect.stringContaining('ulimit -n') });
  },
);
