import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import { parseNote, signedNote, signerKey, type VerifierKey } from '@lib/audit/format/signed-note';
import type { Pool } from '@lib/store/postgres/pool';
import type { Store } from '@lib/store/store';
import type { PoolClient } from 'pg';
import type { Anchor } from '../../src/audit/anchor';
import { Checkpointer } from '../../src/audit/checkpointer';
import { sequence } from '../../src/audit/sequencer';
import { verifyHistories } from '../../src/audit/verify-histories';
import { verifyLog } from '../../src/audit/verify-log';
import { complete, report, start, success } from '../support/job-history';
import fc from '../support/properties';
import { settleLog } from '../support/log';
import { Bundles } from '../support/bundles';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, onJob } from '../support/streams';
import { rechained, sql, tampered, where, without, type Tamper } from '../support/tampering';

const ORIGIN = 'audit.example.org/log';
const OURS = Buffer.alloc(32, 7);
const THEIRS = Buffer.alloc(32, 8);
const silent = { warn: () => undefined, info: () => undefined } as never;
const checkpointer = (pool: Pool, seed = OURS) =>
  new Checkpointer(pool, { keys: [seed], origin: ORIGIN, folder: null, witnesses: [], isNewKey: true }, silent);
const verifierKey = (seed: Buffer): VerifierKey => signerKey(ORIGIN, seed);

let test: TestStore;
let store: Store;
/** A job that ended, its thread, and another thread with its job. */
let [threadId, jobId] = ['', ''];
let other = { threadId: '', jobId: '' };
/** Checkpoints that an auditor kept: one from the middle, and the newest one. */
let [middle, newest] = [anchorOf(''), anchorOf('')];
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  other = await createJob(store);
  const created = await createJob(store);
  [threadId, jobId] = [created.threadId, created.jobId];
  await sequence(store.pool);
  const signed = await checkpointer(store.pool).sign();
  for (const stepId of created.stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success(20_000)));
  await onJob(store, jobId, complete);
  await addMessage(store, threadId);
  // The floor is above every event then.
  await settleLog(store.pool);
  const last = await checkpointer(store.pool).sign();
  [middle, newest] = [anchorOf(signed.note), anchorOf(last.note)];
});
afterAll(() => test.close());

function anchorOf(text: string): Anchor {
  const note = text === '' ? { text, signatures: [] } : parseNote(text);
  return { file: 'kept', note, checkpoint: text === '' ? (null as never) : parseCheckpoint(note.text) };
}

/** What the histories show, what the log shows beside them, and what it shows to somebody who kept a checkpoint. */
const look = async (pool: Pool, kept: Anchor[] = [newest]) => ({
  histories: (await verifyHistories(pool, {}, () => undefined)).faults,
  log: (await verifyLog(pool, [], [], () => undefined)).faults,
  against: (await verifyLog(pool, kept, [], () => undefined)).faults,
});

it('finds nothing where nothing was changed, whatever is kept of it', async () => {
  expect(await look(store.pool, [middle, newest])).toEqual({ histories: [], log: [], against: [] });
  const { entries, checkpoints } = await verifyLog(store.pool, [middle], [verifierKey(OURS)], () => undefined);
  expect({ entries, checkpoints }).toEqual({ entries: newest.checkpoint.size, checkpoints: 3 });
});

it('an erasure changes no leaf', async () => {
  await deleteThread(store, other.threadId);
  await store.erasure.erase(other.threadId);
  expect(await look(store.pool, [middle, newest])).toEqual({ histories: [], log: [], against: [] });
  await settleLog(store.pool);
  newest = anchorOf((await checkpointer(store.pool).sign()).note);
});

const inLog = (field: string, what: string) => ({ streamId: 'log', field, what: expect.stringContaining(what) });

