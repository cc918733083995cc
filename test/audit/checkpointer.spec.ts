import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import { readReceipt } from '@lib/audit/format/deletion-receipt';
import { keyIdOf, parseNote, signerKey, signersOf, textOfKey, type VerifierKey } from '@lib/audit/format/signed-note';
import { checkpointKeys, cosignatures, logOrigins, saveCheckpoint } from '@lib/store/log/checkpoints';
import { receiptOf } from '@lib/store/log/deletion-receipts';
import type { Pool } from '@lib/store/postgres/pool';
import { checkpointAge } from '@lib/store/views/work-counts';
import type { CheckpointSettings } from '../../src/audit/checkpoint-settings';
import { publishTo } from '../../src/audit/checkpoint-folder';
import { Checkpointer } from '../../src/audit/checkpointer';
import { createLogger } from '../../src/api/logging';
import { LogKeeper } from '../../src/audit/log-keeper';
import { sequence } from '../../src/audit/sequencer';
import { rootOfSize } from '../../src/audit/stored-tree';
import { finishedThread } from '../support/bundles';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { deleteThread } from '../support/streams';
import { research } from '../system/support/command';
import { Witness } from '../support/witness';

const ORIGIN = 'audit.example.org/log';
const SEED = Buffer.alloc(32, 7);
const keyOf = (seed: Buffer, origin = ORIGIN): VerifierKey => {
  const { name, type, publicKey } = signerKey(origin, seed);
  return { name, type, publicKey };
};

