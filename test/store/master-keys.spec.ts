import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { newId } from '@lib/store/new-id';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { Rewrapping, UNKNOWN_KEY } from '@lib/store/sealing/rewrap';
import { openStore, type Store } from '@lib/store/store';
import { externalId, start } from '../support/job-history';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, onJob, refusal } from '../support/streams';
import { HOLD } from '../support/hold';

const NEW = randomBytes(32);
const idOf = (key: Buffer): string => new KeyRing([key]).kekId;

let test: TestStore;
let old: Buffer;
const stores: Store[] = [];
beforeEach(async () => {
  test = await createTestStore();
  old = test.masterKey;
  await test.store.enterMasterKeys();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await test.close();
});

/** Another process with these keys, newest first. */
function storeWith(...masterKeys: Buffer[]): Store {
  const store = openStore({ databaseUrl: test.databaseUrl, connections: 2, masterKeys, leaseMs: 30_000, redispatchFirstMs: 1000 });
  stores.push(store);
  return store;
}

const usesOf = async (store: Store): Promise<Record<string, unknown>> =>
  Object.fromEntries((await store.rewrapping.uses()).map(({ kekId, ...use }) => [kekId, use]));
const NOTHING = { threads: 0, webhooks: 0, runs: 0 };
const titleOf = (store: Store, threadId: string) => store.contents.ofThread(threadId).title();
const keyRows = async (): Promise<string[]> =>
  (await test.store.pool.query<{ thread_id: string }>('select thread_id from thread_key order by 1')).rows.map((row) => row.thread_id);

/** A thread, a webhook and a run that its provider works on. */
async function sealedThings(store: Store) {
  const { threadId, jobId, stepIds } = await createJob(store, { query: 'A title' });
  const [stepId = ''] = stepIds;
  await onJob(store, jobId, start(stepId, 'claim'), externalId(stepId, 1));
  const input = { url: 'https://example.com/hook', description: 'Ours', eventTypes: ['job.failed' as const], enabled: true };
  await store.pool.query(`insert into tenant (id) values ($1) on conflict do nothing`, [TENANT]);
  const webhookId = await (await store.webhooks.changes()).create(TENANT, input, null);
  return { threadId, jobId, stepId, webhookId };
}

