import type { Fault } from '@lib/audit/audited-event';
import { readReceipt, receiptFault, type ErasedStream } from '@lib/audit/deletion-receipt';
import { parseNote } from '@lib/audit/signed-note';
import { removalOf } from '@lib/store/deletions/removed-skeletons';
import { storedReceipts, type StoredReceipt } from '@lib/store/log/deletion-receipts';
import type { Pool } from '@lib/store/postgres/pool';
import { recordedDeletion } from './deletion-receipts';
import type { TrustedKeys } from './trusted-keys';

/** Compares every receipt of a deletion with the events that it is of. */
export async function receiptFaults(pool: Pool, keys: TrustedKeys): Promise<Fault[]> {
  const faults: Fault[] = [];
  for await (const stored of storedReceipts(pool)) {
    const what = await faultOfReceipt(pool, stored, keys);
    // Of a thread that was removed, maybe just now, the record of that is compared with the receipt.
    if (what === null || (await removalOf(pool, stored.threadId, null)) !== null) continue;
    faults.push({ streamId: stored.threadId, version: null, field: 'deletion_receipt', what: `the receipt ${what}` });
  }
  return faults;
}

export async function faultOfReceipt(
  pool: Pool,
  { threadId, size, note, streams }: StoredReceipt,
  keys: TrustedKeys,
): Promise<string | null> {
  try {
    const parsed = parseNote(note);
    const wrong = keys.wrongWith(parsed);
    if (wrong !== null) return wrong;
    const receipt = readReceipt(parsed.text);
    if (receipt.checkpoint.size !== size) return 'is not stored as what it says';
    const recorded = await recordedDeletion(pool, threadId);
    if (recorded === null) return 'is of a thread that was not deleted';
    const listed = streams.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as ErasedStream)));
    return receiptFault(receipt, listed, recorded, true);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
