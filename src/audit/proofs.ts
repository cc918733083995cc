import { consistencyRanges, inclusionRanges } from '@lib/audit/format/merkle';
import { cosignatures, latestCheckpoint, type StoredCheckpoint } from '@lib/store/log/checkpoints';
import { entryOf, type LoggedPlace } from '@lib/store/log/log-places';
import type { Pool } from '@lib/store/postgres/pool';
import type { ConsistencyProofView, InclusionProofView } from '@lib/store/views/log.view';
import { hashesOf, rootOfSize } from './stored-tree';

/** Why there is no proof. */
export type NoProof = 'no checkpoint' | 'no event' | 'not in the checkpoint';

/** The log has no two such sizes, one after the other. */
export class WrongSize extends Error {
  override readonly name = 'WrongSize';

  constructor(
    readonly parameter: 'from' | 'to',
    size: number,
    bound: string,
  ) {
    super(`${parameter} is ${size}: it must not be larger than ${bound}.`);
  }
}

/** The newest checkpoint, with what witnesses signed under it. */
export interface NewestNote {
  checkpoint: StoredCheckpoint;
  note: string;
}

/** Null where nothing has been signed yet. */
export async function newestNote(pool: Pool): Promise<NewestNote | null> {
  const checkpoint = await latestCheckpoint(pool);
  if (checkpoint === null) return null;
  return { checkpoint, note: checkpoint.note + (await cosignatures(pool, checkpoint)).join('') };
}

/** Proves where an event stands in the log. @param tenantId whose event it has to be; null: anybody's */
export async function proveInclusion(
  pool: Pool,
  event: { streamId: string; version: number; tenantId: string | null },
): Promise<InclusionProofView | NoProof> {
  const newest = await newestNote(pool);
  if (newest === null) return 'no checkpoint';
  const place: LoggedPlace | null = await entryOf(pool, event);
  if (place === null) return 'no event';
  const { size } = newest.checkpoint;
  const { index } = place;
  if (index === null || index >= size) return 'not in the checkpoint';
  const hashes = await hashesOf(pool, inclusionRanges(index, size));
  const { streamId, version } = event;
  return {
    event: { streamId, version, hash: place.hash.toString('hex'), appendedAt: place.appendedAt },
    ...{ index, size },
    proof: hashes.map((hash) => hash.toString('base64')),
    checkpoint: newest.note,
  };
}

/**
 * Proves that the log of one size is the beginning of that of another one, which is not larger than the newest checkpoint.
 * @throws WrongSize
 */
export async function proveConsistency(pool: Pool, from: number, to: number | null): Promise<ConsistencyProofView | 'no checkpoint'> {
  const newest = await newestNote(pool);
  if (newest === null) return 'no checkpoint';
  const { size } = newest.checkpoint;
  const second = to ?? size;
  const largest = `the newest checkpoint, whose size is ${size}`;
  if (second > size) throw new WrongSize('to', second, largest);
  if (from > second) throw new WrongSize('from', from, to === null ? largest : `to, which is ${to}`);
  const hashes = await hashesOf(pool, consistencyRanges(from, second));
  const [fromRoot, toRoot] = [await rootOfSize(pool, from), await rootOfSize(pool, second)];
  return {
    ...{ from, to: second, fromRoot: fromRoot.toString('base64'), toRoot: toRoot.toString('base64') },
    proof: hashes.map((hash) => hash.toString('base64')),
    checkpoint: newest.note,
  };
}
