import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newId } from '@lib/store/new-id';
import type { WebhookEvent } from '@lib/store/webhooks/deliveries';
import { Sender } from '../../src/webhooks/sender';
import { eventually } from '../messaging/eventually';
import { stablePort } from '../support/stable-port';

const ROOT = join(__dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const programIn = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
const hasPython = spawnSync('python3', ['--version']).status === 0;

const secretText = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = secretText();

let receiver: ChildProcess;
afterEach(async () => {
  receiver.kill('SIGKILL');
  if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
});

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

async function expectToVerify(command: string, parameters: string[]): Promise<void> {
  const port = await stablePort();
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) };
  receiver = spawn(command, parameters, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  createInterface(receiver.stdout as NodeJS.ReadableStream).on('line', (line) => lines.push(line));
  await eventually(true, () => listens(port), 30_000);
  const event: WebhookEvent & { attemptedAt: Date } = {
    eventId: newId('evt'),
    type: 'job.completed',
    threadId: newId('thr'),
    jobId: newId('job'),
    occurredAt: new Date(),
    attemptedAt: new Date(),
  };
  const sender = new Sender({ rules: { loopback: true }, timeoutMs: 10_000 });
  const send = async (...secrets: string[]) => {
    const live = secrets.map((text, place) => ({ number: place + 1, text, expiresAt: null }));
    const webhook = { url: `http://127.0.0.1:${port}/`, description: '', secrets: live };
    return (await sender.send(webhook, event, new AbortController().signal)).responseStatus;
  };
  expect(await send(secret)).toBe(204);
  expect(await send(secretText(), secret)).toBe(204);
  expect(await send(secretText())).toBe(400);
  const heard = `${event.eventId} job.completed ${event.jobId}`;
  await eventually(2, async () => lines.length);
  expect(lines).toEqual([heard, heard]);
}

it('the receiver in TypeScript verifies what is sent', () =>
  expectToVerify(process.execPath, ['--input-type=module-typescript', '--no-warnings', '--eval', programIn('ts')]));

(hasPython ? it : it.skip)('the receiver in Python, with its standard library alone, verifies what is sent', () =>
  expectToVerify('python3', ['-c', programIn('python')]),
);