describe('the log alone shows', () => {
  type Tampering = [what: string, tamper: () => Tamper, place: () => object];
  const CASES: Tampering[] = [
    [
      'the last event of a stream removed',
      () => sql(`delete from event ${where}`, jobId, 7),
      () => ({ streamId: jobId, version: 7, field: 'event' }),
    ],
    [
      'a message removed and the chain made right',
      () => rechained(threadId, without(threadId, 4)),
      () => ({ streamId: threadId, version: 4, field: 'event' }),
    ],
    [
      'a thread removed with all of its jobs',
      () => sql('delete from event where stream_id in ($1, $2)', threadId, jobId),
      () => ({ streamId: threadId, version: 1, field: 'event' }),
    ],
    [
      'another actor and the chain made right',
      () => rechained(jobId, sql(`update event set meta = meta || '{"actor": "key:another"}' ${where}`, jobId, 2)),
      () => ({ streamId: jobId, version: 2, field: 'leaf_hash' }),
    ],
    [
      'another time of an append',
      () => sql(`update event set appended_at = appended_at + interval '1 microsecond' ${where}`, jobId, 3),
      () => ({ streamId: jobId, version: 3, field: 'leaf_hash' }),
    ],
    [
      'a time of an append removed',
      () => sql(`update event set appended_at = null ${where}`, jobId, 3),
      () => ({ streamId: jobId, version: 3, field: 'leaf_hash' }),
    ],
    [
      'the actor of a receipt',
      () => sql(`update deletion_receipt set note = replace(note, 'role:test', 'role:tess')`),
      () => ({ streamId: other.threadId, field: 'deletion_receipt' }),
    ],
    [
      'the streams of a receipt',
      () => sql(`update deletion_receipt set streams = replace(streams, '"version":', '"version":1')`),
      () => ({ streamId: other.threadId, field: 'deletion_receipt' }),
    ],
    [
      'the size of a receipt',
      () => sql('update deletion_receipt set size = size + 1'),
      () => ({ streamId: other.threadId, field: 'deletion_receipt' }),
    ],
    [
      'a receipt removed',
      () => sql('delete from deletion_receipt'),
      () => ({ streamId: other.threadId, field: 'deletion_receipt', what: expect.stringContaining('the row of its receipt is missing') }),
    ],
    [
      'a receipt given to another tenant',
      () => sql(`update deletion_receipt set tenant_id = 'another'`),
      () => ({ streamId: other.threadId, field: 'deletion_receipt', what: 'the receipt is not stored as what it says' }),
    ],
    [
      'a receipt given to another tenant before it is signed',
      () => sql(`update deletion_receipt set tenant_id = 'another', note = null, size = null, streams = null`),
      () => ({ streamId: other.threadId, field: 'deletion_receipt', what: expect.stringContaining('is of another tenant') }),
    ],
    [
      'a receipt that was signed for another tenant, to which it had been given',
      () => async (client) => {
        await client.query(`update deletion_receipt set tenant_id = 'another', note = null, size = null, streams = null`);
        await checkpointer(client as unknown as Pool).sign();
      },
      () => ({ streamId: other.threadId, field: 'deletion_receipt', what: 'the receipt is of another tenant than the thread' }),
    ],
    ['another leaf', () => sql('update log_entry set leaf_hash = sha256(leaf_hash) where index = 5'), () => ({ field: 'leaf_hash' })],
    ['an entry removed', () => sql('delete from log_entry where index = 5'), () => inLog('log_entry', 'entry 5 is missing')],
    [
      'the last entries removed',
      () => sql('delete from log_entry where index > 5'),
      () => inLog('log_entry', 'entries those from 6 on are missing'),
    ],
    [
      'the last entries removed, openly',
      () => cutTo(6),
      () => inLog('log_entry', `the log has 6 entries, and the checkpoint of ${ORIGIN} says that it had 8`),
    ],
    ['a smaller size', () => sql('update log_head set size = size - 1'), () => inLog('log_head', 'and there are 1 more')],
    ['two entries that changed places', () => swapped(3, 5), () => inLog('root', 'the events are not those of')],
    [
      'another public key',
      () => sql('update checkpoint_key set public_key = sha256(public_key)'),
      () => inLog('checkpoint_key', 'is not the one that its id says'),
    ],
    [
      'another note',
      () => sql(`update checkpoint set note = replace(note, E'\\n8\\n', E'\\n7\\n')`),
      () => inLog('checkpoint', 'the signature, or what it is under, was changed'),
    ],
    [
      'another size of a checkpoint',
      () => sql('update checkpoint set size = 7 where size = 8'),
      () => inLog('checkpoint', 'is not stored as what it says'),
    ],
    [
      'another time of a checkpoint',
      () => sql(`update checkpoint set signed_at = signed_at + interval '1 second' where size = 8`),
      () => inLog('checkpoint', 'is not stored as what it says'),
    ],
    [
      'every checkpoint removed',
      () => sql('delete from checkpoint'),
      () => inLog('checkpoint', `the log ${ORIGIN} was signed, and has no checkpoint`),
    ],
    [
      'a checkpoint removed that a receipt names',
      () => sql('delete from checkpoint where size = (select size from deletion_receipt)'),
      () => inLog('checkpoint', `which the receipt of ${other.threadId} names, is missing`),
    ],
    [
      'a checkpoint removed that a witness has cosigned',
      () => async (client) => {
        await client.query(`insert into checkpoint_cosignature (origin, size, witness, line) values ($1, $2, 'one', '—')`, [
          ...[ORIGIN, middle.checkpoint.size],
        ]);
        await client.query('delete from checkpoint where size = $1', [middle.checkpoint.size]);
      },
      () => inLog('checkpoint', `the checkpoint of ${ORIGIN} at ${middle.checkpoint.size}, which a witness has cosigned, is missing`),
    ],
    ['a checkpoint that a stranger signed', () => resigned, () => inLog('checkpoint', 'is not signed by a key of the log')],
    [
      'another log before this one',
      () => sql('update log_origin set predecessor = (select note from checkpoint limit 1)'),
      () => inLog('log_origin', 'names another log'),
    ],
  ];
  it.each(CASES)('%s', async (_, tamper, place) => {
    const { log } = await tampered(store.pool, tamper(), look);
    expect(log).toContainEqual(expect.objectContaining(place()));
  });

  it('a receipt taken away, once checkpoints of more than an hour have the deletion', async () => {
    const unsigned = sql('update deletion_receipt set note = null, size = null, streams = null');
    expect((await tampered(store.pool, unsigned, look)).log).toEqual([]);
    await createJob(store);
    const signedLater =
      (minutes: number): Tamper =>
      async (client) => {
        await sequence(client as unknown as Pool);
        await checkpointer(aheadBy(minutes, client as unknown as Pool)).sign();
        await unsigned(client);
      };
    expect((await tampered(store.pool, signedLater(50), look)).log).toEqual([]);
    const { log } = await tampered(store.pool, signedLater(70), look);
    const what = expect.stringContaining('checkpoints of more than 60 minutes have its deletion, and its receipt is not signed');
    expect(log).toEqual([{ streamId: other.threadId, version: null, field: 'deletion_receipt', what }]);
  });

  it('an event that is not in the log though it came before others that are', async () => {
    const hidden = await createJob(store);
    const { log } = await tampered(
      store.pool,
      async (client) => {
        for (let round = 0; round < 3; round += 1) await sequence(client as unknown as Pool);
        const { rows } = await client.query<{ index: number }>('select min(index)::int as index from log_entry where stream_id = $1', [
          hidden.threadId,
        ]);
        await client.query('delete from log_entry where index >= $1', [rows[0]?.index]);
        await client.query('update log_head set size = $1, floor = (select max(position) from event)', [rows[0]?.index]);
      },
      look,
    );
    expect(log).toContainEqual({ streamId: hidden.threadId, version: 1, field: 'log_entry', what: 'the event is not in the log' });
  });
});

