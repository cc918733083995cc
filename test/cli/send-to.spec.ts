import type { ServiceRequest } from '../../src/mcp/service-client';
import { sendTo } from '../../src/cli/send-to';
import { answering, hangsUp, says } from './http-answers';

const PATIENCE = { tries: 2, triesUnderWay: 4, pauseMs: 1 };
const RESEARCH: ServiceRequest = { method: 'POST', path: '/v1/threads', body: { message: 'q' } };
const CANCEL: ServiceRequest = { method: 'POST', path: '/v1/threads/thr_1/jobs/job_1/cancel' };
const UNDER_WAY = says(409, JSON.stringify({ code: 'idempotency_in_progress', detail: 'It is still under way.' }));
const CREATED = says(201, '{"id":"thr_1"}', 'application/json');

const sender = (address: string) => sendTo({ address, key: 'key', keySource: 'API_KEY' }, new AbortController().signal, PATIENCE);
const keysOf = (asked: readonly { headers: Record<string, unknown> }[]) => new Set(asked.map(({ headers }) => headers['idempotency-key']));

it('what is still under way is asked for until it is answered, with one key', async () => {
  const { address, asked } = await answering(hangsUp, UNDER_WAY, UNDER_WAY, CREATED);
  expect(await sender(address)(RESEARCH)).toMatchObject({ status: 201, body: { id: 'thr_1' } });
  expect([asked.length, keysOf(asked).size]).toEqual([4, 1]);
});

it.each([
  ['stays under way', UNDER_WAY, 4, 'The service still works on this call'],
  ['nobody answers', hangsUp, 2, 'No research-threads service answers at'],
])('of what %s the model is told the key, so that it does not pay twice', async (_, answer, tries, words) => {
  const { address, asked } = await answering(answer);
  const { body } = await sender(address)(RESEARCH);
  const [key] = keysOf(asked);
  expect((body as { detail: string }).detail).toMatch(new RegExp(`^${words}.* with idempotencyKey ${String(key)}, so that`));
  expect([asked.length, keysOf(asked).size]).toEqual([tries, 1]);
});

it('no key is told to tools that take none', async () => {
  const { address } = await answering(UNDER_WAY);
  expect(await sender(address)(CANCEL)).toMatchObject({
    status: 409,
    body: { code: 'idempotency_in_progress', detail: 'The service still works on this call: call the tool again.' },
  });
});

it('any other refusal is told at once, as it stands', async () => {
  const reused = { code: 'idempotency_key_reused', detail: 'It was used for another request.' };
  const { address, asked } = await answering(says(409, JSON.stringify(reused)));
  expect(await sender(address)(RESEARCH)).toMatchObject({ status: 409, body: reused });
  expect(asked).toHaveLength(1);
});

it.each([
  ['a key that is refused', 401, { code: 'invalid_api_key' }, 'refuses the key in API_KEY: set API_KEY to'],
  ['an address below which nothing is', 404, { code: 'not_found' }, 'There is nothing at http://127.0.0.1:'],
  [
    'an address of another program',
    404,
    { message: 'Not Found' },
    '/v1/threads: start `research mcp` again with the address of the service in --url',
  ],
])('%s is told with the settings that it comes from', async (_, status, body, words) => {
  const { address } = await answering(says(status, JSON.stringify({ detail: 'Send a valid API key in the header.', ...body })));
  const answer = await sender(address)(RESEARCH);
  expect(answer).toMatchObject({ status, body: { ...body, detail: expect.stringContaining(words) as string } });
  expect((answer.body as { detail: string }).detail).toContain(address);
});

it('what the service does not know stays in its words', async () => {
  const unknown = { code: 'job_not_found', detail: 'There is no such job.' };
  const { address } = await answering(says(404, JSON.stringify(unknown)));
  expect(await sender(address)(CANCEL)).toMatchObject({ status: 404, body: unknown });
});

it('of a service that fails to the last, the model is told the key too, behind what the service says', async () => {
  const failing = says(503, JSON.stringify({ code: 'unavailable', detail: 'It may have done what was asked.' }));
  const { address, asked } = await answering(failing);
  const { status, body } = await sender(address)(RESEARCH);
  const [key] = keysOf(asked);
  expect([status, asked.length, keysOf(asked).size]).toEqual([503, 2, 1]);
  expect((body as { detail: string }).detail).toMatch(
    new RegExp(`^It may have done what was asked. If you call the tool again, then with idempotencyKey ${String(key)}, so that`),
  );
  expect(await sender(address)(CANCEL)).toMatchObject({ body: { detail: 'It may have done what was asked.' } });
});
