import type { Fault } from '@lib/audit/audited-event';
import { GrowingTree } from '@lib/audit/format/merkle';
import { keyIdOf, type VerifierKey } from '@lib/audit/format/signed-note';
import { checkpointKeys, logOrigins, lostCheckpoints, storedCheckpoints } from '@lib/store/log/checkpoints';
import { auditedEntries, entriesBehind, eventsUpTo, eventsWithoutEntry, logExtent, type LogScope } from '@lib/store/log/log-audit-reads';
import type { Pool } from '@lib/store/postgres/pool';
import type { Anchor } from './anchor';
import { AnchoredHeads, inLog } from './anchored-heads';
import { growFromEntries, NodeAudit, takeEntry } from './grown-tree';
import { TrustedKeys } from './trusted-keys';
import { removalFaults } from './verify-removals';
import { receiptFaults } from './verify-receipts';

export interface LookedAtLog {
  entries: number;
  checkpoints: number;
  /** Whether all entries were looked at, with their tree and its checkpoints; otherwise only those of some histories. */
  isWhole: boolean;
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
  if (settled === null) return { entries: tree.size, checkpoints: heads.checkpoints, isWhole: true, cutShortOf: extent.size, faults };
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
  return { entries: tree.size, checkpoints: heads.checkpoints, isWhole: true, faults };
}

const lostAs = (origin: string, size: number): string =>
  size === 0
    ? `the log ${origin} was signed, and has no checkpoint`
    : `the checkpoint of ${origin} at ${size}, which a witness has cosigned, is missing`;

/** Events are compared one by one only if the two counts differ. */
async function missingEntries(pool: Pool, floor: number, settled: number): Promise<Fault[]> {
  return (await eventsUpTo(pool, floor)) === settled ? [] : withoutEntry(pool, floor);
}

const withoutEntry = async (pool: Pool, floor: number, scope: LogScope = {}): Promise<Fault[]> =>
  (await eventsWithoutEntry(pool, floor, scope)).map((event) => ({
    ...event,
    field: 'log_entry',
    what: scope.tenantId === undefined ? 'the event is not in the log' : 'the event is not in the log, or its entry says another tenant',
  }));

/**
 * Compares the events of some histories with their entries, which tells events that are missing, also the last ones. Whether the entries are those of
 * the tree and of its checkpoints is only told by a look at everything.
 */
export async function verifyEntries(pool: Pool, scope: LogScope): Promise<LookedAtLog> {
  const extent = await logExtent(pool);
  const faults: Fault[] = [];
  let entries = 0;
  for await (const page of auditedEntries(pool, extent, scope)) {
    for (const entry of page) takeEntry(entry, entry.index, faults);
    entries += page.length;
  }
  return { entries, checkpoints: 0, isWhole: false, faults: [...faults, ...(await withoutEntry(pool, extent.floor, scope))] };
}