/** A database whose clock is so many minutes ahead. */
const aheadBy = (minutes: number, pool: Pool): Pool =>
  Object.create(pool, {
    query: {
      value: (query: unknown, ...rest: unknown[]): unknown =>
        Reflect.apply(pool.query, pool, [
          typeof query === 'string'
            ? query.replace('statement_timestamp()', `statement_timestamp() + interval '${minutes} minutes'`)
            : query,
          ...rest,
        ]),
    },
  }) as Pool;

const cutTo =
  (size: number): Tamper =>
  async (client) => {
    await client.query(
      'delete from event using log_entry where index >= $1 and event.stream_id = log_entry.stream_id and event.version = log_entry.version',
      [size],
    );
    await client.query('delete from log_entry where index >= $1', [size]);
    await client.query('update log_head set size = $1, floor = 0, mark = 0', [size]);
  };

const swapped =
  (one: number, two: number): Tamper =>
  async (client) => {
    for (const [from, to] of [
      [one, -1],
      [two, one],
      [-1, two],
    ]) {
      await client.query('update log_entry set index = $2 where index = $1', [from, to]);
    }
  };

const resigned: Tamper = async (client) => {
  const { rows } = await client.query<{ size: string; note: string }>('select size, note from checkpoint');
  for (const { size, note } of rows)
    await client.query('update checkpoint set note = $2 where size = $1', [
      size,
      signedNote(parseNote(note).text, [signerKey(ORIGIN, THEIRS)]),
    ]);
};

