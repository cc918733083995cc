import { EventEmitter } from 'node:events';
import { holdings } from '@lib/memory/holdings';
import { AnswerRoom } from '../../src/api/answer-room';

const MEGABYTES_40 = 40 * 1024 * 1024;
const room = new AnswerRoom();
const held = () => holdings().find(({ name }) => name === 'answers');

/** Asks for an answer. @returns its status, and what ends its connection */
function ask(tenantId: string, payload: Buffer | string): { status: number; close: () => void } {
  const raw = Object.assign(new EventEmitter(), { destroy: () => raw.emit('close') });
  let status = 200;
  const reply = {
    raw,
    removeHeader: () => reply,
    header: () => reply,
    type: () => reply,
    code: (code: number) => ((status = code), reply),
  };
  const request = { caller: { tenantId }, id: 'req_1', url: '/v1/jobs' };
  room.admit(request as never, reply as never, payload, () => undefined);
  return { status, close: () => raw.emit('close') };
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
