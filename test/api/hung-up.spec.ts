import { once } from 'node:events';
import { request } from 'node:http';

import { holdings } from '@lib/memory/holdings';
import { eventually } from '../messaging/eventually';
import { startApi, type TestApi } from './support/api';

/** Clients that hang up before they have their answer, at moments that this file chooses. */
let api: TestApi;
let address: URL;
/** Ends the look-ups of keys that wait. */
let lookedUp = Promise.withResolvers<void>();

beforeEach(async () => {
  lookedUp = Promise.withResolvers();
  api = await startApi({ beforeLookUp: () => lookedUp.promise });
  await api.app.listen(0, '127.0.0.1');
  address = new URL('/v1/threads', await api.app.getUrl());
});
afterEach(async () => {
  lookedUp.resolve();
  await api.app.close();
});

const holding = () => holdings().find(({ name }) => name === 'request bodies')?.items ?? 0;
const lines = () => api.logged.map((line) => JSON.parse(line) as { msg: string; status?: number; method?: string });
const answered = () => lines().filter(({ msg }) => msg === 'request');

/** Sends a request whose client hangs up while its key is looked up. */
async function hangUp(): Promise<void> {
  const body = JSON.stringify({ message: 'q' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${api.key}`, 'content-length': body.length };
  const arrived = once(api.app.getHttpServer() as NodeJS.EventEmitter, 'request');
  const sending = request(address, { method: 'POST', headers });
  sending.on('error', () => undefined).end(body);
  const [{ socket }] = (await arrived) as [{ socket: NodeJS.EventEmitter }];
  const closed = once(socket, 'close');
  sending.destroy();
  await closed;
}

it('keep no room for their bodies if they hang up while their key is looked up', async () => {
  await hangUp();
  lookedUp.resolve();
  expect((await fetch(address, { headers: { authorization: `Bearer ${api.key}` } })).status).toBe(200);
  expect(holding()).toBe(0);
});

it('leave one line in the log', async () => {
  await hangUp();
  await eventually(1, async () => answered().length);
  expect(answered()).toMatchObject([{ method: 'POST', status: 499 }]);
  lookedUp.resolve();
  expect((await fetch(address, { headers: { authorization: `Bearer ${api.key}` } })).status).toBe(200);
  expect(answered()).toMatchObject([{ status: 499 }, { method: 'GET', status: 200 }]);
});