/** Makes the log anew of what there is, as somebody would who knows how it is made, and signs it with a key of their own. */
const relogged =
  (tamper: Tamper): Tamper =>
  async (client: PoolClient) => {
    await tamper(client);
    await client.query('truncate log_entry, log_node, checkpoint, checkpoint_key, log_origin, deletion_receipt');
    await client.query(`update log_head set size = 0, epoch = '', floor = 0, mark = 0, mark_xmax = '0'`);
    const pool = client as unknown as Pool;
    await sequence(pool);
    await checkpointer(pool, THEIRS).sign();
  };

const reversed: Tamper = async (client) => {
  await client.query('alter table event alter position drop identity');
  await client.query('update event set position = position + 1000 where stream_id = $1', [other.threadId]);
};

describe('only who kept a checkpoint finds, where the log was made anew and signed by another key', () => {
  const CASES: [what: string, tamper: () => Tamper][] = [
    ['the last event of a stream removed', () => sql(`delete from event ${where}`, jobId, 7)],
    ['a message removed and the chain made right', () => rechained(threadId, without(threadId, 4))],
    ['a thread removed with all of its jobs', () => sql('delete from event where stream_id in ($1, $2)', threadId, jobId)],
    [
      'another actor and the chain made right',
      () => rechained(jobId, sql(`update event set meta = meta || '{"actor": "key:another"}' ${where}`, jobId, 2)),
    ],
    ['another time of an append', () => sql(`update event set appended_at = appended_at + interval '1 second' ${where}`, jobId, 3)],
    ['two events that changed their order', () => reversed],
  ];
  it.each(CASES)('%s', async (_, tamper) => {
    const { histories, log, against } = await tampered(store.pool, relogged(tamper()), look);
    expect({ histories, log }).toEqual({ histories: [], log: [] });
    expect(against).toContainEqual(expect.objectContaining(inLog('checkpoint', 'was signed by no key that the database or `--key` tells')));
    expect(against.map(({ field }) => field)).toContainEqual(expect.stringMatching(/^(root|log_entry)$/));
  });

  it('the end of everything cut off', async () => {
    const cut: Tamper = async (client) => {
      await cutTo(middle.checkpoint.size)(client);
      await client.query('delete from checkpoint where size > $1', [middle.checkpoint.size]);
      await client.query('delete from deletion_receipt where size > $1', [middle.checkpoint.size]);
    };
    const { log, against } = await tampered(store.pool, cut, look);
    const [has, had] = [middle.checkpoint.size, newest.checkpoint.size];
    expect({ log, against }).toEqual({
      log: [],
      against: [expect.objectContaining(inLog('log_entry', `the log has ${has} entries, and the checkpoint kept says that it had ${had}`))],
    });
  });

  it('a checkpoint removed that nothing else in the database names', async () => {
    const remove = sql('delete from checkpoint where size = $1', middle.checkpoint.size);
    const { log, against } = await tampered(store.pool, remove, (pool) => look(pool, [middle, newest]));
    const gone = `the checkpoint kept of ${ORIGIN} at ${middle.checkpoint.size} is not in the database any more`;
    expect({ log, against }).toEqual({ log: [], against: [expect.objectContaining(inLog('checkpoint', gone))] });
  });

  it('that nothing was changed but the key', async () => {
    // So that the log made anew is signed at another size.
    await createJob(store);
    const { log, against } = await tampered(
      store.pool,
      relogged(() => Promise.resolve()),
      look,
    );
    const whats = ['was signed by no key', 'is not in the database any more'];
    expect({ log, against }).toEqual({
      log: [],
      against: whats.map((what) => expect.objectContaining(inLog('checkpoint', what)) as object),
    });
  });

  it('that a stranger’s key signed later checkpoints, though the old key is still told', async () => {
    await createJob(store);
    const signLater: Tamper = async (client) => {
      await sequence(client as unknown as Pool);
      await checkpointer(client as unknown as Pool, THEIRS).sign();
    };
    const { log, against } = await tampered(store.pool, signLater, look);
    expect({ log, against }).toEqual({
      log: [],
      against: [expect.objectContaining(inLog('checkpoint', 'is signed by no key that you named or that signed what you kept'))],
    });
  });

  it('says of a key of another log whose log this is', async () => {
    const key = signerKey('audit.example.org/another', THEIRS);
    const { faults } = await verifyLog(store.pool, [], [key], () => undefined);
    const what = `It is signed as ${ORIGIN}, and the key that you named is of audit.example.org/another`;
    expect(faults).toContainEqual(expect.objectContaining(inLog('checkpoint', what)));
  });

  it('that a stranger, who put a signature of their own under a genuine checkpoint, made anew and signed all that follows', async () => {
    const rewritten = rechained(jobId, sql(`update event set meta = meta || '{"actor": "key:another"}' ${where}`, jobId, 3));
    const forge: Tamper = async (client) => {
      const mine = signedNote(middle.note.text, [signerKey(ORIGIN, THEIRS)]).slice(middle.note.text.length + 1);
      await client.query('update checkpoint set note = note || $2 where size = $1', [middle.checkpoint.size, mine]);
      await rewritten(client);
      await client.query('delete from checkpoint where size > $1', [middle.checkpoint.size]);
      await client.query('update deletion_receipt set note = null, size = null, streams = null');
      await client.query('delete from log_entry where index >= $1', [middle.checkpoint.size]);
      await client.query(`update log_head set size = $1, epoch = '', floor = 0, mark = 0`, [middle.checkpoint.size]);
      await sequence(client as unknown as Pool);
      await checkpointer(client as unknown as Pool, THEIRS).sign();
    };
    const ask = async (pool: Pool) => ({
      against: (await verifyLog(pool, [middle], [], () => undefined)).faults,
      ours: (await verifyLog(pool, [], [verifierKey(OURS)], () => undefined)).faults,
      both: (await verifyLog(pool, [], [verifierKey(OURS), verifierKey(THEIRS)], () => undefined)).faults,
    });
    const what = 'is signed by no key that you named or that signed what you kept';
    const untrusted = expect.arrayContaining([expect.objectContaining(inLog('checkpoint', what))]) as object[];
    expect(await tampered(store.pool, forge, ask)).toEqual({ against: untrusted, ours: untrusted, both: [] });
  });

  it('names the stretch in which the first difference lies, by the checkpoints that are still there', async () => {
    const rewritten = rechained(jobId, sql(`update event set meta = meta || '{"actor": "key:another"}' ${where}`, jobId, 3));
    const relogFrom: Tamper = async (client) => {
      await rewritten(client);
      const { rows } = await client.query<{ note: string }>('select note from checkpoint where size = $1', [middle.checkpoint.size]);
      expect(rows).toHaveLength(1);
      await client.query('delete from checkpoint where size > $1', [middle.checkpoint.size]);
      await client.query('delete from deletion_receipt where size > $1', [middle.checkpoint.size]);
      await client.query('delete from log_entry where index >= $1', [middle.checkpoint.size]);
      await client.query(`update log_head set size = $1, epoch = '', floor = 0, mark = 0`, [middle.checkpoint.size]);
      await sequence(client as unknown as Pool);
    };
    const { against } = await tampered(store.pool, relogFrom, look);
    expect(against).toContainEqual(
      expect.objectContaining(inLog('root', `between entry ${middle.checkpoint.size} (now ${jobId} version 2) and entry`)),
    );
  });
});

