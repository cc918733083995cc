import type { Fault } from '@lib/audit/audited-event';
import { readReceipt, receiptFault, type DeletionReceipt, type ErasedStream } from '@lib/audit/format/deletion-receipt';
import { parseNote } from '@lib/audit/format/signed-note';
import { messageOfError } from '@lib/domain/message-of-error';
import { removalOf } from '@lib/store/deletions/removed-skeletons';
import { hasCheckpoint, sizeSignedBefore } from '@lib/store/log/checkpoints';
import {
  deletionsWithoutRow,
  expectedReceipts,
  storedReceipts,
  tenantOfThread,
  type StoredReceipt,
} from '@lib/store/log/deletion-receipts';
import type { Pool } from '@lib/store/postgres/pool';
import { erasedWholly, recordedDeletion } from './deletion-receipts';
import type { TrustedKeys } from './trusted-keys';

/** Every checkpoint tries again to sign missing receipts. So if there is none after this time, there was no checkpoint or the receipt was removed. */
const SIGNED_WITHIN_MINUTES = 60;

/**
 * Compares every receipt of a deletion with the events that it is of and with the checkpoint that it names, and looks for those that are not there.
 */
export async function receiptFaults(pool: Pool, keys: TrustedKeys): Promise<Fault[]> {
  const faults: Fault[] = [];
  for await (const stored of storedReceipts(pool)) {
    const lost = await lostCheckpointOf(pool, stored);
    if (lost !== null) faults.push(lost);
    const what = await faultOfReceipt(pool, stored, keys);
    // If the thread's history was removed, perhaps just now, the receipt is compared with the record of the removal.
    if (what === null || (await removalOf(pool, stored.threadId, null)) !== null) continue;
    faults.push(ofThread(stored.threadId, `the receipt ${what}`));
  }
  return [...faults, ...(await missingReceipts(pool))];
}

const ofThread = (streamId: string, what: string): Fault => ({ streamId, version: null, field: 'deletion_receipt', what });

async function missingReceipts(pool: Pool): Promise<Fault[]> {
  const faults = (await deletionsWithoutRow(pool)).map((threadId) =>
    ofThread(threadId, 'the log has the deletion, and the row of its receipt is missing'),
  );
  const signed = await sizeSignedBefore(pool, SIGNED_WITHIN_MINUTES);
  for await (const { threadId, tenantId } of expectedReceipts(pool)) {
    const owner = await tenantOfThread(pool, threadId);
    if (owner !== null && owner !== tenantId)
      faults.push(ofThread(threadId, 'the row of its receipt is of another tenant than the thread'));
    else if (signed > 0 && (await erasedWholly(pool, threadId, signed)) !== null) {
      const since = `checkpoints of more than ${SIGNED_WITHIN_MINUTES} minutes have its deletion`;
      faults.push(ofThread(threadId, `${since}, and its receipt is not signed: it was taken away, or the log of the saga says why`));
    }
  }
  return faults;
}

/** No checkpoint is ever removed, and a receipt is signed behind the one that it names. */
async function lostCheckpointOf(pool: Pool, { threadId, note }: StoredReceipt): Promise<Fault | null> {
  let named: DeletionReceipt['checkpoint'];
  try {
    named = readReceipt(parseNote(note).text).checkpoint;
  } catch {
    return null;
  }
  if (await hasCheckpoint(pool, named)) return null;
  const what = `the checkpoint of ${named.origin} at ${named.size}, which the receipt of ${threadId} names, is missing`;
  return { streamId: 'log', version: null, field: 'checkpoint', what };
}

/** Whether the row's tenant and log size match those in the signed receipt. */
export const isStoredAs = ({ tenantId, size }: StoredReceipt, receipt: DeletionReceipt): boolean =>
  receipt.checkpoint.size === size && receipt.tenantId === tenantId;

export async function faultOfReceipt(pool: Pool, stored: StoredReceipt, keys: TrustedKeys): Promise<string | null> {
  const { threadId, tenantId, note, streams } = stored;
  try {
    const parsed = parseNote(note);
    const wrong = keys.wrongWith(parsed);
    if (wrong !== null) return wrong;
    const receipt = readReceipt(parsed.text);
    if (!isStoredAs(stored, receipt)) return 'is not stored as what it says';
    const recorded = await recordedDeletion(pool, threadId);
    if (recorded === null) return 'is of a thread that was not deleted';
    if ((await tenantOfThread(pool, threadId)) !== tenantId) return 'is of another tenant than the thread';
    const listed = streams.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ErasedStream]));
    return receiptFault(receipt, listed, recorded, true);
  } catch (error) {
    return messageOfError(error);
  }
}
