import { eventually } from '../messaging/eventually';
import { Client } from '../support/client';
import { follow, type FollowOptions } from '../support/event-source';
import { revokeKey } from '../support/keys';
import fc from '../support/properties';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

const SOON_MS = 20_000;

describe('two api processes and a reader of the log of all events', () => {
  let supervisor: Supervisor;
  let client: Client;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    // The log lags behind the events, and jobs run meanwhile.
    await supervisor.startMissing({ CHECKPOINT_MS: '700' });
    await supervisor.start('api');
    client = new Client(supervisor);
  });
  afterAll(() => supervisor?.close());

  const headers = (apiKey = supervisor.apiKey) => ({ authorization: `Bearer ${apiKey}` });
  const feed = (turn: number): string => {
    const all = supervisor.apiAddresses();
    return `${all[turn % all.length] ?? ''}/v1/audit/events`;
  };
  const create = async (apiKey = supervisor.apiKey): Promise<void> => {
    const { status } = await client.call('POST', '/v1/threads', { message: 'Who follows?', budget: 'L' }, apiKey);
    expect(status).toBe(201);
  };
  const count = async (text: string): Promise<number> => Number((await supervisor.pool.query<{ count: string }>(text)).rows[0]?.count);
  const UNFINISHED = `select count(*) from job where status not in ('completed', 'failed', 'cancelled')`;
  const UNLOGGED = `select count(*) from event where not exists (
    select from log_entry where log_entry.stream_id = event.stream_id and log_entry.version = event.version)`;
  /** Once all is over: the tenant's events in the order of the log. */
  async function logged(): Promise<string[]> {
    await eventually(0, () => count(UNFINISHED), 60_000);
    await eventually(0, () => count(UNLOGGED), 60_000);
    const { rows } = await supervisor.pool.query<{ name: string }>(
      `select event.stream_id || ' ' || event.version as name from log_entry join event using (stream_id, version)
        where event.tenant_id = 'default' order by index`,
    );
    return rows.map(({ name }) => name);
  }

  /** As a reader should: again and again after the last event that it has, until it has as many as there are at the end. */
  async function followAll(end: Promise<string[]>, cuts: Iterator<Partial<FollowOptions>, never>) {
    const seen: string[] = [];
    const over = new AbortController();
    let [last, arrived, all, connections]: [string | undefined, number, string[] | null, number] = [undefined, 0, null, 0];
    const isEnough = () => all !== null && seen.length + arrived >= all.length;
    void end.then((names) => {
      all = names;
      if (isEnough()) over.abort();
    });
    for (; !isEnough(); connections += 1) {
      const { maxBytes = Infinity, until } = cuts.next().value;
      const { status, ids, data } = await follow(feed(connections), {
        ...{ headers: headers(), lastEventId: last, maxBytes, signal: over.signal },
        until: (followed) => {
          arrived = followed.ids.length;
          return isEnough() || until?.(followed) === true;
        },
      });
      expect(status).toBe(200);
      arrived = 0;
      last = ids.at(-1) ?? last;
      seen.push(...(data as unknown as { streamId: string; version: number }[]).map(({ streamId, version }) => `${streamId} ${version}`));
    }
    return { seen, connections };
  }
  function* repeated<Value>(values: readonly Value[]): Generator<Value, never> {
    for (let place = 0; ; place += 1) yield values[place % values.length] as Value;
  }

  it('a stream that is cut at any byte gives each event once and in the order of the log, while jobs run and the log lags', async () => {
    const another = await supervisor.keyOfAnotherTenant();
    const bytes = fc.array(fc.integer({ min: 30, max: 40_000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(bytes, async (counts) => {
        const cuts = [...counts.map((maxBytes) => ({ maxBytes })), { until: ({ ids }: { ids: string[] }) => ids.length > 0 }];
        const end = Promise.all([create(), create(another), create()]).then(logged);
        const [{ seen, connections }, all] = await Promise.all([followAll(end, repeated(cuts)), end]);
        expect(seen).toEqual(all);
        expect(connections).toBeGreaterThan(1);
      }),
      { numRuns: 4 },
    );
  });

  it('a revoked key ends its streams', async () => {
    const apiKey = await supervisor.keyOfAnotherTenant();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const following = follow(feed(0), {
      headers: headers(apiKey),
      until: () => {
        resolve();
        return false;
      },
    });
    await begun;
    const began = performance.now();
    await revokeKey({ pool: supervisor.pool, pepper: '' }, apiKey.slice(8, 20));
    const { status, isEnded } = await following;
    expect([status, isEnded]).toEqual([200, true]);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    await eventually(401, async () => (await follow(feed(0), { headers: headers(apiKey), until: () => true })).status, SOON_MS);
  });

  it('SIGTERM lets a reader go on at the other process, and the process ends', async () => {
    const doomed = await supervisor.start('api');
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const following = follow(`${doomed.address}/v1/audit/events`, {
      headers: headers(),
      until: ({ ids }) => {
        if (ids.length > 0) resolve();
        return false;
      },
    });
    await begun;
    expect(await doomed.stop()).toEqual({ code: 0, signal: null });
    const cut = await following;
    expect([cut.status, cut.isEnded]).toEqual([200, true]);
    await create();
    const all = await logged();
    const rest = await follow(feed(0), {
      headers: headers(),
      lastEventId: cut.ids.at(-1),
      until: ({ ids }) => cut.ids.length + ids.length >= all.length,
    });
    const names = ([...cut.data, ...rest.data] as unknown as { streamId: string; version: number }[]).map(
      ({ streamId, version }) => `${streamId} ${version}`,
    );
    expect(names).toEqual(all);
  });
});
