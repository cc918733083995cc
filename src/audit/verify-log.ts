import type { Fault } from '@lib/audit/audited-event';
import { leafOf } from '@lib/audit/format/log-leaf';
import { GrowingTree } from '@lib/audit/format/merkle';
import { keyIdOf, type VerifierKey } from '@lib/audit/format/signed-note';
import { checkpointKeys, logOrigins, lostCheckpoints, storedCheckpoints } from '@lib/store/log/checkpoints';
import { oneAhead } from '@lib/batching/one-ahead';
import {
  auditedEntries,
  auditedNodes,
  entriesBehind,
  eventsUpTo,
  eventsWithoutEntry,
  logExtent,
  type AuditedEntry,
  type RemovedEvent,
} from '@lib/store/log/log-audit-reads';
import type { Pool } from '@lib/store/postgres/pool';
import type { Anchor } from './anchor';
import { AnchoredHeads, inLog } from './anchored-heads';
import { STORED_EVERY } from './stored-tree';
import { TrustedKeys } from './trusted-keys';
import { removalFaults } from './verify-removals';
import { receiptFaults } from './verify-receipts';

export interface LookedAtLog {
  entries: number;
  checkpoints: number;
  /** Set if an entry is missing: the number of entries. Everything after the gap was not verified. */
  cutShortOf?: number;
  faults: Fault[];
}

/**
 * Looks at the log. Every entry names an event and has its leaf, and every event that must have an entry has one. The stored nodes are those of the
 * entries. The tree is what every stored checkpoint says, and every one that somebody kept elsewhere.
 */
export async function verifyLog(
  pool: Pool,
  anchors: readonly Anchor[],
  named: readonly VerifierKey[],
  progress: (entries: number) => void,
): Promise<LookedAtLog> {
  const extent = await logExtent(pool);
  const stored = (await checkpointKeys(pool)).map((key) => ({ ...key, type: 1 as const }));
  const faults = stored
    .filter((key) => keyIdOf(key) !== key.keyId)
    .map(({ name, keyId }) => inLog('checkpoint_key', `the key ${name}+${keyId} is not the one that its id says`));
  const trusted = new TrustedKeys(stored, named);
  const heads = new AnchoredHeads(storedCheckpoints(pool), anchors, trusted, await logOrigins(pool));
  const nodes = new NodeAudit(pool);
  const tree = new GrowingTree();
  const settled = await growFromEntries({ tree, nodes, heads, faults, progress }, auditedEntries(pool, extent));
  if (settled === null) return { entries: tree.size, checkpoints: heads.checkpoints, cutShortOf: extent.size, faults };
  if (tree.size < extent.size) faults.push(inLog('log_entry', `of ${extent.size} entries those from ${tree.size} on are missing`));
  const behind = await entriesBehind(pool, extent.size);
  if (behind > 0) faults.push(inLog('log_head', `says that the log has ${extent.size} entries, and there are ${behind} more`));
  faults.push(
    ...heads.end(tree, (await logExtent(pool)).size),
    ...(await nodes.faults()),
    ...(await missingEntries(pool, extent.floor, settled)),
    ...(await lostCheckpoints(pool)).map(({ origin, size }) => inLog('checkpoint', lostAs(origin, size))),
    ...(await receiptFaults(pool, trusted)),
    ...(await removalFaults(pool, trusted)),
  );
  return { entries: tree.size, checkpoints: heads.checkpoints, faults };
}

/** What grows with the log while its entries are looked at. */
interface Growing {
  tree: GrowingTree;
  nodes: NodeAudit;
  heads: AnchoredHeads;
  faults: Fault[];
  progress: (entries: number) => void;
}

/** @returns how many of the entries are of events that have settled; null where the log has a hole */
async function growFromEntries(
  { tree, nodes, heads, faults, progress }: Growing,
  inPages: AsyncGenerator<readonly AuditedEntry[], void>,
): Promise<number | null> {
  let settled = 0;
  await heads.reach(tree, null);
  for await (const entries of oneAhead(inPages)) {
    for (const entry of entries) {
      const leaf = takeEntry(entry, tree.size, faults);
      if (leaf === null) return null;
      const completed: { level: number; index: number; hash: Buffer }[] = [];
      tree.add(leaf, (node) => void (node.level % STORED_EVERY === 0 && completed.push(node)));
      nodes.complete(completed);
      if (entry.isSettled) settled += 1;
      await heads.reach(tree, entry);
    }
    progress(tree.size);
  }
  return settled;
}

/** @returns the leaf of the event; null where the log has a hole, behind which nothing more can be said of it */
function takeEntry(
  { index, streamId, version, leafHash, hash, appendedAt, isOfTenant, removed }: AuditedEntry,
  expected: number,
  faults: Fault[],
): Buffer | null {
  if (index !== expected) {
    faults.push(inLog('log_entry', `entry ${expected} is missing`));
    return null;
  }
  const fault = (field: string, what: string): number => faults.push({ streamId, version, field, what });
  if (hash === null) {
    // The record of the removal says whether it was removed properly.
    if (removed === null) fault('event', `entry ${index} of the log names this event, and it is not there`);
    else if (!removed.isOfTenant)
      fault('tenant_id', `entry ${index} of the log says another tenant than the record of the event's removal`);
    else if (!isLeafOf(removed, streamId, version, leafHash))
      fault('leaf_hash', `entry ${index} of the log was not made of the event whose removal is recorded`);
    return leafHash;
  }
  const leaf = leafOf({ streamId, version, hash, appendedAt });
  if (!leaf.equals(leafHash)) fault('leaf_hash', `entry ${index} of the log was made of another hash or time of append`);
  if (!isOfTenant) fault('tenant_id', `entry ${index} of the log says another tenant than the event, so that the tenant is not told of it`);
  return leaf;
}

/** Otherwise entries of other events could be passed off as those of the removed ones. */
const isLeafOf = ({ hash, appendedAt }: RemovedEvent, streamId: string, version: number, leafHash: Buffer): boolean =>
  hash !== null && leafOf({ streamId, version, hash: Buffer.from(hash, 'hex'), appendedAt }).equals(leafHash);

const lostAs = (origin: string, size: number): string =>
  size === 0
    ? `the log ${origin} was signed, and has no checkpoint`
    : `the checkpoint of ${origin} at ${size}, which a witness has cosigned, is missing`;

/** Events are compared one by one only if the two counts differ. */
async function missingEntries(pool: Pool, floor: number, settled: number): Promise<Fault[]> {
  if ((await eventsUpTo(pool, floor)) === settled) return [];
  const missing = await eventsWithoutEntry(pool, floor);
  return missing.map((event) => ({ ...event, field: 'log_entry', what: 'the event is not in the log' }));
}

/** Compares the stored nodes with those of the entries; of each level they come in the same order. */
class NodeAudit {
  private readonly expected = new Map<string, Buffer>();

  constructor(private readonly pool: Pool) {}

  complete(nodes: readonly { level: number; index: number; hash: Buffer }[]): void {
    for (const { level, index, hash } of nodes) this.expected.set(`${level}/${index}`, hash);
  }

  async faults(): Promise<Fault[]> {
    const faults: Fault[] = [];
    for await (const { level, index, hash } of auditedNodes(this.pool)) {
      const place = `${level}/${index}`;
      const expected = this.expected.get(place);
      this.expected.delete(place);
      // What came to the log since the look began is not known.
      if (expected && !expected.equals(hash)) faults.push(inLog('log_node', `${place} is not the hash of the entries under it`));
    }
    return [...faults, ...[...this.expected.keys()].map((place) => inLog('log_node', `${place} is missing`))];
  }
}
