import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { holdings } from '@lib/memory/holdings';
import { eventually } from '../messaging/eventually';
import { startSystem, type System } from './support/system';

/** As long as a report may be; eight of them are more than a system's own buffers take of an answer. */
const REPORT_BYTES = 900_000;

let system: System;
let path: string;
let bytes: number;
beforeAll(async () => {
  system = await startSystem({ providers: Object.fromEntries(PROVIDERS.map((provider) => [provider, { reportBytes: REPORT_BYTES }])) });
  const { id } = await system.client.research({ message: 'How?', budget: 'XL' });
  path = `/v1/jobs/${id}?include_provider_reports=true`;
  bytes = Buffer.byteLength((await system.client.send('GET', path)).text);
});
afterAll(() => system.stop());

/** An answer of which nothing is read until somebody does. */
async function open(): Promise<IncomingMessage> {
  const headers = { ...system.client.headers(), 'accept-encoding': 'identity' };
  const [answer] = (await once(get(system.client.address + path, { headers, agent: false }), 'response')) as [IncomingMessage];
  return answer;
}

async function lengthOf(answer: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const piece of answer) length += (piece as Buffer).length;
  return length;
}

const held = () => holdings().find(({ name }) => name === 'answers');

it('answers that nobody reads take a bounded room, which the slowest give up', async () => {
  const fitting = Math.floor((64 * 1024 * 1024) / bytes);
  const slow: IncomingMessage[] = [];
  for (let place = 0; place < fitting; place += 1) slow.push(await open());
  await eventually(fitting, async () => held()?.items ?? 0);
  const refused = await open();
  expect([refused.statusCode, refused.headers['retry-after'], refused.headers.etag]).toEqual([503, '1', undefined]);
  expect(JSON.parse(String((await refused.toArray())[0]))).toMatchObject({ code: 'unavailable' });
  expect(held()?.bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  // What is short has room, and so have others.
  for (const others of ['/v1/me', '/openapi.json']) expect((await system.client.send('GET', others)).status).toBe(200);
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 11_000);
  const next = await open();
  now.mockRestore();
  expect(next.statusCode).toBe(200);
  const [ended, ...others] = slow as [IncomingMessage, ...IncomingMessage[]];
  await expect(lengthOf(ended)).rejects.toThrow('aborted');
  expect(await Promise.all([next, ...others].map(lengthOf))).toEqual(Array.from({ length: fitting }, () => bytes));
  await eventually(0, async () => held()?.items ?? 0);
  expect(held()?.bytes).toBe(0);
});
