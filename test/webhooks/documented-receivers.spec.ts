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

/** The status line that a request gets, byte by byte as written; empty if the connection ends without one. */
const answerTo = (port: number, headers: readonly string[], body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(Buffer.from(['POST / HTTP/1.1', 'Host: localhost', ...headers, '', body].join('\r\n'), 'latin1'));
    });
    socket.setEncoding('latin1').setTimeout(10_000, () => socket.destroy());
    socket.on('data', (data: string) => (answer += data)).on('error', reject);
    socket.on('close', () => resolve(answer.split('\r\n', 1)[0] ?? ''));
  });

/** What somebody without the secret may send: each is refused, and none breaks or holds the receiver. */
function hostileRequests(): [string, string[]][] {
  const now = String(Math.floor(Date.now() / 1000));
  const headers = (given: Record<string, string>) =>
    Object.entries({
      ...{ 'Content-Length': '2', Connection: 'close', 'webhook-id': 'evt_1' },
      ...{ 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA', ...given },
    }).map(([name, value]) => `${name}: ${value}`);
  return [
    ['a signature beyond ASCII', headers({ 'webhook-signature': 'v1,\u00e9' })],
    ['a signature without a value', headers({ 'webhook-signature': 'v1' })],
    ['a time in a superscript digit', headers({ 'webhook-timestamp': '\u00b2' })],
    ['a time of more digits than a number has', headers({ 'webhook-timestamp': '9'.repeat(5_000) })],
    ['an id beyond ASCII', headers({ 'webhook-id': '\u00e9' })],
    ['a length below zero', headers({ 'Content-Length': '-1' })],
    ['a length in a superscript digit', headers({ 'Content-Length': '\u00b2' })],
    ['a length beyond any call', headers({ 'Content-Length': '1000000000' })],
    ['no length', headers({}).filter((header) => !header.startsWith('Content-Length'))],
  ];
}

/** Ends the connection in the middle of the body. */
const breakOff = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    });
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume();
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
  for (const [what, headers] of hostileRequests())
    expect(`${what}: ${await answerTo(port, headers, '{}')}`).toMatch(new RegExp(`^${what}: HTTP/1\\.[01] 400 `));
  await breakOff(port);
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