describe('a new master key', () => {
  it('comes to one process at a time: first as one that opens, then as the one that seals', async () => {
    const thread = await sealedThings(test.store);
    const reader = storeWith(old, NEW);
    await reader.enterMasterKeys();
    // Nothing is sealed under it yet, so processes without it may start.
    await storeWith(old).enterMasterKeys();

    const sealer = storeWith(NEW, old);
    await sealer.enterMasterKeys();
    const fresh = await createJob(sealer, { query: 'Under the new one' });
    expect(await titleOf(reader, fresh.threadId)).toBe('Under the new one');
    expect(await titleOf(sealer, thread.threadId)).toBe('A title');
    const missing = `key ${idOf(NEW)}, MASTER_KEY is ${idOf(old)}: set the MASTER_KEY that was in use, or add it to MASTER_KEYS`;
    await expect(titleOf(test.store, fresh.threadId)).rejects.toThrow(`thread ${fresh.threadId} was sealed under ${missing}`);
    const unused = randomBytes(32);
    const both = `MASTER_KEYS are ${idOf(old)}, ${idOf(unused)}: set`;
    await expect(titleOf(storeWith(old, unused), fresh.threadId)).rejects.toThrow(both);
    await expect(storeWith(old).enterMasterKeys()).rejects.toThrow(`the database is sealed under ${missing}`);
    await reader.enterMasterKeys();
  });

  it('takes over everything that was sealed under the old one, which is then retired', async () => {
    const { threadId, jobId, stepId, webhookId } = await sealedThings(test.store);
    const sealer = storeWith(NEW, old);
    await sealer.enterMasterKeys();
    expect(await usesOf(sealer)).toEqual({
      [idOf(NEW)]: { ...NOTHING, isUnused: false },
      [idOf(old)]: { threads: 1, webhooks: 1, runs: 1, isUnused: false },
    });
    await sealer.rewrapping.retire();
    await expect(storeWith(NEW).enterMasterKeys()).rejects.toThrow(`the database is sealed under key ${idOf(old)}, MASTER_KEY is`);

    expect(await sealer.rewrapping.rewrap()).toBe(3);
    expect(await usesOf(sealer)).toMatchObject({ [idOf(old)]: { ...NOTHING, isUnused: false } });
    await expect(storeWith(NEW).enterMasterKeys()).rejects.toThrow(`the database is sealed under key ${idOf(old)}`);
    expect(await sealer.rewrapping.retire()).toEqual([idOf(old)]);
    expect(await usesOf(sealer)).toEqual({
      [idOf(NEW)]: { threads: 1, webhooks: 1, runs: 1, isUnused: false },
      [idOf(old)]: { ...NOTHING, isUnused: true },
    });

    const later = storeWith(NEW);
    await later.enterMasterKeys();
    expect(await titleOf(later, threadId)).toBe('A title');
    expect(await later.webhooks.get(TENANT, webhookId)).toMatchObject({ description: 'Ours' });
    await deleteThread(later, threadId);
    expect(await later.cancellations.begin({ jobId, stepId, run: 1 })).toMatchObject({ externalId: 'run-1' });
    await expect(storeWith(old).enterMasterKeys()).rejects.toThrow(`the database is sealed under key ${idOf(NEW)}`);
  });

  it('leaves the old one in use where a process still seals a webhook under it after it was retired', async () => {
    const sealer = storeWith(NEW, old);
    await sealer.enterMasterKeys();
    await sealer.rewrapping.rewrap();
    await sealer.rewrapping.retire();
    await storeWith(NEW).enterMasterKeys();

    const late = storeWith(old, NEW);
    const input = { url: 'https://example.com/hook', description: 'Ours', eventTypes: ['job.failed' as const], enabled: true };
    await late.pool.query(`insert into tenant (id) values ($1) on conflict do nothing`, [TENANT]);
    await (await late.webhooks.changes()).create(TENANT, input, null);
    await expect(storeWith(NEW).enterMasterKeys()).rejects.toThrow(`sealed under key ${idOf(old)}`);
    await sealer.rewrapping.rewrap();
    await sealer.rewrapping.retire();
    await storeWith(NEW).enterMasterKeys();
  });

  it('takes nothing over before a process seals under it: the others could not open that', async () => {
    await sealedThings(test.store);
    const early = storeWith(NEW, old);
    await expect(early.rewrapping.rewrap()).rejects.toThrow(`No process seals under ${idOf(NEW)}`);
    expect(await usesOf(early)).toMatchObject({ [idOf(NEW)]: NOTHING, [idOf(old)]: { threads: 1, webhooks: 1, runs: 1 } });
  });

  it('is not taken back by keys in the wrong order: the newer one would be retired', async () => {
    await sealedThings(test.store);
    await storeWith(NEW, old).enterMasterKeys();
    const swapped = storeWith(old, NEW);
    const refusal = `MASTER_KEYS has ${idOf(old)} first and ${idOf(NEW)} behind it, under which processes began to seal later: put the newest key first`;
    await expect(swapped.rewrapping.rewrap()).rejects.toThrow(refusal);
    await expect(swapped.rewrapping.retire()).rejects.toThrow(refusal);
    expect(await usesOf(swapped)).toMatchObject({ [idOf(NEW)]: { isUnused: false }, [idOf(old)]: { threads: 1 } });
    expect(await storeWith(NEW, old).rewrapping.rewrap()).toBe(3);
  });

  it('stays with the processes that seal under it, whatever somebody does who has the old one alone', async () => {
    await sealedThings(test.store);
    const sealer = storeWith(NEW, old);
    await sealer.enterMasterKeys();
    const behind = storeWith(old);
    const refusal = `MASTER_KEYS has ${idOf(old)} first and lacks ${idOf(NEW)}, under which processes began to seal later: put the newest key first`;
    await expect(behind.rewrapping.rewrap()).rejects.toThrow(refusal);
    await expect(behind.rewrapping.retire()).rejects.toThrow(refusal);
    await expect(storeWith(old).enterMasterKeys()).rejects.toThrow(`the database is sealed under key ${idOf(NEW)}`);
    expect(await sealer.rewrapping.rewrap()).toBe(3);
  });

  it('is not retired by somebody with the old one alone who looked just before a process began to seal under it', async () => {
    await sealedThings(test.store);
    const query = async (text: string, values: unknown[]) => {
      const found = await test.store.pool.query(text, values);
      if (text.includes('later.first_used_at')) await storeWith(NEW, old).enterMasterKeys();
      return found;
    };
    await new Rewrapping({ query } as unknown as Pool, new KeyRing([old])).retire();
    await expect(storeWith(old).enterMasterKeys()).rejects.toThrow(`the database is sealed under key ${idOf(NEW)}`);
  });

  it('leaves what is sealed under a key that is not at hand as it is, and names it', async () => {
    const { threadId } = await sealedThings(test.store);
    const other = storeWith(NEW);
    await other.pool.query(`insert into master_key (kek_id) values ($1)`, [idOf(NEW)]);
    expect(await other.rewrapping.rewrap()).toBe(0);
    await other.rewrapping.retire();
    expect(await usesOf(other)).toMatchObject({ [idOf(old)]: { threads: 1, isUnused: false }, [UNKNOWN_KEY]: { webhooks: 1, runs: 1 } });
    expect(await titleOf(test.store, threadId)).toBe('A title');
  });
});

