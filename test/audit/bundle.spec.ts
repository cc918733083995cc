import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES, SUMS } from '@lib/audit/format/bundle/files';
import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import { readReceipt } from '@lib/audit/format/deletion-receipt';
import { parseNote, signerKey, signedNote, signersOf, textOfKey } from '@lib/audit/format/signed-note';
import type { Store } from '@lib/store/store';
import type { Anchor } from '../../src/audit/anchor';
import { asFolderError } from '../../src/audit/bundle/bundle-folder';
import { exportBundle } from '../../src/audit/bundle/export-bundle';
import { verifyBundle } from '../../src/audit/bundle/verify-bundle';
import {
  Bundles,
  CANARY,
  exampleHistories,
  forgeByCosigning,
  finishedThread,
  linesIn,
  onLines,
  ORIGIN,
  rechain,
  resum,
  signed,
  verifierKey,
  type Line,
  withoutReceipts,
} from '../support/bundles';
import fc from '../support/properties';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { deleteThread } from '../support/streams';

const LONG_AGO = new Date(0);
const PATIENCE_MS = 120_000;
jest.setTimeout(PATIENCE_MS);

const bundles = new Bundles();
let test: TestStore;
let store: Store;
let [whole, threadId, jobId, deletedId] = ['', '', '', ''];
let kept: Anchor;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  const made = await exampleHistories(store);
  ({ threadId, jobId, deletedId } = made);
  kept = anchorOf(made.kept);
  ({ folder: whole } = await bundles.export(store.pool, { since: LONG_AGO }, [kept]));
});
afterAll(async () => {
  bundles.remove();
  await test.close();
});

function anchorOf(text: string): Anchor {
  const note = parseNote(text);
  return { file: 'kept', note, checkpoint: parseCheckpoint(note.text) };
}

const look = (folder: string, anchors: Anchor[] = [], keys = [verifierKey]) => verifyBundle(folder, anchors, keys, () => undefined);

