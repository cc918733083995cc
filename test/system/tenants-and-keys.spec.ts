import { createKey, revokeKey } from '../support/keys';
import { generateKey } from '@lib/store/access/key-format';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

let system: System;
let pool: Pool;

beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } } });
  pool = createPool(system.env.DATABASE_URL ?? '', 1);
});
afterAll(async () => {
  await pool.end();
  await system.stop();
});

interface Route {
  method: string;
  path: string;
  body?: object;
}
const routesOf = (threadId: string, jobId: string): Route[] => [
  { method: 'GET', path: `/v1/threads/${threadId}` },
  { method: 'GET', path: `/v1/threads/${threadId}/messages` },
  { method: 'POST', path: `/v1/threads/${threadId}/messages`, body: { message: 'm' } },
  { method: 'GET', path: `/v1/threads/${threadId}/jobs/${jobId}` },
  { method: 'GET', path: `/v1/threads/${threadId}/jobs/${jobId}/events` },
  { method: 'POST', path: `/v1/threads/${threadId}/jobs/${jobId}/pursue`, body: { topic: 't', providers: ['provider-a'] } },
  { method: 'GET', path: `/v1/jobs/${jobId}` },
  { method: 'DELETE', path: `/v1/threads/${threadId}` },
];
const unknownId = (id: string) => id.slice(0, -8) + 'zzzzzzzz';

it('shows another tenant’s thread exactly as if it did not exist', async () => {
  const owner = system.client;
  const stranger = owner.withKey(await system.keyOf('stranger'));
  const { id, job } = await owner.createThread({ message: 'private', providers: ['provider-a'] });
  const before = await owner.finalJob(id, job.id);
  const problemOf = async ({ method, path, body }: Route) => {
    const answer = await stranger.send(method, path, body);
    const { requestId: _, instance, ...problem } = answer.body;
    expect(instance).toBe(path);
    return JSON.stringify({ status: answer.status, headers: [...answer.headers.keys()], problem })
      .replaceAll(/(thr|job)_\w{26}/g, '$1')
      .toString();
  };

  const theirs = routesOf(id, job.id);
  const nobodys = routesOf(unknownId(id), unknownId(job.id));
  for (const [place, route] of theirs.entries()) {
    const problem = await problemOf(route);
    expect(problem).toMatch(/^\{"status":404,.*"code":"(thread|job)_not_found"/);
    expect([route, problem]).toEqual([route, await problemOf(nobodys[place] as Route)]);
  }
  expect(await stranger.expect(200, 'GET', '/v1/threads')).toMatchObject({ threads: [] });
  const own = await stranger.createThread({ message: 'mine', providers: ['provider-a'] });
  const across = await stranger.send('GET', `/v1/threads/${own.id}/jobs/${job.id}`);
  expect(across).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
  const pursued = await stranger.send('POST', `/v1/threads/${own.id}/jobs/${job.id}/pursue`, { topic: 't' });
  expect(pursued).toMatchObject({ status: 404, body: { code: 'job_not_found' } });

  expect(await owner.getJob(id, job.id)).toEqual(before);
  expect(await owner.getThread(id)).toMatchObject({ messages: [{ content: 'private' }], jobs: [{ id: job.id }] });
});

it('shares a tenant’s threads between its keys', async () => {
  const { id } = await system.client.createThread({ message: 'ours', providers: ['provider-a'] });
  expect((await system.client.withKey(await system.keyOf('default')).getThread(id)).id).toBe(id);
});

describe('a key', () => {
  const pepper = () => system.env.API_KEY_PEPPER ?? '';
  const statusWith = async (key: string) => (await system.client.withKey(key).send('GET', '/v1/threads')).status;
  const expectRefusedEverywhere = async (key: string | null) => {
    const { id, job } = await system.client.createThread({ message: 'q', providers: ['provider-a'] });
    for (const { method, path, body } of [{ method: 'GET', path: '/v1/threads' }, ...routesOf(id, job.id)] as Route[]) {
      const answer = await system.client.withKey(key).send(method, path, body);
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
  };

  it('is needed on every route', () => expectRefusedEverywhere(null));

  it('that nobody made is refused on every route', () => expectRefusedEverywhere(generateKey().keyText));

  it('with a typo is refused', async () => {
    const key = await system.keyOf('default');
    expect(await statusWith(key)).toBe(200);
    for (const place of [9, 25, key.length - 1]) {
      const typo = key.slice(0, place) + (key[place] === 'x' ? 'y' : 'x') + key.slice(place + 1);
      expect(await statusWith(typo)).toBe(401);
    }
  });

  it('stored under another pepper is refused', async () => {
    expect(await statusWith(await createKey({ pool, pepper: 'quite another pepper' }, 'default', null))).toBe(401);
  });

  it('is refused once it is revoked, while others go on', async () => {
    const [revoked, other] = [await system.keyOf('default'), await system.keyOf('default')];
    expect(await revokeKey({ pool, pepper: pepper() }, revoked.slice(8, 20))).toBe(true);
    expect([await statusWith(revoked), await statusWith(other)]).toEqual([401, 200]);
  });
});
