import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES, FORMAT, SUMS, type BundleHead, type BundleScope } from '@lib/audit/format/bundle/files';
import { base64Of, lineOf, lineOfEvent } from '@lib/audit/format/bundle/lines';
import { consistencyRanges } from '@lib/audit/format/merkle';
import { textOfKey } from '@lib/audit/format/signed-note';
import { TENANT_STREAM } from '@lib/domain/tenant';
import { checkpointKeys, logOrigins, olderCheckpoints, type StoredCheckpoint } from '@lib/store/log/checkpoints';
import { receiptsOf, removedThreads } from '@lib/store/log/deletion-receipts';
import { exportedEvents, exportedStreams, removedAmong, type ExportedEvent, type ExportScope } from '@lib/store/log/exported-histories';
import type { Pool } from '@lib/store/postgres/pool';
import { deletionReceiptView } from '@lib/store/views/deletion-receipt.view';
import type { Anchor } from '../anchor';
import { newestNote, type NewestNote } from '../proofs';
import { lostEntries, successorsOf } from '../restored-logs';
import { hashesOf, rootOfSize } from '../stored-tree';
import { TreeProofs } from '../tree-proofs';
import { BundleFile } from './bundle-file';
import { asFolderError, makeBundleFolder } from './bundle-folder';
import { readmeOf } from './readme';

export interface ExportOrder {
  scope: ExportScope;
  /** Where the bundle goes: a folder that is not there yet, or has nothing in it. */
  folder: string;
  /** Checkpoints that an auditor kept: the bundle proves that its own goes on from them. */
  held: readonly Anchor[];
  /** Those that are known, by their digest. */
  priceTables: ReadonlyMap<string, object>;
}

export interface Exported {
  streams: number;
  events: number;
  deletions: number;
  /** How many entries the log of the checkpoint has. */
  size: number;
  /** Events that were left out since the checkpoint does not have them yet; there may be more behind them. */
  newer: number;
  /** Digests of price tables that the bundle does not have. */
  unknownPrices: string[];
}

const OLDER_CHECKPOINTS = 10;

/**
 * Writes what the log of the newest checkpoint has of some histories, with a proof for each event: for whoever has no database. The
 * content of events is left out, sealed or not.
 * @throws Error if there is no checkpoint or nothing of that scope, or the folder has something in it
 */
export async function exportBundle(pool: Pool, order: ExportOrder, progress: (events: number) => void): Promise<Exported> {
  const newest = await newestNote(pool);
  if (newest === null) throw new Error('nothing has been signed yet: run `research checkpoint`, and set CHECKPOINT_KEY for the sagas');
  let removeBundle = async (): Promise<void> => undefined;
  try {
    removeBundle = await makeBundleFolder(order.folder);
    return await writeBundle(pool, order, newest, progress);
  } catch (error) {
    await removeBundle();
    throw asFolderError(order.folder, error);
  }
}

