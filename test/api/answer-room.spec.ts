import { EventEmitter } from 'node:events';
import { holdings } from '@lib/memory/holdings';
import { AnswerRoom } from '../../src/api/answer-room';

const MEGABYTES_40 = 40 * 1024 * 1024;
const room = new AnswerRoom();
const held = () => holdings().find(({ name }) => name === 'answers');

/** Asks for an answer. @returns its status, its beginning, and what ends its connection */
function ask(tenantId: string, payload: Buffer | string, { method = 'GET', destroyed = false } = {}) {
  const raw = Object.assign(new EventEmitter(), { destroyed, destroy: () => raw.emit('close') });
  let sent: unknown;
  let status = 200;
  const reply = {
    raw,
    removeHeader: () => reply,
    header: () => reply,
    type: () => reply,
    code: (code: number) => ((status = code), reply),
  };
  const request = { caller: { tenantId }, id: 'req_1', url: '/v1/jobs', method, headers: {} };
  room.admit(request as never, reply as never, payload, (_, bytes) => (sent = bytes));
  return { status, text: String(sent).slice(0, 1000), close: () => raw.emit('close') };
}

it('holds the same bytes once for all of a tenant who are sent them, until the last has them', () => {
  const bytes = Buffer.alloc(MEGABYTES_40);
  const [one, two] = [ask('ten_a', bytes), ask('ten_a', bytes)];
  expect([one.status, two.status, held()?.bytes]).toEqual([200, 200, MEGABYTES_40]);
  one.close();
  expect(ask('ten_a', Buffer.alloc(MEGABYTES_40)).status).toBe(503);
  // Another tenant pays for its own share.
  const other = ask('ten_b', bytes);
  expect([other.status, held()?.bytes]).toEqual([200, 2 * MEGABYTES_40]);
  two.close();
  expect(held()?.bytes).toBe(MEGABYTES_40);
  const next = ask('ten_a', Buffer.alloc(MEGABYTES_40));
  expect(next.status).toBe(200);
  for (const { close } of [other, next]) close();
  expect(held()).toMatchObject({ items: 0, bytes: 0 });
});

it('takes no room for a client that has hung up already', () => {
  expect(ask('ten_a', Buffer.alloc(MEGABYTES_40), { destroyed: true }).status).toBe(200);
  expect(held()).toMatchObject({ items: 0, bytes: 0 });
});

it('tells no client to repeat at once what would be done twice', () => {
  const full = ask('ten_a', Buffer.alloc(MEGABYTES_40));
  const [read, made] = [ask('ten_a', Buffer.alloc(MEGABYTES_40)), ask('ten_a', Buffer.alloc(MEGABYTES_40), { method: 'POST' })];
  expect([read.status, made.status]).toEqual([503, 503]);
  expect(read.text).toContain('take them: repeat the request.');
  expect(made.text).toContain('see whether it was before you repeat');
  full.close();
});
