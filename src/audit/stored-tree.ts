import { joined, nodeHash, subtreesOf, type Range, type Subtree } from '@lib/audit/format/merkle';
import { storedHashes, type NodeRange } from '@lib/store/log/log-hashes';
import type { Pool } from '@lib/store/postgres/pool';

/** Of the tree's levels every eighth is stored: the leaves, the nodes over 256 leaves, those over 65,536 and so on. */
export const STORED_EVERY = 8;
/** So many nodes of a stored level are under one of the next. */
export const STORED_WIDTH = 2 ** STORED_EVERY;

/** An entry of the log, or a node of its tree, is not there. */
export class BrokenLog extends Error {
  override readonly name = 'BrokenLog';
}

/** The hashes of these ranges of leaves. A range reads at most 256 hashes of each stored level. @throws BrokenLog */
export async function hashesOf(pool: Pool, ranges: readonly Range[]): Promise<Buffer[]> {
  const parts = ranges.map(subtreesOf);
  const stored = await readStored(pool, parts.flat());
  return parts.map((subtrees) => joined(subtrees.map((subtree) => foldedFrom(stored, subtree))));
}

/** The root of the tree over the first entries. @throws BrokenLog */
export async function rootOfSize(pool: Pool, size: number): Promise<Buffer> {
  const [root] = await hashesOf(pool, [{ start: 0, end: size }]);
  return root as Buffer;
}

type Stored = ReadonlyMap<number, ReadonlyMap<number, Buffer>>;

const storedLevelOf = (level: number): number => level - (level % STORED_EVERY);

/** The stored nodes under a subtree. */
function nodesUnder({ level, index }: Subtree): NodeRange {
  const width = 2 ** (level % STORED_EVERY);
  return { first: index * width, last: (index + 1) * width - 1 };
}

async function readStored(pool: Pool, subtrees: readonly Subtree[]): Promise<Stored> {
  const byLevel = Map.groupBy(subtrees, ({ level }) => storedLevelOf(level));
  const stored = new Map<number, ReadonlyMap<number, Buffer>>();
  for (const [level, wanted] of byLevel) stored.set(level, await storedHashes(pool, level, wanted.map(nodesUnder)));
  return stored;
}

function foldedFrom(stored: Stored, subtree: Subtree): Buffer {
  const level = storedLevelOf(subtree.level);
  const { first, last } = nodesUnder(subtree);
  const hashes: Buffer[] = [];
  for (let index = first; index <= last; index += 1) {
    const hash = stored.get(level)?.get(index);
    if (!hash)
      throw new BrokenLog(level === 0 ? `the entry ${index} of the log is missing` : `the node ${level}/${index} of the log is missing`);
    hashes.push(hash);
  }
  return folded(hashes);
}

/** @param hashes as many as a power of two */
export function folded(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, at) => nodeHash(level[2 * at] as Buffer, level[2 * at + 1] as Buffer));
  return level[0] as Buffer;
}