let test: TestStore;
let pool: Pool;
let folder: string;
let logged: Record<string, unknown>[];
beforeEach(async () => {
  test = await createTestStore();
  pool = test.store.pool;
  folder = mkdtempSync(join(tmpdir(), 'research-checkpoints-'));
  logged = [];
});
afterEach(async () => {
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

const logger = { warn: (fields: object) => void logged.push({ ...fields }), info: () => undefined } as never;
const checkpointer = (changes: Partial<CheckpointSettings> = {}): Checkpointer =>
  new Checkpointer(pool, { keys: [SEED], origin: ORIGIN, folder: null, witnesses: [], ...changes }, logger);
const append = async (): Promise<void> => {
  await createJob(test.store);
  await sequence(pool);
};
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const published = () => readFileSync(join(folder, 'checkpoint'), 'utf8');
const told = (note: string) => parseCheckpoint(parseNote(note).text);

/** What a restore of an older backup does: the last events and what the log knew of them are gone. */
async function restoreTo(size: number): Promise<void> {
  await pool.query('alter table event disable trigger user');
  await pool.query(
    'delete from event using log_entry where (log_entry.stream_id, log_entry.version) = (event.stream_id, event.version) and index >= $1',
    [size],
  );
  await pool.query('delete from log_entry where index >= $1', [size]);
  await pool.query('delete from checkpoint where size > $1', [size]);
  await pool.query('update log_head set size = $1', [size]);
}

it('signs the root of all events, and nothing twice', async () => {
  await append();
  const first = await checkpointer().sign();
  const { origin, size, root, predecessor, time } = told(first.note);
  expect({ origin, size, root, predecessor }).toEqual({ origin: ORIGIN, size: 4, root: await rootOfSize(pool, 4), predecessor: null });
  expect(time).toBe(first.signedAt.toISOString());
  expect(signersOf(parseNote(first.note), [keyOf(SEED)])).toHaveLength(1);
  expect((await checkpointer().sign()).note).toBe(first.note);
  await append();
  expect(told((await checkpointer().sign()).note).size).toBe(8);
});

it('signs with both keys while they change, and keeps the public keys of both', async () => {
  await append();
  const [old, fresh] = [SEED, Buffer.alloc(32, 8)];
  await checkpointer().sign();
  await append();
  const both = parseNote((await checkpointer({ keys: [fresh, old] }).sign()).note);
  expect([signersOf(both, [keyOf(old)]), signersOf(both, [keyOf(fresh)])]).toEqual([[keyOf(old)], [keyOf(fresh)]]);
  await append();
  const last = parseNote((await checkpointer({ keys: [fresh] }).sign()).note);
  expect([signersOf(last, [keyOf(old)]), signersOf(last, [keyOf(fresh)])]).toEqual([[], [keyOf(fresh)]]);
  expect((await checkpointKeys(pool)).map(({ keyId }) => keyId)).toEqual(
    expect.arrayContaining([keyIdOf(keyOf(old)), keyIdOf(keyOf(fresh))]),
  );
});

describe('with a key that did not sign the newest checkpoint', () => {
  const other = { keys: [Buffer.alloc(32, 9)] };

  it('signs nothing and names both keys, also while another process signs', async () => {
    await append();
    await checkpointer().sign();
    await append();
    const [ours, theirs] = [keyIdOf(keyOf(SEED)), keyIdOf(keyOf(Buffer.alloc(32, 9)))];
    const refused = new RegExp(`signed by the key ${ours}.*CHECKPOINT_KEY has only ${theirs}.*--new-key`);
    await expect(checkpointer(other).sign()).rejects.toThrow(refused);
    await expect(checkpointer(other).signIfDue(60_000)).rejects.toThrow(refused);
    expect((await checkpointKeys(pool)).map(({ keyId }) => keyId)).toEqual([ours]);
    expect(told((await checkpointer().sign()).note).size).toBe(8);
  });

  it('signs once the operator says that the key is another one, and then refuses the former', async () => {
    await append();
    await checkpointer().sign();
    const { note } = await checkpointer({ ...other, isNewKey: true }).sign();
    expect(signersOf(parseNote(note), [keyOf(SEED)])).toHaveLength(1);
    await append();
    const next = await checkpointer({ ...other, isNewKey: true }).sign();
    expect(signersOf(parseNote(next.note), [keyOf(SEED)])).toEqual([]);
    await append();
    expect(told((await checkpointer(other).sign()).note).size).toBe(12);
    await append();
    await expect(checkpointer().sign()).rejects.toThrow('--new-key');
  });

  it('the command refuses too, unless it is told', async () => {
    await append();
    await checkpointer().sign();
    await append();
    const environment = { DATABASE_URL: test.databaseUrl, DATA_DIR: folder, CHECKPOINT_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect(await research(['checkpoint'], environment)).toMatchObject({ code: 3, stderr: expect.stringContaining('nothing is signed') });
    const { code, stdout } = await research(['checkpoint', '--new-key'], environment);
    expect([code, told(stdout).size]).toEqual([0, 8]);
    const back = { ...environment, CHECKPOINT_KEY: SEED.toString('base64') };
    const nothing = { code: 3, stderr: expect.stringContaining('there is nothing to sign: repeat this once something was recorded') };
    expect(await research(['checkpoint', '--new-key'], back)).toMatchObject(nothing);
    await append();
    expect(await research(['checkpoint', '--new-key'], back)).toMatchObject({ code: 0 });
    expect(await research(['checkpoint'], back)).toMatchObject({ code: 0 });
  });

  it('the command says that a new key beside the known one has not signed yet, until it has', async () => {
    await append();
    await checkpointer().sign();
    const both = [Buffer.alloc(32, 9), SEED].map((seed) => seed.toString('base64')).join(',');
    const environment = { DATABASE_URL: test.databaseUrl, DATA_DIR: folder, CHECKPOINT_KEY: both };
    const waiting = `The key ${keyIdOf(keyOf(Buffer.alloc(32, 9)))} has not signed yet`;
    expect(await research(['checkpoint'], environment)).toMatchObject({ code: 1, stderr: expect.stringContaining(waiting) });
    await append();
    const { code, stdout, stderr } = await research(['checkpoint'], environment);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('has not signed yet')]);
    expect(signersOf(parseNote(stdout), [keyOf(SEED), keyOf(Buffer.alloc(32, 9))])).toHaveLength(2);
  });

  it('the command makes no key in place of one that the embedded default has lost', async () => {
    const said = await research(['checkpoint'], { DATA_DIR: folder });
    expect(said).toMatchObject({ code: 3, stderr: expect.stringMatching(/checkpoint-key is not there: restore it.*add --new-key/) });
    expect(existsSync(join(folder, 'checkpoint-key'))).toBe(false);
  });
});

it('stores no key with a checkpoint that the log is too short for by now', async () => {
  await append();
  const { origin, note, signedAt } = await checkpointer().sign();
  const late = { name: 'audit.example.org/late', keyId: '00000000', publicKey: Buffer.alloc(32) };
  await saveCheckpoint(pool, { origin, size: 1_000, note, signedAt }, [late]);
  expect((await checkpointKeys(pool)).map(({ name }) => name)).toEqual([origin]);
});

it('writes each checkpoint to the folder, whole, and the last of each day beside it', async () => {
  await append();
  const { note, signedAt } = await checkpointer({ folder: join(folder, 'below') }).sign();
  const names = readdirSync(join(folder, 'below')).sort();
  expect(names).toEqual(['checkpoint', `checkpoint-${signedAt.toISOString().slice(0, 10)}`]);
  for (const name of names) expect(readFileSync(join(folder, 'below', name), 'utf8')).toBe(note);
});

it('several processes with one folder write each checkpoint whole, and leave nothing else in it', async () => {
  const [short, long] = ['a', 'b'.repeat(100_000)];
  const day = new Date('2026-11-28T12:00:00Z');
  for (let round = 0; round < 20; round += 1) await Promise.all([short, long].map((note) => publishTo(folder, note, day)));
  const names = ['checkpoint', 'checkpoint-2026-11-28'];
  expect(readdirSync(folder).sort()).toEqual(names);
  for (const name of names) expect([short, long]).toContain(readFileSync(join(folder, name), 'utf8'));
  rmSync(join(folder, 'checkpoint'));
  mkdirSync(join(folder, 'checkpoint'));
  await expect(publishTo(folder, short, day)).rejects.toThrow('EISDIR');
  expect(readdirSync(folder).sort()).toEqual(names);
});

it('goes on and says so where the folder cannot be written', async () => {
  await append();
  writeFileSync(join(folder, 'file'), '');
  await expect(checkpointer({ folder: join(folder, 'file', 'below') }).sign()).rejects.toThrow('ENOTDIR');
  // There is a folder in the place of the file.
  for (const ahead of [0, 1]) mkdirSync(join(folder, `checkpoint-${dayIn(ahead)}`));
  const { size } = await checkpointer({ folder }).sign();
  expect({ size, reasons: logged.map(({ reason }) => reason) }).toEqual({ size: 4, reasons: ['checkpoint_not_written'] });
});

it('publishes what another process signed a moment ago and could not write or have cosigned', async () => {
  const witness = await Witness.start(() => [keyOf(SEED)]);
  const unwritable = join(folder, 'full');
  for (const ahead of [0, 1]) mkdirSync(join(unwritable, `checkpoint-${dayIn(ahead)}`), { recursive: true });
  const [cut, well] = [checkpointer({ folder: unwritable }), checkpointer({ folder, witnesses: [witness.setting] })];
  for (const size of [4, 8]) {
    await append();
    await cut.signIfDue(0);
    await well.signIfDue(60_000);
    expect([told(published()).size, witness.seen.get(ORIGIN)?.size]).toEqual([size, size]);
  }
  const { rows } = await pool.query<{ checkpoints: number }>('select count(*)::int as checkpoints from checkpoint');
  expect(rows).toEqual([{ checkpoints: 2 }]);
  await witness.stop();
});

it('the command fails where the folder has not what it signed, and names the folder and the remedy', async () => {
  await append();
  const environment = { DATABASE_URL: test.databaseUrl, DATA_DIR: folder, CHECKPOINT_KEY: SEED.toString('base64') };
  const at = (name: string) => research(['checkpoint'], { ...environment, CHECKPOINT_DIR: join(folder, name) });
  writeFileSync(join(folder, 'file'), '');
  const unreadable = await at('file');
  expect(unreadable).toMatchObject({ code: 3, stdout: '' });
  expect(unreadable.stderr).toMatch(/CHECKPOINT_DIR .*\/file cannot be read \(ENOTDIR\): let this user/);
  for (const ahead of [0, 1]) mkdirSync(join(folder, `full/checkpoint-${dayIn(ahead)}`), { recursive: true });
  const unwritable = await at('full');
  expect(unwritable.code).toBe(1);
  expect(unwritable.stderr).toMatch(/could not be written to CHECKPOINT_DIR .*\/full: let this user write there/);
  expect(told(unwritable.stdout).size).toBe(4);
  expect(await at('other')).toMatchObject({ code: 0, stdout: unwritable.stdout });
});

it('signs although a process whose clock was ahead said that it did just now', async () => {
  await append();
  await checkpointer().sign();
  await pool.query(`update checkpoint set signed_at = now() + interval '1 year'`);
  await append();
  await checkpointer({ folder }).signIfDue(60_000);
  expect(told(published()).size).toBe(8);
});

describe('a process whose clock is off', () => {
  const OTHERS = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval'] as const;
  afterEach(() => jest.useRealTimers());

  it.each([-10, 10])('by %i minutes dates what it signs by the clock of the database, as the events are', async (minutes) => {
    const { threadId } = await finishedThread(test.store);
    await deleteThread(test.store, threadId);
    await sequence(pool);
    jest.useFakeTimers({ now: Date.now() + minutes * 60_000, doNotFake: [...OTHERS, 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const { note } = await checkpointer().sign();
    // Another process signed a moment ago, whatever the clock of this one says.
    await append();
    await checkpointer().signIfDue(60_000);
    jest.useRealTimers();
    const receipt = await receiptOf(pool, TENANT, threadId);
    if (receipt === null || receipt === 'unsigned') throw new Error('the deletion has no receipt');
    const { deletedAt, signedAt } = readReceipt(parseNote(receipt.note).text);
    const { rows } = await pool.query<{ checkpoints: number; now: Date }>('select count(*)::int as checkpoints, now() from checkpoint');
    const [{ checkpoints, now } = { checkpoints: 0, now: new Date(0) }] = rows;
    const inOrder = [deletedAt, told(note).time, signedAt, now.toISOString()];
    expect(inOrder).toEqual([...inOrder].sort());
    expect(checkpoints).toBe(1);
    expect(await checkpointAge(pool)).toBeLessThan(60);
  });
});

it('puts no older checkpoint into the folder than it has, after it was held up', async () => {
  await append();
  const { isSaved, goOn } = startPublishing();
  await isSaved;
  await append();
  await checkpointer({ folder }).sign();
  await goOn();
  expect(told(published()).size).toBe(8);
  await append();
  await checkpointer({ folder }).sign();
  expect(told(published()).size).toBe(12);

  /** A process that stops between its signature and what it publishes. */
  function startPublishing() {
    let isInserted = false;
    const saved = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = new Proxy(pool, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name) as unknown;
        return async (query: unknown, values?: unknown[]) => {
          const answer = await target.query(query as string, values);
          if (isInserted) {
            saved.resolve();
            await held.promise;
          }
          isInserted ||= String(query).includes('insert into checkpoint ');
          return answer;
        };
      },
    });
    const signing = new Checkpointer(slow, { keys: [SEED], origin: ORIGIN, folder, witnesses: [] }, logger).sign();
    const goOn = async (): Promise<void> => {
      held.resolve();
      await signing;
    };
    return { isSaved: saved.promise, goOn };
  }
});

it('two processes sign one log', async () => {
  await append();
  const [one, other] = await Promise.all([checkpointer().sign(), checkpointer().sign()]);
  expect(one.note).toBe(other.note);
  expect(await logOrigins(pool)).toHaveLength(1);
});

describe('a tree that is not the one of the events', () => {
  const many = () =>
    pool.query(
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash, appended_at)
        select 'thr_' || number / 10, 1 + number % 10, 'evt_' || number, 'MessageAdded', 1, '{}', '{}', '', sha256(number::text::bytea), null
        from generate_series(0, 299) as number`,
    );

  const otherByte = (column: string) => `set_byte(${column}, 0, (get_byte(${column}, 0) + 1) % 256)`;
  const NODE = [
    `update log_node set hash = ${otherByte('hash')} where level = 8 and index = 0`,
    /^log: log_node: 8\/0 is not the hash of the entries under it\. /,
  ] as const;
  const LEAF = [
    `update log_entry set leaf_hash = ${otherByte('leaf_hash')} where index = 290`,
    /^thr_29, event 1: leaf_hash: entry 290 of the log was made of another hash or time of append\. /,
  ] as const;
  /** The same change once more does not undo it. */
  const repair = (damage: string) => pool.query(damage.replace('+ 1)', '+ 255)'));

  it.each([
    ['a node', ...NODE],
    ['a leaf', ...LEAF],
  ])('is not signed, and opens no other log: %s', async (_, damage, told) => {
    await many();
    await sequence(pool);
    const before = await checkpointer({ folder }).sign();
    await pool.query(damage);
    await append();
    for (const signing of [checkpointer({ folder }), checkpointer()]) await expect(signing.sign()).rejects.toThrow(told);
    await expect(checkpointer().sign(before.note)).rejects.toThrow(told);
    expect(published()).toBe(before.note);
    await repair(damage);
    const { note } = await checkpointer({ folder }).sign();
    expect(logged).toEqual([]);
    expect(parseCheckpoint(parseNote(note).text)).toMatchObject({ origin: ORIGIN, size: 304, predecessor: null });
  });

  it.each([
    ['a node', ...NODE],
    ['a leaf', ...LEAF],
  ])('is not signed where it was damaged before any checkpoint has it: %s', async (_, damage, told) => {
    await append();
    await checkpointer({ folder }).sign();
    await many();
    await sequence(pool);
    const shifted = damage.replace('290', '294');
    await pool.query(shifted);
    await expect(checkpointer({ folder }).sign()).rejects.toThrow(new RegExp(told.source.replace('290', '294')));
    await repair(shifted);
    const { note } = await checkpointer({ folder }).sign();
    expect(parseCheckpoint(parseNote(note).text)).toMatchObject({ origin: ORIGIN, size: 304 });
  });

  it('opens no other log where its last entries are missing', async () => {
    await append();
    const before = await checkpointer({ folder }).sign();
    await append();
    await sequence(pool);
    await pool.query('delete from log_entry where index >= 6');
    await expect(checkpointer({ folder }).sign(before.note)).rejects.toThrow('of 8 entries of the log those from 6 on are missing');
    expect(await logOrigins(pool)).toHaveLength(1);
  });

  it('is not signed where an event behind the checkpoint is another one', async () => {
    await append();
    await checkpointer({ folder }).sign();
    await many();
    await sequence(pool);
    await pool.query('alter table event disable trigger user');
    await pool.query(`update event set hash = ${otherByte('hash')} where stream_id = 'thr_29' and version = 1`);
    await expect(checkpointer({ folder }).sign()).rejects.toThrow(
      'thr_29, event 1: leaf_hash: entry 294 of the log was made of another hash',
    );
  });
});

describe('a restore behind a published checkpoint opens a new log that signs the old root', () => {
  const successor = expect.stringMatching(/^audit\.example\.org\/log\/[0-9a-f]{8}$/);

  it.each([
    ['as the folder shows', async () => checkpointer({ folder })],
    ['as the process itself knows, which goes on', async (running: Checkpointer) => running],
  ])('%s', async (_, after) => {
    await append();
    const running = checkpointer({ folder });
    await running.sign();
    await append();
    const old = await running.sign();
    await restoreTo(4);
    await append();
    await append();
    const { note } = await (await after(running)).sign();
    const { root, size } = told(old.note);
    expect(told(note)).toMatchObject({ origin: successor, size: 12, predecessor: { origin: ORIGIN, size, root } });
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'log_opened', predecessorSize: 8 }));
    // It stays the log from then on.
    await append();
    expect(told((await checkpointer({ folder }).sign()).note)).toMatchObject({
      origin: told(note).origin,
      size: 16,
      predecessor: { size: 8 },
    });
    expect(published()).toContain('\n16\n');
  });

  it('where an operator holds the checkpoint', async () => {
    await append();
    await append();
    const old = await checkpointer().sign();
    await restoreTo(4);
    await pool.query('delete from checkpoint');
    const { note } = await checkpointer().sign(old.note);
    expect(told(note)).toMatchObject({ origin: successor, size: 4, predecessor: { origin: ORIGIN, size: 8, root: told(old.note).root } });
    await expect(checkpointer().sign(old.note.replace('\n8\n', '\n9\n'))).rejects.toThrow('not one that a key of this log has signed');
    // A log that has everything is not left for a new one.
    await expect(checkpointer().sign(note)).rejects.toThrow('nothing was lost');
  });

  it('where the database is another one than before and nothing shows that it has everything', async () => {
    await append();
    await checkpointer({ folder }).sign();
    await pool.query(`update log_origin set cluster = 'another'`);
    // The folder has the newest checkpoint, which the log continues.
    expect(told((await checkpointer({ folder }).sign()).note).origin).toBe(ORIGIN);
    await pool.query(`update log_origin set cluster = 'another'`);
    const { note } = await checkpointer().sign();
    expect(told(note)).toMatchObject({ origin: successor, size: 4, predecessor: { origin: ORIGIN, size: 4 } });
  });

  it('where another process signed last, the database lost that, and no folder shows it', async () => {
    await append();
    const running = checkpointer();
    await running.sign();
    await append();
    const { note: lost } = await checkpointer().sign();
    await restoreTo(4);
    await pool.query(`update log_origin set cluster = 'another'`);
    await append();
    await append();
    const { note } = await running.sign();
    expect(told(note)).toMatchObject({ origin: successor, size: 12, predecessor: { origin: ORIGIN, size: 4 } });
    expect(told(lost)).toMatchObject({ origin: ORIGIN, size: 8 });
  });

  it('and a process that was held up meanwhile signs nothing of the old one', async () => {
    await append();
    await checkpointer({ folder }).sign();
    await append();
    const late = new Proxy(pool, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name) as unknown;
        return async (query: unknown, values?: unknown[]) => {
          if (String(query).includes('insert into checkpoint ')) await takeOver();
          return target.query(query as string, values);
        };
      },
    });
    const takeOver = async () => {
      await restoreTo(4);
      await pool.query(`update log_origin set cluster = 'another'`);
      await append();
      await append();
      await checkpointer().sign();
    };
    await new Checkpointer(late, { keys: [SEED], origin: ORIGIN, folder, witnesses: [] }, logger).sign();
    const { rows } = await pool.query('select origin, size::int from checkpoint order by size');
    expect(rows).toEqual([
      { origin: ORIGIN, size: 4 },
      { origin: successor, size: 12 },
    ]);
    expect(told(published()).size).toBe(4);
  });

  it('where the database is another one, and the folder has not the newest checkpoint that is known', async () => {
    await append();
    await checkpointer({ folder }).sign();
    await append();
    await checkpointer().sign();
    await pool.query(`update log_origin set cluster = 'another'`);
    expect(told((await checkpointer({ folder }).sign()).note)).toMatchObject({
      origin: successor,
      predecessor: { origin: ORIGIN, size: 8 },
    });
  });

  it('where the restore went back behind the opening of a log', async () => {
    await append();
    const first = checkpointer({ folder });
    await first.sign();
    await pool.query('delete from log_origin');
    await pool.query('delete from checkpoint');
    const { note } = await checkpointer({ folder }).sign();
    expect(told(note)).toMatchObject({ origin: successor, predecessor: { origin: ORIGIN, size: 4 } });
  });

  it('takes no word of a checkpoint that somebody else signed', async () => {
    await append();
    await checkpointer().sign();
    const forged = await checkpointer({ keys: [Buffer.alloc(32, 99)], isNewKey: true }).sign();
    writeFileSync(join(folder, 'checkpoint'), forged.note.replace('\n4\n', '\n400\n'));
    expect(told((await checkpointer({ folder }).sign()).note).origin).toBe(ORIGIN);
  });
});

describe('a witness', () => {
  let witness: Witness;
  beforeEach(async () => {
    witness = await Witness.start((name) => (name.startsWith(ORIGIN) ? [keyOf(SEED, name)] : []));
  });
  afterEach(() => witness.stop());

  it('cosigns each checkpoint that continues the one before, and its cosignature is kept', async () => {
    const witnesses = [witness.setting];
    for (let round = 0; round < 3; round += 1) {
      await append();
      const checkpoint = await checkpointer({ witnesses }).sign();
      const lines = await cosignatures(pool, checkpoint);
      const signers = signersOf(parseNote(checkpoint.note + lines.join('')), [keyOf(SEED), witness.key]);
      expect(signers).toEqual([keyOf(SEED), witness.key]);
    }
    expect(witness.answered).toEqual([200, 200, 200]);
    expect(logged).toEqual([]);
  });

  it('that has seen more than is stored here is asked again from there', async () => {
    const witnesses = [witness.setting];
    await append();
    await checkpointer({ witnesses }).sign();
    await pool.query('delete from checkpoint_cosignature');
    await append();
    const checkpoint = await checkpointer({ witnesses }).sign();
    expect(witness.answered).toEqual([200, 409, 200]);
    expect(await cosignatures(pool, checkpoint)).toHaveLength(1);
  });

  it('cosigns nothing that was rewritten, and what it saw opens a new log', async () => {
    const witnesses = [witness.setting];
    await append();
    await append();
    await checkpointer({ witnesses }).sign();
    await restoreTo(4);
    await pool.query('delete from checkpoint_cosignature');
    const process = checkpointer({ witnesses });
    await process.sign();
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'checkpoint_not_cosigned', witness: 'witness.example/w1' }));
    await append();
    const { origin, predecessor } = told((await process.sign()).note);
    expect(origin).not.toBe(ORIGIN);
    expect(predecessor).toMatchObject({ origin: ORIGIN });
    expect(witness.answered.at(-1)).toBe(200);
  });

  it('that claims a larger log each time has one opened by each process, and is believed no more', async () => {
    const liar = await Witness.start(() => [], '999999999999\n');
    const witnesses = [liar.setting];
    const [one, other] = [checkpointer({ witnesses }), checkpointer({ witnesses })];
    for (let round = 0; round < 3; round += 1) {
      await append();
      await one.sign();
      await append();
      await other.sign();
    }
    await liar.stop();
    expect(liar.answered).toHaveLength(6);
    expect((await logOrigins(pool)).length).toBeLessThanOrEqual(3);
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'witness_not_believed', witness: 'witness.example/w1' }));
  });

  it('that does not answer is not waited for by a process that stops', async () => {
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
    const silent = createServer(() => asked()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const setting = { ...witness.setting, url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` };
    await createJob(test.store);
    const keeper = new LogKeeper(pool, checkpointer({ witnesses: [setting] }), 10, createLogger('silent'));
    keeper.start();
    await isAsked;
    const before = performance.now();
    await keeper.stop();
    expect(performance.now() - before).toBeLessThan(5_000);
    silent.closeAllConnections();
    silent.close();
  });

  it.each([
    ['does not know the log', () => [], 'it answered 404'],
    ['trusts another key', (name: string) => [keyOf(Buffer.alloc(32, 1), name)], 'it answered 403'],
  ])('that %s refuses, and the checkpoint stands', async (_, trusted, refused) => {
    const other = await Witness.start(trusted);
    await append();
    const { size } = await checkpointer({ witnesses: [other.setting] }).sign();
    await other.stop();
    expect({ size, logged }).toEqual({ size: 4, logged: [expect.objectContaining({ refused })] });
  });

  it('that is not there, or whose key is another one, changes nothing', async () => {
    await append();
    const stranger = { ...witness.setting, key: textOfKey({ ...keyOf(Buffer.alloc(32, 2), 'witness.example/w1'), type: 4 }) };
    const nobody = { ...witness.setting, url: 'http://127.0.0.1:1' };
    const { size } = await checkpointer({ witnesses: [stranger, nobody] }).sign();
    expect({ size, reasons: logged.map(({ reason }) => reason) }).toEqual({
      size: 4,
      reasons: ['checkpoint_not_cosigned', 'checkpoint_not_cosigned'],
    });
    expect(await cosignatures(pool, { origin: ORIGIN, size: 4 })).toEqual([]);
  });
});