it('names the gap that a restore left', async () => {
  const restore: Tamper = async (client) => {
    await cutTo(middle.checkpoint.size)(client);
    await client.query('delete from checkpoint where size > $1', [middle.checkpoint.size]);
    await client.query('delete from deletion_receipt where size > $1', [middle.checkpoint.size]);
    await checkpointer(client as unknown as Pool).sign(signedNote(newest.note.text, [signerKey(ORIGIN, OURS)]));
  };
  const { log, against } = await tampered(store.pool, restore, (pool) => look(pool, [middle, newest]));
  const lost = `entries ${middle.checkpoint.size} to ${newest.checkpoint.size - 1} of the log ${ORIGIN}, which the checkpoint kept has, or the last`;
  expect({ log, against }).toEqual({ log: [], against: [expect.objectContaining(inLog('gap', lost))] });
});

describe('names the gap that a restore left from the newest checkpoint that agrees on', () => {
  const bundles = new Bundles();
  afterAll(bundles.remove);
  let last = { threadId: '', jobId: '' };
  beforeAll(async () => {
    last = await createJob(store);
  });

  it.each([
    ['all of the lost ones', () => sql('select'), 0],
    ['some of them', () => sql('delete from event where stream_id in ($1, $2)', last.threadId, last.jobId), 4],
  ])('where new entries have taken the places of %s, and exports no bundle against it', async (_, lose, lost) => {
    const rewritten = rechained(jobId, sql(`update event set meta = meta || '{"actor": "key:another"}' ${where}`, jobId, 3));
    let kept = newest;
    const restore: Tamper = async (client) => {
      await sequence(client as unknown as Pool);
      kept = anchorOf((await checkpointer(client as unknown as Pool).sign()).note);
      await rewritten(client);
      await lose()(client);
      await client.query('delete from checkpoint where size > $1', [middle.checkpoint.size]);
      await client.query('delete from deletion_receipt where size > $1', [middle.checkpoint.size]);
      await client.query('delete from log_entry where index >= $1', [middle.checkpoint.size]);
      await client.query(`update log_head set size = $1, epoch = '', floor = 0, mark = 0`, [middle.checkpoint.size]);
      await sequence(client as unknown as Pool);
      await checkpointer(client as unknown as Pool).sign(signedNote(kept.note.text, [signerKey(ORIGIN, OURS)]));
      const { rows } = await client.query<{ size: number }>('select size::int from log_origin order by number desc limit 1');
      expect(rows).toEqual([{ size: kept.checkpoint.size - lost }]);
    };
    const { found, exported } = await tampered(store.pool, restore, async (pool) => ({
      found: await look(pool, [middle, kept]),
      exported: await Promise.allSettled([middle, kept].map((anchor) => bundles.export(pool, { tenantId: TENANT }, [anchor]))),
    }));
    const gap = `entries ${middle.checkpoint.size} to ${kept.checkpoint.size - 1} of the log ${ORIGIN}, which the checkpoint kept has, or the last`;
    expect(found).toMatchObject({ log: [], against: [expect.objectContaining(inLog('gap', gap))] });
    expect(exported).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: expect.stringMatching(`^${gap} .* Leave it out, and hand on what`) as string } },
    ]);
  });
});