describe('while keys are rewrapped', () => {
  it('threads are created, written to and deleted; none comes back, and nothing is lost', async () => {
    const before = await Promise.all(Array.from({ length: 40 }, () => createJob(test.store, { query: 'Before' })));
    const [reader, sealer] = [storeWith(old, NEW), storeWith(NEW, old)];
    for (const store of [reader, sealer]) await store.enterMasterKeys();
    const deleted = before.slice(0, 10);
    const [, ...created] = await Promise.all([
      sealer.rewrapping.rewrap(),
      ...Array.from({ length: 10 }, () => createJob(reader, { query: 'Meanwhile' })),
      ...before.slice(10, 20).map(async (one) => addMessage(reader, one.threadId).then(() => one)),
      ...deleted.map(async (one) => deleteThread(reader, one.threadId).then(() => one)),
    ]);
    await sealer.rewrapping.rewrap();
    await sealer.rewrapping.retire();
    const kept = [...before.slice(10), ...created.slice(0, 10)].map(({ threadId }) => threadId);
    expect(await keyRows()).toEqual(kept.toSorted());
    const later = storeWith(NEW);
    await later.enterMasterKeys();
    for (const threadId of kept) expect(['Before', 'Meanwhile']).toContain(await titleOf(later, threadId));
  });

  it('the key of a thread that is deleted between its reading and its writing stays gone', async () => {
    const [gone, stays] = [await createJob(test.store), await createJob(test.store)];
    await storeWith(NEW, old).enterMasterKeys();
    let deletions = 0;
    const query = async (text: string, values: unknown[]) => {
      if (text.includes('update thread_key')) {
        await deleteThread(test.store, gone.threadId).then(
          () => (deletions += 1),
          () => undefined,
        );
      }
      return test.store.pool.query(text, values);
    };
    expect(await new Rewrapping({ query } as unknown as Pool, new KeyRing([NEW, old])).rewrap()).toBe(1);
    expect(deletions).toBe(1);
    expect(await keyRows()).toEqual([stays.threadId]);
  });

  it('a key that somebody holds is left for the next time, and one that was changed keeps no other from its turn', async () => {
    const [held, changed, free] = [await createJob(test.store), await createJob(test.store), await createJob(test.store)];
    await test.store.pool.query(`update thread_key set wrapped = wrapped || '\\x00'::bytea where thread_id = $1`, [changed.threadId]);
    const sealer = storeWith(NEW, old);
    await sealer.enterMasterKeys();
    const holder = await test.store.pool.connect();
    await holder.query(HOLD);
    await holder.query('select from thread_key where thread_id = $1 for share', [held.threadId]);
    expect(await sealer.rewrapping.rewrap()).toBe(1);
    await holder.query('commit');
    holder.release();
    expect(await sealer.rewrapping.rewrap()).toBe(1);
    await sealer.rewrapping.retire();
    expect(await usesOf(sealer)).toMatchObject({ [idOf(old)]: { threads: 1, isUnused: false }, [idOf(NEW)]: { threads: 2 } });
    for (const { threadId } of [held, free]) expect(await titleOf(storeWith(NEW), threadId)).toBe('How?');
  });
});

describe('requests that are repeated', () => {
  const send = (store: Store, threadId: string) => {
    const request = { ...store.requests.digestsOf('the request', 'its body'), streamId: threadId };
    return refusal(
      store.threads.execute(threadId, { type: 'AddMessage', tenantId: TENANT, messageId: newId('msg'), content: 'm' }, META, { request }),
    );
  };

  it.each([
    ['the first two steps of a rotation', (): Buffer[][] => [[old], [old, NEW]]],
    [
      'the second and the third',
      (): Buffer[][] => [
        [old, NEW],
        [NEW, old],
      ],
    ],
    ['the last two', (): Buffer[][] => [[NEW, old], [NEW]]],
  ])('are recognized by processes between %s, whichever was first, and at once', async (_, rings) => {
    const processes = rings().map((keys) => storeWith(...keys));
    for (const order of [processes, processes.toReversed()]) {
      const { threadId } = await createJob(order[0] as Store);
      const outcomes: string[] = [];
      for (const store of order) outcomes.push(await send(store, threadId));
      expect(outcomes).toEqual(['nothing was refused', 'RequestRepeated']);
      await test.store.pool.query('delete from keyed_request');
      expect((await Promise.all(order.map((store) => send(store, threadId)))).toSorted()).toEqual(outcomes.toSorted());
      await test.store.pool.query('delete from keyed_request');
    }
  });

  it('keep the old key until none is left that only it recognizes', async () => {
    const { threadId } = await createJob(test.store);
    await send(test.store, threadId);
    const sealer = storeWith(NEW, old);
    await sealer.enterMasterKeys();
    await sealer.rewrapping.rewrap();
    await sealer.rewrapping.retire();
    expect(await usesOf(sealer)).toMatchObject({ [idOf(old)]: { ...NOTHING, isUnused: false } });
    await test.store.pool.query(`update keyed_request set expires_at = now()`);
    await sealer.rewrapping.retire();
    expect(await usesOf(sealer)).toMatchObject({ [idOf(old)]: { isUnused: true } });
  });
});

describe('a start', () => {
  it('with another key is refused on an empty database too, and of two at once with different keys only one is let in', async () => {
    await expect(storeWith(randomBytes(32)).enterMasterKeys()).rejects.toThrow(`the database is sealed under key ${idOf(old)}`);
    await test.store.pool.query('delete from master_key');
    const outcomes = await Promise.all([storeWith(old), storeWith(NEW)].map((store) => refusal(store.enterMasterKeys())));
    expect(outcomes.toSorted()).toEqual(['Unsealable', 'nothing was refused'].toSorted());
  });
});
