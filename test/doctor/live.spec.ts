import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { parse, stringify } from 'yaml';

import { PROVIDERS } from '@lib/domain/vocabulary';

import { EmulatedProviders, KEY } from '../providers/system/emulated-providers';
import { ExaminedFolder } from './examined-folder';

const WRONG = 'sk-wrong-9876543210fedcba';

let examined: ExaminedFolder;
let providers: EmulatedProviders;
const servers: Server[] = [];
beforeEach(async () => {
  examined = new ExaminedFolder();
  providers = await EmulatedProviders.start();
});
afterEach(async () => {
  examined.remove();
  await providers.stop();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** The emulated providers with another server in place of provider-c. */
async function withServer(listener: RequestListener): Promise<Record<string, string>> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const file = parse(readFileSync(providers.file, 'utf8')) as { providers: Record<string, { options: object }> };
  Object.assign(file.providers['provider-c']?.options ?? {}, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
  const changed = join(examined.path, 'providers.yaml');
  writeFileSync(changed, stringify(file));
  return { ...providers.environment, PROVIDERS_FILE: changed };
}

it('every API is asked, for nothing that costs', async () => {
  const { the, text } = await examined.examine(providers.environment, { live: true });
  for (const provider of PROVIDERS) {
    expect(the(`${provider} live`)).toMatchObject({ status: 'ok', detail: expect.stringMatching(/: the key works \(\d+ ms\)$/) });
    expect(providers.calls(provider, 'submit')).toEqual([]);
    expect(providers.the(provider).chargedMicros).toBe(0);
  }
  expect(the('clock')?.detail).toMatch(/provider-/);
  expect(text).not.toContain(KEY);
});

it('no API is asked without being told to', async () => {
  await examined.examine(providers.environment);
  for (const provider of PROVIDERS) expect(providers.the(provider).requests).toEqual([]);
});

it('a wrong key is a problem of its provider, with the variable to look at', async () => {
  const { the, text } = await examined.examine(
    { ...providers.environment, PERPLEXITY_API_KEY: WRONG, ANTHROPIC_API_KEY: WRONG },
    { live: true },
  );
  const refused = (variable: string) => ({
    status: 'problem',
    detail: expect.stringMatching(/answered 401/),
    remedy: expect.stringContaining(`Set ${variable}`),
  });
  expect(the('provider-a live')).toMatchObject(refused('PERPLEXITY_API_KEY'));
  expect(the('provider-e live')).toMatchObject(refused('ANTHROPIC_API_KEY'));
  expect(the('provider-c live')?.status).toBe('ok');
  expect(text).not.toContain(WRONG);
});

it('a model that is no longer offered is a problem that names it', async () => {
  const environment = await withServer((_, response) => response.writeHead(404).end('{"error":{"message":"no such model"}}'));
  const { the } = await examined.examine(environment, { live: true });
  expect(the('provider-c live')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('gpt-5.5') });
});

it.each<[string, RequestListener, string]>([
  ['repeats the key in its refusal', ({ headers }, response) => response.writeHead(401).end(JSON.stringify({ error: headers })), 'problem'],
  ['breaks the connection', ({ socket }) => socket.destroy(), 'problem'],
  ['sends the client elsewhere', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'problem'],
  ['is overloaded', (_, response) => response.writeHead(529).end('{{{'), 'warning'],
  ['asks for patience', (_, response) => response.writeHead(429, { 'retry-after': '9' }).end(), 'warning'],
  ['never ends its answer', (_, response) => void response.writeHead(200).write('{'), 'ok'],
])('an API that %s is told as such, and never with the key', async (_, listener, status) => {
  const { the, text } = await examined.examine(await withServer(listener), { live: true });
  expect(the('provider-c live')?.status).toBe(status);
  expect(the('provider-d live')?.status).toBe('ok');
  expect(text).not.toContain(KEY);
});

it('an API whose clock is far from ours is a warning', async () => {
  const date = new Date(Date.now() - 3_600_000).toUTCString();
  const { the } = await examined.examine(await withServer((_, response) => response.writeHead(200, { date }).end('{}')), { live: true });
  expect(the('clock')).toMatchObject({ status: 'warning', detail: expect.stringMatching(/provider-c −3\d\d\d\.\d s/) });
});