it('exports no bundle against a checkpoint that the log does not go on from', async () => {
  const bundles = new Bundles();
  const another = { ...middle, checkpoint: { ...middle.checkpoint, root: Buffer.alloc(32) } };
  await expect(bundles.export(store.pool, { tenantId: TENANT }, [another])).rejects.toThrow(
    'the log does not go on from the checkpoint kept',
  );
  bundles.remove();
});

it('any bit that is flipped in any column of the log that says what happened is found', async () => {
  await sequence(store.pool);
  const COLUMNS = [
    ['log_entry', 'index', 'int'],
    ['log_entry', 'stream_id', 'text'],
    ['log_entry', 'version', 'int'],
    ['log_entry', 'leaf_hash', 'bytes'],
    ['log_entry', 'tenant_id', 'text'],
    ['checkpoint', 'origin', 'text'],
    ['checkpoint', 'size', 'int'],
    ['checkpoint', 'note', 'text'],
    ['checkpoint_key', 'public_key', 'bytes'],
    ['log_head', 'size', 'int'],
    ['deletion_receipt', 'note', 'text'],
    ['deletion_receipt', 'size', 'int'],
    ['deletion_receipt', 'streams', 'text'],
    ['event', 'appended_at', 'time'],
  ] as const;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...COLUMNS), fc.nat(30), fc.nat(31), fc.nat(7), async ([table, column, kind], row, byte, bit) => {
      const flipped = {
        bytes: `set_byte(${column}, ${byte}, get_byte(${column}, ${byte}) # ${1 << bit})`,
        text: `overlay(${column} placing chr(ascii(substr(${column}, ${1 + (byte % 5)}, 1)) # ${1 << (bit % 6)}) from ${1 + (byte % 5)})`,
        int: `${column} # ${1 << bit}`,
        time: `${column} + interval '${1 << bit} microseconds'`,
      }[kind];
      const flip: Tamper = async (client) => {
        await client.query('alter table log_entry drop constraint log_entry_pkey, drop constraint log_entry_stream_id_version_key');
        await client.query('alter table checkpoint drop constraint checkpoint_pkey');
        const one = `select ctid from ${table} order by ctid offset (${row} % (select count(*) from ${table})) limit 1`;
        await client.query(`update ${table} set ${column} = ${flipped} where ctid = (${one})`);
      };
      const { log } = await tampered(store.pool, flip, look);
      expect({ table, column, found: log.length > 0 }).toEqual({ table, column, found: true });
    }),
    { numRuns: 80 },
  );
});
