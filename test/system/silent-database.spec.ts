import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresProxy } from '../support/postgres-proxy';
import { startApiBehindProxy } from './support/api-behind-proxy';
import type { Answer } from './support/http-client';
import type { System } from './support/system';

/** Clients wait no longer. */
const WITHIN_MS = 6_000;
/** Longer than two requests after each other may take: an outage that is served one by one shows. */
const SILENT_MS = 13_000;

jest.setTimeout(90_000);

let system: System;
let proxy: PostgresProxy;
beforeAll(async () => {
  // An api alone: what a saga appends for the jobs of these tests would be delayed in place of a request.
  ({ system, proxy } = await startApiBehindProxy());
});
afterAll(() => system.stop());

interface Timed {
  answer: Answer;
  tookMs: number;
}

async function timed(send: () => Promise<Answer>): Promise<Timed> {
  const began = performance.now();
  return { answer: await send(), tookMs: performance.now() - began };
}

const create = (message: string) => timed(() => system.client.send('POST', '/v1/threads', { message, providers: ['provider-a'] }));
const storedThreads = async (): Promise<number> => {
  const rows = await system.query<{ count: number }>(`select count(*)::int as count from event where type = 'ThreadCreated'`);
  return rows[0]?.count ?? 0;
};

/** Asks for a new thread and hangs up at once. */
async function hangUp(): Promise<void> {
  const { hostname, port } = new URL(system.client.address);
  const body = JSON.stringify({ message: 'Does anybody wait?' });
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const { authorization = '' } = system.client.headers();
  const head = [`POST /v1/threads HTTP/1.1`, `host: ${hostname}`, `authorization: ${authorization}`, 'content-type: application/json'];
  await new Promise((sent) => socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`, sent));
  await sleep(50);
  socket.destroy();
}

describe('while the database says nothing', () => {
  it('every client is told so in time, and nothing of it is begun when the database is heard again', async () => {
    const {
      answer: { body: first },
    } = await create('Before');
    const thread = `/v1/threads/${String(first.id)}`;
    const threads = await storedThreads();
    proxy.freeze();
    const silence = sleep(SILENT_MS);
    const answers: Promise<Timed>[] = [];
    for (let round = 0; round < 6; round += 1) {
      answers.push(...Array.from({ length: 12 }, (_, place) => create(`In round ${round}, number ${place}`)));
      answers.push(
        timed(() => system.client.send('GET', thread)),
        timed(() => system.client.send('DELETE', thread)),
      );
      await hangUp();
      await sleep(1_000);
    }
    const told = await Promise.all(answers);
    await silence;
    proxy.thaw();
    expect(told.map(({ answer }) => answer.status)).toEqual(told.map(() => 503));
    expect(told.every(({ answer }) => answer.body.code === 'unavailable' && Number(answer.headers.get('retry-after')) > 0)).toBe(true);
    expect(Math.max(...told.map(({ tookMs }) => tookMs))).toBeLessThan(WITHIN_MS);

    // Whatever was under way has arrived by then.
    for (let status = 0; status !== 201;) status = (await create('Afterwards')).answer.status;
    await sleep(500);
    expect(await storedThreads()).toBe(threads + 1);
    expect((await system.client.send('GET', thread)).status).toBe(200);
  });
});

describe('a POST that is committed, of which the database’s answer comes too late,', () => {
  async function post(message: string, key?: string) {
    const headers = { ...system.client.headers(), 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) };
    const body = JSON.stringify({ message, providers: ['provider-a'] });
    const response = await fetch(`${system.client.address}/v1/threads`, { method: 'POST', headers, body });
    const { detail } = (await response.json()) as { detail?: string };
    return { status: response.status, detail, replayed: response.headers.get('idempotent-replayed') };
  }

  async function lost(message: string, key?: string) {
    proxy.delayAnswerOf('append_', WITHIN_MS);
    return post(message, key);
  }

  it('is told that it may have been done', async () => {
    const threads = await storedThreads();
    expect(await lost('Without a key')).toMatchObject({ status: 503, detail: expect.stringMatching('may have done') as string });
    expect(await storedThreads()).toBe(threads + 1);
  });

  it('may be repeated under its key as it is', async () => {
    const threads = await storedThreads();
    const told = await lost('With a key', 'lost');
    expect(told).toMatchObject({ status: 503, detail: expect.stringMatching('repeat the request later') as string });
    expect(await storedThreads()).toBe(threads + 1);
    expect(await post('With a key', 'lost')).toMatchObject({ status: 201, replayed: 'true' });
    expect(await storedThreads()).toBe(threads + 1);
  });
});
