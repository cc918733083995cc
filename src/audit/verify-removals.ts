import type { Fault } from '@lib/audit/audited-event';
import { digestOfHeads, digestOfStreams, readReceipt, type ErasedStream } from '@lib/audit/format/deletion-receipt';
import { parseNote } from '@lib/audit/format/signed-note';
import { messageOfError } from '@lib/domain/message-of-error';
import type { RemovedSkeleton } from '@lib/domain/tenant';
import { receiptsOf, type StoredReceipt } from '@lib/store/log/deletion-receipts';
import { recordedRemovals, removedRows, unrecordedRows, type RecordedRemoval, type RemovedRow } from '@lib/store/log/removal-audit-reads';
import type { Pool } from '@lib/store/postgres/pool';
import type { TrustedKeys } from './trusted-keys';
import { isStoredAs } from './verify-receipts';

/**
 * Compares what is gone with what records it. Of each thread that a tenant's history says was removed:
 * - a signed receipt of its deletion lists the same histories;
 * - each of these has all of its entries in the log, up to the end that is recorded, with the erasure that is signed;
 * - nothing is gone before a checkpoint said that it would be.
 */
export async function removalFaults(pool: Pool, keys: TrustedKeys): Promise<Fault[]> {
  const faults: Fault[] = (await unrecordedRows(pool)).map((streamId) =>
    fault(streamId, 'no event of the tenant records that it was removed'),
  );
  for await (const page of recordedRemovals(pool)) {
    const threads = page.flatMap((record) => removedIn(record).map((skeleton) => ({ record, skeleton })));
    const threadIds = threads.map(({ skeleton }) => skeleton.threadId);
    const rows = Map.groupBy(await removedRows(pool, threadIds), ({ threadId }) => threadId);
    const receipts = new Map((await receiptsOf(pool, threadIds, Number.MAX_SAFE_INTEGER)).map((receipt) => [receipt.threadId, receipt]));
    for (const { record, skeleton } of threads) {
      const { threadId } = skeleton;
      const wrong =
        wrongWithReceipt(receipts.get(threadId), skeleton, record, keys) ??
        wrongWithRows(rows.get(threadId) ?? [], receipts.get(threadId), record, skeleton);
      if (wrong !== null) faults.push(fault(threadId, wrong));
    }
  }
  return faults;
}

const fault = (streamId: string, what: string): Fault => ({ streamId, version: null, field: 'removed_stream', what });

/** A value that is not a list was already reported as a fault of the tenant's history. */
const removedIn = ({ threads }: RecordedRemoval): RemovedSkeleton[] => (Array.isArray(threads) ? (threads as RemovedSkeleton[]) : []);

function wrongWithReceipt(
  stored: StoredReceipt | undefined,
  { threadId, deletedAt, streams }: RemovedSkeleton,
  { tenantId }: RecordedRemoval,
  keys: TrustedKeys,
): string | null {
  if (!stored) return 'its removal is recorded, and there is no signed receipt of its deletion';
  try {
    const note = parseNote(stored.note);
    const wrong = keys.wrongWith(note);
    if (wrong !== null) return `the receipt ${wrong}`;
    const receipt = readReceipt(note.text);
    if (!isStoredAs(stored, receipt)) return 'the receipt is not stored as what it says';
    const { count, sha256 } = digestOfStreams(listedIn(stored));
    if (receipt.streams.sha256 !== sha256 || receipt.streams.count !== count)
      return 'the receipt lists other streams than those that were signed';
    const isSame =
      receipt.threadId === threadId &&
      receipt.tenantId === tenantId &&
      receipt.deletedAt === deletedAt &&
      streams.sha256 === sha256 &&
      streams.count === count;
    return isSame ? null : 'the tenant’s history records the removal of something else than the receipt signs';
  } catch (error) {
    return `the receipt cannot be read: ${messageOfError(error)}`;
  }
}

const listedIn = ({ streams }: StoredReceipt): ErasedStream[] =>
  streams.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as ErasedStream)));

function wrongWithRows(
  rows: readonly RemovedRow[],
  receipt: StoredReceipt | undefined,
  record: RecordedRemoval,
  skeleton: RemovedSkeleton,
): string | null {
  const known = new Map(rows.map((row) => [row.streamId, row]));
  const listed = receipt ? listedIn(receipt) : [];
  const inOrder = listed.flatMap(({ streamId }) => known.get(streamId) ?? []);
  const areOfRecord = rows.every(({ tenantId, recordedIn }) => tenantId === record.tenantId && recordedIn === record.version);
  const areListed = rows.length === listed.length && inOrder.length === listed.length;
  if (!areOfRecord || !areListed || digestOfHeads(inOrder) !== skeleton.headsSha256)
    return 'the rows of its removal are not those of the histories that the record and the receipt name';
  const had = rows.reduce((sum, { version }) => sum + version, 0);
  if (had !== skeleton.events) return `the record says that it had ${skeleton.events} events, and its histories had ${had}`;
  for (const row of rows) {
    const erased = listed.find(({ streamId }) => streamId === row.streamId)?.erased;
    const wrong = row.removedAt ? wrongWithRemoved(row, erased, record) : wrongWithPending(row);
    if (wrong !== null) return wrong;
  }
  return null;
}

function wrongWithRemoved(
  { streamId, version, hash, hashes, times, removedAt, events, entries, lastEntry }: RemovedRow,
  erased: ErasedStream['erased'] | undefined,
  { isSigned, occurredAt }: RecordedRemoval,
): string | null {
  if (!isSigned) return 'its events were removed before a checkpoint had the record of it';
  if (events > 0) return `its events were removed, and ${events} of ${streamId} are there`;
  if (entries !== version || lastEntry !== version) return `the log has ${entries} entries of ${streamId}, which had ${version} events`;
  if (hashes?.length !== version || times !== version)
    return `${hashes?.length ?? 0} hashes and ${times} times of appends are kept of ${streamId}, which had ${version} events`;
  if (Number(removedAt) < Date.parse(occurredAt))
    return `the events of ${streamId} were removed on ${removedAt instanceof Date ? removedAt.toISOString() : String(removedAt)}, before that was recorded on ${occurredAt}`;
  const hashOf = (place: number | undefined): string | undefined => (place ? hashes?.[place - 1]?.toString('hex') : undefined);
  if (hashOf(version) !== hash) return `the last event of ${streamId} that was removed is not the one that is recorded`;
  return hashOf(erased?.version) === erased?.hash ? null : `the event that erased ${streamId} is not the one that the receipt signs`;
}

/** Something may have been recorded of a job since, which keeps its histories. */
const wrongWithPending = ({ streamId, version, events }: RemovedRow): string | null =>
  events < version ? `its removal was recorded and not done yet, and ${events} of ${version} events of ${streamId} are there` : null;
