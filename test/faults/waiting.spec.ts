import { setTimeout as delay } from 'node:timers/promises';
import { revokeKey } from '../support/keys';
import { eventually } from '../messaging/eventually';
import { Client } from '../support/client';
import { follow, type Followed, type FollowOptions } from '../support/event-source';
import fc from '../support/properties';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

/** Much less than the longest wait, and enough for any machine. */
const SOON_MS = 20_000;

describe('two api processes and clients that wait', () => {
  let supervisor: Supervisor;
  let client: Client;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    await supervisor.startMissing();
    await supervisor.start('api');
    client = new Client(supervisor);
  });
  afterAll(() => supervisor?.close());

  const headers = (apiKey = supervisor.apiKey) => ({ authorization: `Bearer ${apiKey}` });
  const address = (turn: number): string => {
    const all = supervisor.apiAddresses();
    return all[turn % all.length] ?? '';
  };

  async function created(body: object = {}): Promise<{ threadId: string; jobId: string; path: string }> {
    const { status, body: thread } = await client.call('POST', '/v1/threads', { message: 'Who waits?', budget: 'L', ...body });
    expect(status).toBe(201);
    const { id: threadId, job } = thread as { id: string; job: { id: string } };
    return { threadId, jobId: job.id, path: `/v1/threads/${threadId}/jobs/${job.id}` };
  }
  const cancel = (path: string) => client.call('POST', `${path}/cancel`);
  const versionsOf = async (jobId: string): Promise<number[]> => {
    const { rows } = await supervisor.pool.query<{ version: number }>('select version from event where stream_id = $1 order by version', [
      jobId,
    ]);
    return rows.map(({ version }) => version);
  };

  /** As a client should: again and again after the last event that it has, until there is nothing more. */
  async function followToTheEnd(path: string, cuts: Iterator<Partial<FollowOptions>, never>): Promise<number[]> {
    const seen: number[] = [];
    for (let turn = 0; ; turn += 1) {
      const options = { headers: headers(), lastEventId: seen.at(-1)?.toString(), ...cuts.next().value };
      const { status, ids, data } = await follow(`${address(turn)}${path}/events`, options);
      if (status === 204) return seen;
      expect(status).toBe(200);
      expect(ids).toEqual(data.map(({ version }) => String(version)));
      seen.push(...data.map(({ version }) => version));
    }
  }
  function* repeated<Value>(values: readonly Value[]): Generator<Value, never> {
    for (let place = 0; ; place += 1) yield values[place % values.length] as Value;
  }

  it('an event stream that is cut after each version, or after any byte, gives every event once and in order', async () => {
    const afterEach = { until: ({ ids }: Followed) => ids.length > 0 };
    const job = await created();
    expect(await followToTheEnd(job.path, repeated([afterEach]))).toEqual(await versionsOf(job.jobId));
    const bytes = fc.array(fc.integer({ min: 30, max: 6000 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(bytes, async (counts) => {
        const { jobId, path } = await created();
        // A whole message has to come through some time.
        const cuts = [...counts.map((maxBytes) => ({ maxBytes })), afterEach];
        const seen = await followToTheEnd(path, repeated(cuts));
        const all = await versionsOf(jobId);
        expect(seen).toEqual(all);
        expect(all.length).toBeGreaterThan(4);
      }),
      { numRuns: 8 },
    );
    // From now on jobs wait for one.
    await supervisor.the('worker').stop();
  });

  it('whoever waits on a process is woken by what another one does, also while NATS is down', async () => {
    for (const isDown of [false, true]) {
      const { path } = await created();
      if (isDown) await supervisor.broker.kill();
      const began = performance.now();
      const polls = [0, 1].map(async (turn) => {
        const response = await fetch(address(turn) + path, { headers: { ...headers(), prefer: 'wait=30' } });
        return { body: (await response.json()) as { status: string }, applied: response.headers.get('preference-applied') };
      });
      const streams = [0, 1].map((turn) => follow(`${address(turn)}${path}/events`, { headers: headers() }));
      await delay(1_500);
      await cancel(path);
      for (const { body, applied } of await Promise.all(polls)) expect([body.status, applied]).toEqual(['cancelled', 'wait=30']);
      for (const { data, isEnded } of await Promise.all(streams)) expect([data.at(-1)?.type, isEnded]).toEqual(['JobCancelled', true]);
      expect(performance.now() - began).toBeLessThan(SOON_MS);
      if (isDown) await supervisor.broker.start();
    }
  });

  it('a late result is there on the next connection', async () => {
    const { jobId, path } = await created();
    await cancel(path);
    const first = await follow(`${address(0)}${path}/events`, { headers: headers() });
    const last = Number(first.ids.at(-1));
    expect(first.isEnded).toBe(true);
    // As the saga records what a provider said to the request to stop.
    await supervisor.pool.query(
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
        select stream_id, version + 1, event_id || 'x', 'StepResultLate', 1, '{}', meta, hash, hash from event where stream_id = $1 and version = $2`,
      [jobId, last],
    );
    await supervisor.pool.query('update job set version = version + 1 where id = $1', [jobId]);
    const next = await follow(`${address(1)}${path}/events`, { headers: headers(), lastEventId: String(last) });
    expect([next.status, next.ids, next.isEnded]).toEqual([200, [String(last + 1)], true]);
    expect((await follow(`${address(0)}${path}/events`, { headers: headers(), lastEventId: String(last + 1) })).status).toBe(204);
  });

  it('a revoked key ends what waits with it', async () => {
    const apiKey = await supervisor.keyOfAnotherTenant();
    const { body } = await client.call('POST', '/v1/threads', { message: 'q' }, apiKey);
    const { id, job } = body as { id: string; job: { id: string } };
    const path = `/v1/threads/${id}/jobs/${job.id}`;
    const began = performance.now();
    const poll = fetch(address(0) + path, { headers: { ...headers(apiKey), prefer: 'wait=30' } });
    let isRevoked = false;
    const streaming = follow(`${address(1)}${path}/events`, { headers: headers(apiKey) }).finally(() => expect(isRevoked).toBe(true));
    await delay(500);
    isRevoked = true;
    await revokeKey({ pool: supervisor.pool, pepper: '' }, apiKey.slice(8, 20));
    expect((await poll).status).toBe(401);
    const followed = await streaming;
    expect([followed.status, followed.isEnded]).toEqual([200, true]);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    const again = () => follow(`${address(1)}${path}/events`, { headers: headers(apiKey), until: ({ ids }) => ids.length > 0 });
    await eventually(401, async () => (await again()).status, SOON_MS);
  });

  it('SIGTERM lets whoever waits go on at the other process, and the process ends', async () => {
    const { path } = await created();
    const doomed = await supervisor.start('api');
    const at = doomed.address ?? '';
    const poll = fetch(at + path, { headers: { ...headers(), prefer: 'wait=30' } });
    const streaming = follow(`${at}${path}/events`, { headers: headers() });
    // A later request is answered, so the earlier ones have been read.
    await fetch(`${at}/health/live`);
    await delay(500);
    const began = performance.now();
    expect(await doomed.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    const answered = await poll;
    expect([answered.status, ((await answered.json()) as { status: string }).status]).toEqual([
      200,
      expect.stringMatching(/pending|running/),
    ]);
    const cut = await streaming;
    expect([cut.status, cut.isEnded]).toEqual([200, true]);
    await cancel(path);
    const rest = await follow(`${address(0)}${path}/events`, { headers: headers(), lastEventId: cut.ids.at(-1) });
    expect([...cut.ids, ...rest.ids]).toEqual([...cut.ids, ...rest.ids].map((_, place) => String(place + 1)));
    expect(rest.data.at(-1)?.type).toBe('JobCancelled');
  });
});