describe('a bundle that nobody changed', () => {
  it.each([
    ['everything', () => ({ since: LONG_AGO }), 6],
    ['a tenant', () => ({ tenantId: TENANT }), 6],
    ['a thread', () => ({ threadId }), 3],
    ['a deleted thread', () => ({ threadId: deletedId }), 3],
    ['a job', () => ({ jobId }), 2],
  ])('of %s has nothing wrong', async (_, scope, streams) => {
    const { folder, exported } = await bundles.export(store.pool, scope());
    expect(exported).toMatchObject({ streams, newer: 0 });
    expect(await look(folder)).toMatchObject({ streams, events: exported.events, faults: [], unknown: [], incomparable: [] });
    expect(await look(folder, [], [])).toMatchObject({ faults: [] });
  });

  it('has every entry of the log, if everything was asked for', async () => {
    const { events, entries, checkpoints } = await look(whole);
    expect({ events, checkpoints }).toEqual({ events: entries, checkpoints: 2 });
    expect(
      linesIn(whole, FILES.events)
        .map(({ index }) => index)
        .sort((one, other) => one - other),
    ).toEqual([...Array(entries).keys()]);
  });

  it('goes on from a checkpoint that an auditor kept, and says where it cannot be compared', async () => {
    expect(await look(whole, [kept])).toMatchObject({ faults: [], incomparable: [] });
    const other = anchorOf(signedNote(kept.note.text.replace(/\n\d+\n/, '\n3\n'), [signerKey(ORIGIN, Buffer.alloc(32, 7))]));
    expect(await look(whole, [other])).toMatchObject({
      faults: [],
      incomparable: [expect.stringContaining('the bundle has no proof from there')],
    });
  });

  it('holds no word of what people wrote, deleted or not', () => {
    for (const name of readdirSync(whole)) expect([name, readFileSync(join(whole, name)).includes(CANARY)]).toEqual([name, false]);
    const types = new Set(linesIn(whole, FILES.events).map(({ type }) => type));
    expect([...types]).toEqual(expect.arrayContaining(['ThreadDeleted', 'ContentErased', 'JobCompleted']));
  });

  it('has a receipt of what was deleted: who, when, which histories, how far they went, what remains and which checkpoint shows it', async () => {
    const [receipt, ...others] = linesIn(whole, FILES.deletions) as unknown as Receipt[];
    const { text, signatures } = parseNote(receipt?.note ?? '');
    expect(others).toEqual([]);
    expect(signersOf({ text, signatures }, [verifierKey])).toHaveLength(1);
    const events = linesIn(whole, FILES.events);
    const own = receipt?.streams.map(({ streamId }) => streamId) ?? [];
    const deletion = events.find(({ streamId, type }) => streamId === deletedId && type === 'ThreadDeleted');
    const { origin, size, root } = parseCheckpoint(parseNote(readFileSync(join(whole, FILES.checkpoint), 'utf8')).text);
    expect(readReceipt(text)).toEqual({
      ...{ threadId: deletedId, tenantId: TENANT, actor: 'role:test', deletedAt: deletion?.meta.occurredAt, signedAt: expect.any(String) },
      streams: { count: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      remains: { events: events.filter(({ streamId }) => own.includes(streamId)).length, content: false, key: false },
      checkpoint: { origin, size, root: root.toString('base64') },
    });
    for (const { streamId, head, erased } of receipt?.streams ?? []) {
      const hashOf = (version: number) => events.find((line) => line.streamId === streamId && line.version === version)?.hash;
      expect([hashOf(head.version), hashOf(erased.version)]).toEqual([head.hash, erased.hash]);
    }
    expect(await look(whole)).toMatchObject({ deletions: 1, notices: [expect.stringMatching(/^job job_/)] });
  });

  it('names a deleted thread of which there is no receipt', async () => {
    const { faults, notices } = await look(bundles.changed(whole, withoutReceipts));
    expect({ faults, notices }).toEqual({
      faults: [],
      notices: [`thread ${deletedId} is deleted and the bundle has no receipt of it`, expect.stringMatching(/^job job_/)],
    });
  });

  it('names a job that has no final event, since its end may have been cut off', async () => {
    const { faults, notices } = await look(whole);
    expect({ faults, notices }).toEqual({
      faults: [],
      notices: [expect.stringMatching(/^job job_\w+ has no final event: open when the bundle was made, or the end was cut off$/)],
    });
  });

  it('says that it ended at a fault of a file, behind which nothing was looked at', async () => {
    const spoiled = bundles.changed(whole, (folder) => {
      const place = join(folder, FILES.deletions);
      writeFileSync(place, readFileSync(place, 'utf8').replace('a', 'b'));
    });
    expect(await look(spoiled)).toMatchObject({ isCutShort: true, faults: [{ streamId: 'bundle' }] });
    expect(await look(whole)).toMatchObject({ isCutShort: false });
  });

  it('leaves out what has not been signed yet, and says how much that is', async () => {
    const fresh = await finishedThread(store);
    await expect(bundles.export(store.pool, { jobId: fresh.jobId })).rejects.toThrow('run `research checkpoint` and export again');
    const { exported, folder } = await bundles.export(store.pool, { tenantId: TENANT });
    expect(exported.newer).toBeGreaterThan(0);
    expect(await look(folder)).toMatchObject({ faults: [] });
    await signed(store.pool);
    const later = await bundles.export(store.pool, { since: new Date(Date.now() - 3_600_000), tenantId: TENANT });
    expect(later.exported).toMatchObject({ streams: 9, newer: 0 });
    const { exported: nothing } = await bundles.export(store.pool, { tenantId: TENANT, since: LONG_AGO });
    expect(nothing.streams).toBe(9);
    await expect(bundles.export(store.pool, { tenantId: TENANT, since: new Date(Date.now() + 3_600_000) })).rejects.toThrow(
      /holds no event of the tenant tenant-one since \S+Z: check the name and the time$/,
    );
    await expect(bundles.export(store.pool, { since: new Date(Date.now() + 3_600_000) })).rejects.toThrow(
      /holds no event of any tenant since \S+Z/,
    );
  });

  it('leaves nothing of a bundle that does not come about, but a folder that was there before', async () => {
    const there = bundles.folder();
    mkdirSync(there);
    const scope = { jobId: null, threadId: null, tenantId: 'nobody', since: null };
    for (const folder of [join(there, 'new', 'folder'), there]) {
      const exported = exportBundle(store.pool, { scope, folder, held: [], priceTables: new Map() }, () => undefined);
      await expect(exported).rejects.toThrow('the database holds no event of the tenant nobody: check the name');
      expect(readdirSync(there)).toEqual([]);
    }
  });
});

it('whose receipts an earlier key of the log has signed has nothing wrong for whoever names that key too', async () => {
  const later = await createTestStore();
  const { threadId: gone } = await finishedThread(later.store);
  await deleteThread(later.store, gone);
  await signed(later.store.pool);
  // So many that none of the checkpoints of the bundle is of the earlier key.
  for (let count = 0; count <= 11; count += 1) {
    await createJob(later.store);
    await signed(later.store.pool, Buffer.alloc(32, 8));
  }
  const { folder } = await bundles.export(later.store.pool, { threadId: gone });
  await later.close();
  const newKey = signerKey(ORIGIN, Buffer.alloc(32, 8));
  expect((await look(folder, [], [newKey])).faults).toEqual([inBundle(`${FILES.deletions} line 1`, 'name each key with --key')]);
  expect(await look(folder, [], [newKey, verifierKey])).toMatchObject({ deletions: 1, faults: [] });
});

interface Erased {
  streamId: string;
  head: { version: number; hash: string };
  erased: { version: number; hash: string };
}
interface Receipt {
  threadId: string;
  note: string;
  streams: Erased[];
}
const onReceipt = (change: (receipt: Receipt) => unknown) => onLines(FILES.deletions, ([line]) => void change(line as unknown as Receipt));

/** One line of a stream, in a bundle of everything. */
const event = (lines: Line[], streamId: string, version: number): Line => {
  const found = lines.find((line) => line.streamId === streamId && line.version === version);
  if (found) return found;
  throw new Error(`the bundle has no version ${version} of ${streamId}`);
};
const onEvent = (version: number, change: (line: Line) => void) => onLines(FILES.events, (lines) => change(event(lines, jobId, version)));
const ofJob = (version: number | null, field: string) => ({ streamId: jobId, version, field });
const inBundle = (field: string, what: string) => ({ streamId: 'bundle', version: null, field, what: expect.stringContaining(what) });

describe('a bundle that somebody changed on purpose, and whose digests are right again, shows', () => {
  type Tampering = [what: string, change: (folder: string) => void, fault: () => object];
  const CASES: Tampering[] = [
    ['another fact', (folder) => onEvent(3, (line) => (line.facts.attempt = 2))(folder), () => ofJob(3, 'hash')],
    [
      'another actor, with the chain made right',
      (folder) => chained((line) => (line.meta.actor = 'key:another'))(folder),
      () => ofJob(3, 'proof'),
    ],
    [
      'another time, with the chain made right',
      (folder) => chained((line) => (line.meta.occurredAt = '2999-01-01T00:00:00.000Z'))(folder),
      () => ofJob(3, 'proof'),
    ],
    ['an event less', (folder) => without((line) => line.version === 3)(folder), () => ofJob(3, 'version')],
    ['a beginning less', (folder) => without((line) => line.version === 1)(folder), () => ofJob(1, 'version')],
    [
      'two events swapped',
      (folder) => onLines(FILES.events, (lines) => swap(lines, event(lines, jobId, 3), event(lines, jobId, 4)))(folder),
      () => ofJob(3, 'version'),
    ],
    ['another digest of content', (folder) => onEvent(1, (line) => (line.sealedSha256 = 'ab'.repeat(32)))(folder), () => ofJob(1, 'hash')],
    ['another hash', (folder) => onEvent(7, (line) => (line.hash = 'ab'.repeat(32)))(folder), () => ofJob(7, 'hash')],
    [
      'another time of an append',
      (folder) => onEvent(3, (line) => (line.appendedAt = '2026-01-01T00:00:00.000000Z'))(folder),
      () => ofJob(3, 'proof'),
    ],
    ['another place in the log', (folder) => onEvent(3, (line) => (line.index += 1))(folder), () => ofJob(3, 'proof')],
    [
      'the proof of another event',
      (folder) => onLines(FILES.events, (lines) => void (event(lines, jobId, 3).proof = event(lines, jobId, 5).proof))(folder),
      () => ofJob(3, 'proof'),
    ],
    ['a shorter proof', (folder) => onEvent(3, (line) => line.proof.pop())(folder), () => ofJob(3, 'proof')],
    [
      'a job of the thread removed',
      (folder) => onLines(FILES.events, (lines) => lines.filter((line) => line.streamId !== jobId))(folder),
      () => ({ streamId: threadId, field: 'facts.jobId' }),
    ],
    [
      'a thread without its jobs',
      (folder) => onLines(FILES.events, (lines) => lines.filter((line) => line.streamId !== threadId))(folder),
      () => ({ field: 'facts.threadId' }),
    ],
    [
      'a history twice',
      (folder) =>
        onLines(FILES.events, (lines) => [...lines, ...lines.filter((line) => line.streamId.startsWith('thr_') === true)])(folder),
      () => ({ field: 'order' }),
    ],
    ['an invented member', (folder) => onEvent(3, (line) => (line.note = 'x'))(folder), () => inBundle(lineOfEvent(3), 'has the members')],
    ['a member less', (folder) => onEvent(3, (line) => delete line.appendedAt)(folder), () => inBundle(lineOfEvent(3), 'has the members')],
    [
      'a text for a number',
      (folder) => onEvent(3, (line) => (line.version = '3'))(folder),
      () => inBundle(lineOfEvent(3), 'version that is no whole number'),
    ],
    [
      'a proof of other things',
      (folder) => onEvent(3, (line) => void (line.proof = [7]))(folder),
      () => inBundle(lineOfEvent(3), 'no hash in base64'),
    ],
    [
      'another number of events than the head says',
      (folder) => edit(folder, FILES.head, (text) => text.replace(/"events": /, '"events": 1')),
      () => inBundle(FILES.head, 'events of'),
    ],
    [
      'another checkpoint',
      (folder) => edit(folder, FILES.checkpoint, (text) => text.replace(/\n\d+\n/, '\n17\n')),
      () => inBundle(FILES.checkpoint, 'the signature, or what it is under, was changed'),
    ],
    [
      'the checkpoint of another key',
      (folder) => edit(folder, FILES.checkpoint, resigned),
      () => inBundle(FILES.checkpoint, 'not signed by a key'),
    ],
    [
      'the checkpoint and the keys of somebody else',
      forged,
      () => inBundle(FILES.checkpoint, 'signed by no key that you named or that signed what you kept'),
    ],
    [
      'the checkpoint of somebody else, who put a signature of their own under an older one',
      cosigned,
      () => inBundle(FILES.checkpoint, 'signed by no key that you named or that signed what you kept'),
    ],
    [
      'a wrong proof of consistency',
      (folder) => onLines(FILES.consistency, ([line]) => void line?.proof.reverse())(folder),
      () => inBundle(`${FILES.consistency} line 1`, 'does not prove'),
    ],
    [
      'a head of another log',
      (folder) => edit(folder, FILES.head, (text) => text.replace(ORIGIN, 'another')),
      () => inBundle(FILES.head, 'names the checkpoint'),
    ],
    [
      'a key that is none',
      (folder) => edit(folder, FILES.keys, () => 'audit+00000000+AAAA\n'),
      () => inBundle(`${FILES.keys} line 1`, 'must be a verifier key'),
    ],
    [
      'a receipt of another actor',
      onReceipt((receipt) => (receipt.note = receipt.note.replace('role:test', 'role:tess'))),
      () => inBundle(`${FILES.deletions} line 1`, 'the signature, or what it is under, was changed'),
    ],
    [
      'a receipt with another head before',
      onReceipt(({ streams }) => (streams[1] as Erased).head.version++),
      () => inBundle(`${FILES.deletions} line 1`, 'lists other streams'),
    ],
    [
      'a receipt without a stream',
      onReceipt(({ streams }) => streams.pop()),
      () => inBundle(`${FILES.deletions} line 1`, 'lists other streams'),
    ],
    [
      'a receipt of another thread',
      onReceipt((receipt) => (receipt.threadId = threadId)),
      () => inBundle(`${FILES.deletions} line 1`, 'the events do not show as deleted'),
    ],
    [
      'a receipt twice',
      onLines(FILES.deletions, (lines) => [...lines, ...lines]),
      () => inBundle(`${FILES.deletions} line 2`, 'comes twice, or not in the order of ids'),
    ],
    [
      'a receipt removed',
      (folder) => writeFileSync(join(folder, FILES.deletions), ''),
      () => inBundle(FILES.head, 'and 1 receipts, and there are'),
    ],
    [
      'a signed receipt that says something else',
      onReceipt((receipt) => {
        const { text } = parseNote(receipt.note);
        receipt.note = signedNote(text.replace('role:test', 'role:tess'), [signerKey(ORIGIN, Buffer.alloc(32, 7))]);
      }),
      () => inBundle(`${FILES.deletions} line 1`, 'says another actor or time'),
    ],
    [
      'a bundle of more that passes for one of a job, so that another job can be left out',
      (folder) => {
        onLines(FILES.events, (lines) => lines.filter((line) => line.streamId !== jobId))(folder);
        edit(folder, FILES.head, (text) => text.replace('"job": null', '"job": "job_of_nobody"'));
      },
      () => ({ field: 'scope', what: expect.stringContaining('nothing else is in the bundle') }),
    ],
    [
      'an invented price table',
      (folder) => writeFileSync(join(folder, FILES.prices), `{"prices":{"a":1},"sha256":"${'ab'.repeat(32)}"}\n`),
      () => inBundle(`${FILES.prices} line 1`, 'not the table'),
    ],
  ];

  it.each(CASES)('%s', async (_, change, fault) => {
    const { faults } = await look(bundles.changed(whole, change));
    expect(faults[0]).toMatchObject(fault());
  });

  it('of one job that is not there, or of whatever is no job', async () => {
    const { folder } = await bundles.export(store.pool, { jobId });
    const headless = (job: string) => bundles.changed(folder, (copy) => edit(copy, FILES.head, (text) => text.replace(`"${jobId}"`, job)));
    const alone = bundles.changed(
      folder,
      onLines(FILES.events, (lines) => lines.filter(({ streamId }) => streamId !== jobId)),
    );
    expect((await look(alone)).faults[0]).toMatchObject({ streamId: jobId, field: 'scope', what: expect.stringContaining('is missing') });
    await expect(look(headless('7'))).rejects.toThrow('lacks the scope');
  });

  it.each<[string, object, string]>([
    ['a thread that it is not of', { thread: 'thr_of_nobody' }, 'is neither the thread thr_of_nobody nor a job of it'],
    ['one of its threads', { thread: 'this' }, 'nor a job of it'],
    ['another tenant', { tenant: 'another' }, `is of the tenant "${TENANT}"`],
    ['a later time', { since: '2100-01-01T00:00:00.000Z' }, 'nothing has come to it since'],
  ])('that says it is of %s', async (_, scope, what) => {
    const named = JSON.parse(JSON.stringify(scope).replace('"this"', JSON.stringify(threadId))) as object;
    const { faults } = await look(bundles.changed(whole, scoped(named)));
    expect(faults).toContainEqual(expect.objectContaining({ field: 'scope', what: expect.stringContaining(what) }));
  });

  it('of a thread that has something more, or not even the thread', async () => {
    const { folder } = await bundles.export(store.pool, { threadId });
    const { faults } = await look(bundles.changed(folder, scoped({ thread: deletedId })));
    expect(faults).toContainEqual(
      expect.objectContaining({ streamId: deletedId, field: 'scope', what: expect.stringContaining('is missing') }),
    );
    const own = bundles.changed(
      folder,
      onLines(FILES.events, (lines) =>
        [...lines, ...linesIn(whole, FILES.events).filter(({ streamId }) => streamId === deletedId)].toSorted(byThread),
      ),
    );
    expect((await look(own)).faults).toContainEqual(expect.objectContaining({ streamId: deletedId, field: 'scope' }));
    for (const scope of [{ thread: 7 }, { tenant: [] }, { since: 'yesterday' }, { since: undefined }])
      await expect(look(bundles.changed(folder, scoped(scope)))).rejects.toThrow('lacks the scope');
  });

  const byThread = (one: Line, other: Line): number => Number(one.streamId === threadId) - Number(other.streamId === threadId);
  const scoped = (scope: object) => (folder: string) =>
    edit(folder, FILES.head, (text) => {
      const head = JSON.parse(text) as { scope: object };
      return `${JSON.stringify({ ...head, scope: { ...head.scope, ...scope } })}\n`;
    });

  const chained = (change: (line: Line) => void) =>
    onLines(FILES.events, (lines) => {
      change(event(lines, jobId, 3));
      rechain(lines, jobId);
    });
  const without = (isGone: (line: Line) => boolean) =>
    onLines(FILES.events, (lines) => lines.filter((line) => line.streamId !== jobId || !isGone(line)));
  const lineOfEvent = (version: number) =>
    `${FILES.events} line ${linesIn(whole, FILES.events).findIndex((line) => line.streamId === jobId && line.version === version) + 1}`;
  const resigned = (note: string): string => signedNote(parseNote(note).text, [signerKey(ORIGIN, Buffer.alloc(32, 8))]);

  function swap(lines: Line[], one: Line, other: Line): void {
    const [first, second] = [lines.indexOf(one), lines.indexOf(other)];
    [lines[first], lines[second]] = [other, one];
  }

  function forged(folder: string): void {
    edit(folder, FILES.checkpoint, resigned);
    const { publicKey } = signerKey(ORIGIN, Buffer.alloc(32, 8));
    edit(folder, FILES.keys, () => textOf(publicKey));
  }

  function cosigned(folder: string): void {
    forgeByCosigning(folder, Buffer.alloc(32, 8));
  }
});

const textOf = (publicKey: Buffer): string => {
  return `${textOfKey({ name: ORIGIN, type: 1, publicKey })}\n`;
};

function edit(folder: string, name: string, change: (text: string) => string): void {
  const path = join(folder, name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('a hostile bundle is told clearly:', () => {
  const events = (folder: string) => join(folder, FILES.events);
  it.each<[string, (folder: string) => void, string, string]>([
    ['a file that was cut', (folder) => truncateSync(events(folder), 5_000), `${FILES.events} line`, 'has no end'],
    [
      'a line without an end',
      (folder) => writeFileSync(events(folder), 'a'.repeat(20_000_000)),
      `${FILES.events} line 1`,
      'is longer than 16777216 bytes',
    ],
    ['what is no JSON', (folder) => appendFileSync(events(folder), '{"a":\n'), `${FILES.events} line`, 'is not JSON'],
    [
      'JSON that nests without an end',
      (folder) => writeFileSync(events(folder), `${'['.repeat(200_000)}${']'.repeat(200_000)}\n`),
      `${FILES.events} line 1`,
      'is n',
    ],
    [
      'other JSON of the same',
      (folder) => edit(folder, FILES.events, (text) => text.replace('{', '{ ')),
      `${FILES.events} line 1`,
      'is not RFC 8785 JSON',
    ],
    ['a number that no double is', (folder) => writeFileSync(events(folder), '{"version":1e999}\n'), `${FILES.events} line 1`, 'is not'],
    ['bytes that are no text', (folder) => appendFileSync(events(folder), Buffer.of(0xff, 0x0a)), `${FILES.events} line`, 'is not UTF-8'],
    ['a file that is missing', (folder) => rmSync(events(folder)), FILES.events, 'is missing'],
    ['a link out of the folder', (folder) => link(events(folder), '/dev/zero'), FILES.events, 'is no plain file'],
    ['a folder for a file', (folder) => void (rmSync(events(folder)), mkdirSync(events(folder))), FILES.events, 'is no plain file'],
  ])('%s', async (_, change, field, what) => {
    const folder = bundles.folder();
    cpSync(whole, folder, { recursive: true });
    change(folder);
    const { faults } = await look(folder);
    expect(faults.at(-1)).toEqual({
      streamId: 'bundle',
      version: null,
      field: expect.stringContaining(field),
      what: expect.stringContaining(what),
    });
  });

  it.each([
    [
      'a name that leads out of the folder',
      (text: string) => text.replace(FILES.events, '../events.jsonl'),
      'which is no file of a bundle',
    ],
    ['a name twice', (text: string) => text + text, 'twice'],
    ['a name less', (text: string) => text.replace(/.*events.*\n/, ''), 'does not name events.jsonl'],
    ['what is no digest', () => 'x\n', 'no digest and name'],
    ['another digest', (text: string) => text.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), 'is not what SHA256SUMS says'],
  ])('digests with %s', async (_, change, what) => {
    const folder = bundles.changed(whole, () => undefined);
    edit(folder, SUMS, change);
    const { faults } = await look(folder);
    expect(faults.at(-1)).toMatchObject({ streamId: 'bundle', what: expect.stringContaining(what) });
  });

  it.each<[string, (head: Buffer) => Buffer, string]>([
    ['of its format', (head) => flipped(head, '"format"'), 'is not what SHA256SUMS says'],
    ['that leaves no JSON', (head) => flipped(head, '{'), 'is not what SHA256SUMS says'],
    ['that leaves no UTF-8', (head) => Buffer.concat([Buffer.of(0xff), head]), 'is not UTF-8'],
    ['that is its end', (head) => head.subarray(0, -1), 'the file was cut'],
  ])('a head with a byte changed %s is found by its digest', async (_, change, what) => {
    const folder = bundles.changed(whole, () => undefined);
    writeFileSync(join(folder, FILES.head), change(readFileSync(join(folder, FILES.head))));
    expect(await look(folder)).toMatchObject({
      events: 0,
      faults: [{ streamId: 'bundle', what: expect.stringContaining(what) as string }],
    });
  });

  it('a head that is missing beside the digests was taken away', async () => {
    const folder = bundles.changed(whole, () => undefined);
    rmSync(join(folder, FILES.head));
    expect(await look(folder)).toMatchObject({ faults: [{ field: FILES.head, what: 'is missing' }] });
  });

  function flipped(text: Buffer, at: string): Buffer {
    const changed = Buffer.from(text);
    const place = changed.indexOf(at);
    changed[place] = (changed[place] ?? 0) ^ 1;
    return changed;
  }

  function link(path: string, target: string): void {
    rmSync(path);
    symlinkSync(target, path);
  }

  it.each([
    ['no folder', () => bundles.folder(), 'is missing'],
    ['an empty folder', emptyFolder, 'is missing'],
    [
      'a bundle of a newer build',
      () => bundles.changed(whole, (folder) => edit(folder, FILES.head, (text) => text.replace('bundle 1', 'bundle 2'))),
      'this build reads',
    ],
    ['a head that is no JSON', () => bundles.changed(whole, (folder) => writeFileSync(join(folder, FILES.head), '{\n')), 'is not JSON'],
    [
      'a head without counts',
      () => bundles.changed(whole, (folder) => edit(folder, FILES.head, (text) => text.replace('counts', 'count'))),
      'lacks',
    ],
  ])('%s cannot be looked at', async (_, folder, what) => {
    await expect(look(folder())).rejects.toThrow(what);
  });

  function emptyFolder(): string {
    const folder = bundles.folder();
    mkdirSync(folder);
    return folder;
  }

  it.each([
    ['a file', (there: string) => join(there, 'file'), 'it is a file'],
    ['below a file', (there: string) => join(there, 'file', 'bundle'), 'something above it is a file'],
    ['where no folder can be made', () => '/proc/nobody/bundle', 'its file system creates no folders, or a link leads nowhere'],
  ])('is not written to %s, which is named', async (_, place, problem) => {
    const there = mkdtempSync(join(tmpdir(), 'research-bundle-'));
    writeFileSync(join(there, 'file'), '');
    const [folder, scope] = [place(there), { jobId: null, threadId: null, tenantId: null, since: LONG_AGO }];
    await expect(exportBundle(store.pool, { scope, folder, held: [], priceTables: new Map() }, () => undefined)).rejects.toThrow(
      `${folder} cannot be written: ${problem}; make room there, or name a folder that this user can write to`,
    );
    rmSync(there, { recursive: true });
  });

  it('a database that is not there any more is not said to be the folder’s fault', async () => {
    const [error] = (await once(connect(join(tmpdir(), 'no-such-socket')), 'error')) as [unknown];
    expect(error).toMatchObject({ code: 'ENOENT' });
    expect(asFolderError('bundle', error)).toBe(error);
  });

  it('is not written into a folder that has something in it', async () => {
    const scope = { jobId: null, threadId: null, tenantId: null, since: LONG_AGO };
    await expect(exportBundle(store.pool, { scope, folder: whole, held: [], priceTables: new Map() }, () => undefined)).rejects.toThrow(
      'has something in it',
    );
  });
});

it('any bit that is another one, in any file that proves something, is found though the digests are made anew', async () => {
  const files = Object.values(FILES).filter((name) => name !== FILES.readme && name !== FILES.head);
  const sizes = files.map((name) => readFileSync(join(whole, name)).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const folder = bundles.changed(whole, () => undefined);
  await fc.assert(
    fc.asyncProperty(fc.nat(total - 1), fc.nat(7), async (offset, bit) => {
      let [file, at] = [0, offset];
      while (at >= (sizes[file] ?? 0)) at -= sizes[file++] ?? 0;
      const path = join(folder, files[file] ?? '');
      const before = readFileSync(path);
      const bytes = Buffer.from(before);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, bytes);
      resum(folder);
      const { faults } = await look(folder);
      writeFileSync(path, before);
      expect(faults).not.toEqual([]);
    }),
    { numRuns: 100 },
  );
});
