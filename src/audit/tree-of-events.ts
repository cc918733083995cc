import type { Fault } from '@lib/audit/audited-event';
import { GrowingTree, subtreesOf } from '@lib/audit/format/merkle';
import { auditedEntries, logExtent } from '@lib/store/log/log-audit-reads';
import type { Pool } from '@lib/store/postgres/pool';
import { growFromEntries, NodeAudit, takeEntry } from './grown-tree';
import { BrokenLog, hashesOf, rootOfSize } from './stored-tree';

/**
 * The root over the first `size` entries, made of the stored tree over those before `after` and of the events behind them.
 * @throws BrokenLog if an entry from `after` on is not the one of its event, or the stored tree over all of them has another root
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
  if (tree.size !== size) throw new BrokenLog(`of ${String(size)} entries of the log those from ${String(tree.size)} on are missing`);
  const root = tree.root();
  if ((await rootOfSize(pool, size)).equals(root)) return root;
  await requireTreeOfEvents(pool, signal);
  throw new BrokenLog('the stored tree of the log has another root than its entries');
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
  await growFromEntries({ tree: new GrowingTree(), nodes, heads, faults, progress }, auditedEntries(pool, await logExtent(pool)));
  requireNone(faults);
  requireNone(await nodes.faults());
}

function requireNone([fault]: readonly Fault[]): void {
  if (!fault) return;
  const { streamId, version, field, what } = fault;
  const where = version === null ? streamId : `${streamId}, event ${String(version)}`;
  throw new BrokenLog(`${where}: ${field}: ${what}. Nothing is signed until this is as in a backup; \`research verify\` names every fault`);
}