async function writeBundle(
  pool: Pool,
  order: ExportOrder,
  { checkpoint, note }: NewestNote,
  progress: (events: number) => void,
): Promise<Exported> {
  const sums: string[] = [];
  const write = async (name: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> => {
    const file = await BundleFile.create(order.folder, name);
    try {
      for await (const line of lines) await file.write(line);
      sums.push(await file.end());
    } catch (error) {
      await file.close();
      throw error;
    }
  };
  const exported: Exported = { streams: 0, events: 0, deletions: 0, size: checkpoint.size, newer: 0, unknownPrices: [] };
  const prices = new Set<string>();
  await write(FILES.checkpoint, [note]);
  await write(
    FILES.keys,
    (await checkpointKeys(pool)).map((key) => `${textOfKey({ ...key, type: 1 })}\n`),
  );
  await write(FILES.consistency, olderLines(pool, checkpoint, order.held));
  await write(FILES.events, eventLines(pool, order.scope, exported, prices, progress));
  if (exported.events === 0) throw new Error(nothingOf(order.scope, exported));
  await write(
    FILES.prices,
    [...prices].sort().map((sha256) => lineOf({ sha256, prices: order.priceTables.get(sha256) ?? null })),
  );
  exported.unknownPrices = [...prices].filter((sha256) => !order.priceTables.has(sha256));
  await write(FILES.deletions, receiptLines(pool, order.scope, exported));
  const head = headOf(order.scope, checkpoint, exported);
  await write(FILES.readme, [readmeOf(head)]);
  await write(FILES.head, [`${JSON.stringify(head, null, 2)}\n`]);
  await writeFile(join(order.folder, SUMS), sums.join(''), { flag: 'wx' });
  return exported;
}

function nothingOf({ jobId, threadId, tenantId, since }: ExportScope, { newer }: Exported): string {
  if (newer > 0) return 'the newest checkpoint has none of these events yet: run `research checkpoint` and export again';
  const whose = jobId ?? threadId ?? (tenantId === null ? 'any tenant' : `the tenant ${tenantId}`);
  const [time, remedy] = since === null ? ['', 'name'] : [` since ${since.toISOString()}`, 'name and the time'];
  return `the database holds no event of ${whose}${time}: check the ${remedy}`;
}

async function* eventLines(
  pool: Pool,
  scope: ExportScope,
  exported: Exported,
  prices: Set<string>,
  progress: (events: number) => void,
): AsyncGenerator<string> {
  const tree = new TreeProofs(pool, exported.size);
  let streamId = '';
  for await (const streams of exportedStreams(pool, scope, exported.size)) {
    const seen = new Map(streams.map((stream) => [stream.streamId, 0]));
    for await (const event of exportedEvents(pool, streams)) {
      seen.set(event.streamId, (seen.get(event.streamId) ?? 0) + 1);
      const { index, appendedAt } = event;
      if (index === null || index >= exported.size) {
        exported.newer += 1;
        continue;
      }
      if (event.streamId !== streamId) exported.streams += 1;
      streamId = event.streamId;
      exported.events += 1;
      pricesOf(event, prices);
      yield lineOfEvent({ event, index, appendedAt, proof: await tree.inclusion(index) });
    }
    const removed = await removedAmong(pool, seen);
    if (removed !== null) throw new Error(`The histories of ${removed} were removed while they were exported: export again.`);
    progress(exported.events);
  }
}

function pricesOf({ facts }: ExportedEvent, prices: Set<string>): void {
  const { charge } = facts as { charge?: { pricesSha256?: unknown } | null };
  if (typeof charge?.pricesSha256 === 'string') prices.add(charge.pricesSha256);
}

/** By the ids of the threads, also of those whose histories were removed. */
async function* receiptLines(pool: Pool, scope: ExportScope, exported: Exported): AsyncGenerator<string> {
  const tenantIds: string[] = [];
  let after = '';
  const linesOf = async (own: readonly string[], last: string | null): Promise<string[]> => {
    const removed = tenantIds.length === 0 ? [] : await removedThreads(pool, tenantIds, exported.size, after, last);
    const receipts = await receiptsOf(pool, [...own, ...removed], exported.size);
    exported.deletions += receipts.length;
    return receipts.map((receipt) => lineOf(deletionReceiptView(receipt)));
  };
  for await (const streams of exportedStreams(pool, scope, exported.size)) {
    const ids = streams.map(({ streamId }) => streamId);
    tenantIds.push(...ids.filter((id) => id.startsWith(TENANT_STREAM)).map((id) => id.slice(TENANT_STREAM.length)));
    const threadIds = ids.filter((id) => id.startsWith('thr_'));
    const last = threadIds.at(-1);
    if (last === undefined) continue;
    yield* await linesOf(threadIds, last);
    after = last;
  }
  yield* await linesOf([], null);
}

/** By their size: some that the database has, and those that somebody kept. */
async function* olderLines(pool: Pool, { origin, size }: StoredCheckpoint, held: readonly Anchor[]): AsyncGenerator<string> {
  const notes = new Map<string, number>();
  for (const older of await olderCheckpoints(pool, { origin, size }, OLDER_CHECKPOINTS)) notes.set(older.note, older.size);
  for (const anchor of held) {
    await requireProvable(pool, anchor, size);
    const { note, checkpoint } = anchor;
    const lines = note.signatures.map(({ line }) => `${line}\n`).join('');
    if (checkpoint.size < size) notes.set(`${note.text}\n${lines}`, checkpoint.size);
  }
  for (const [note, older] of [...notes].sort(([, one], [, other]) => one - other))
    yield lineOf({ checkpoint: note, proof: base64Of(await hashesOf(pool, consistencyRanges(older, size))) });
}

/** @throws Error unless the log of this size goes on from what the auditor kept: both verifiers would refuse the bundle */
async function requireProvable(pool: Pool, anchor: Anchor, size: number): Promise<void> {
  const { file, checkpoint: kept } = anchor;
  if (kept.size <= size && (await rootOfSize(pool, kept.size)).equals(kept.root)) return;
  const [successor] = successorsOf(await logOrigins(pool), kept.origin);
  if (successor) {
    const [agreed] = await olderCheckpoints(pool, kept, 1);
    throw new Error(
      `${lostEntries(anchor, agreed?.size ?? 0, successor)}. Leave it out, and hand on what \`research verify --against\` says of it`,
    );
  }
  if (kept.size > size)
    throw new Error(`the checkpoint ${file} has ${kept.size} entries, and the newest one ${size}: verify it against the database`);
  throw new Error(
    `the log does not go on from the checkpoint ${file}: \`research verify --against\` it says where the first difference lies`,
  );
}

function headOf({ jobId, threadId, tenantId, since }: ExportScope, checkpoint: StoredCheckpoint, exported: Exported): BundleHead {
  const scope: BundleScope = { job: jobId, thread: threadId, tenant: tenantId, since: since?.toISOString() ?? null };
  const { streams, events, deletions } = exported;
  return {
    ...{ format: FORMAT, exportedAt: new Date().toISOString(), scope },
    checkpoint: { origin: checkpoint.origin, size: checkpoint.size },
    counts: { streams, events, deletions },
  };
}
