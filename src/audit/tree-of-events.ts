import type { Fault } from '@lib/audit/audited-event';
import { GrowingTree, subtreesOf } from '@lib/audit/format/merkle';
import { auditedEntries, logExtent } from '@lib/store/log/log-audit-reads';
import type { Pool } from '@lib/store/postgres/pool';
import { growFromEntries, NodeAudit, takeEntry } from './grown-tree';
import { BrokenLog, hashesOf } from './stored-tree';

/**
 * The root over the first `size` entries, made of the stored tree over those before `after` and of the events behind them.
 * @throws BrokenLog if an entry from `after` on is not the one of its event
 */
export async function rootWithEvents(pool: Pool, { after, size }: { after: number; size: number }, signal?: AbortSignal): Promise<Buffer> {
  const subtrees = subtreesOf({ start: 0, end: after });
  const hashes = await hashesOf(
    pool,
    subtrees.map(({ level, index }) => ({ start: index * 2 ** level, end: (index + 1) * 2 ** level })),
  );
  const tree = new GrowingTree(subtrees.map((subtree, at) => ({ ...subtree, hash: hashes[at] as Buffer })));
  for await (const page of auditedEntries(pool, { size, floor: 0 }, { after })) {
    signal?.throwIfAborted();
    const faults: Fault[] = [];
    for (const entry of page) {
      const leaf = takeEntry(entry, tree.size, faults);
      requireNone(faults);
      if (leaf) tree.add(leaf);
    }
  }
  requireWhole(tree, size);
  return tree.root();
}

/**
 * Compares every entry with its event, and the stored nodes with the entries under them. Reads the whole log.
 * @throws BrokenLog that names the first fault
 */
export async function requireTreeOfEvents(pool: Pool, signal?: AbortSignal): Promise<void> {
  const faults: Fault[] = [];
  const nodes = new NodeAudit(pool);
  const progress = (): void => {
    signal?.throwIfAborted();
    requireNone(faults);
  };
  const heads = { reach: () => Promise.resolve() };
  const tree = new GrowingTree();
  const extent = await logExtent(pool);
  await growFromEntries({ tree, nodes, heads, faults, progress }, auditedEntries(pool, extent));
  requireNone(faults);
  requireWhole(tree, extent.size);
  requireNone(await nodes.faults());
}

function requireWhole(tree: GrowingTree, size: number): void {
  if (tree.size < size) throw new BrokenLog(`of ${String(size)} entries of the log those from ${String(tree.size)} on are missing`);
}

function requireNone([fault]: readonly Fault[]): void {
  if (!fault) return;
  const { streamId, version, field, what } = fault;
  const where = version === null ? streamId : `${streamId}, event ${String(version)}`;
  throw new BrokenLog(`${where}: ${field}: ${what}. Nothing is signed until this is as in a backup; \`research verify\` names every fault`);
}
