import type { Fault } from '@lib/audit/audited-event';
import { leafOf } from '@lib/audit/format/log-leaf';
import { GrowingTree } from '@lib/audit/format/merkle';
import { oneAhead } from '@lib/batching/one-ahead';
import { auditedNodes, type AuditedEntry, type RemovedEvent } from '@lib/store/log/log-audit-reads';
import type { Pool } from '@lib/store/postgres/pool';
import { inLog, type AnchoredHeads } from './anchored-heads';
import { STORED_EVERY } from './stored-tree';

/** What grows with the log while its entries are looked at. */
interface Growing {
  tree: GrowingTree;
  nodes: NodeAudit;
  heads: Pick<AnchoredHeads, 'reach'>;
  faults: Fault[];
  progress: (entries: number) => void;
}

/** @returns how many of the entries are of events that have settled; null where the log has a hole */
export async function growFromEntries(
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

/**
 * Compares an entry with its event.
 * @returns the leaf of the event; null where the log has a hole, behind which nothing more can be said of it
 */
export function takeEntry(
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

/** Compares the stored nodes with those of the entries; of each level they come in the same order. */
export class NodeAudit {
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
