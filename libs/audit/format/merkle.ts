import { hash } from 'node:crypto';

/** SHA-256 in bytes. */
export const HASH_BYTES = 32;
/** The root of a tree without leaves. */
export const EMPTY_ROOT = hash('sha256', '', 'buffer');

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Merkle trees as RFC 6962, section 2.1, defines them. */
export const leafHash = (data: string | Buffer): Buffer =>
  hash('sha256', Buffer.concat([LEAF, typeof data === 'string' ? Buffer.from(data) : data]), 'buffer');
export const nodeHash = (left: Buffer, right: Buffer): Buffer => hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

/** The leaves from `start` (inclusive) to `end` (exclusive). */
export interface Range {
  start: number;
  end: number;
}

/** The node over the leaves from `index * 2^level` (inclusive) to `(index + 1) * 2^level` (exclusive). */
export interface Subtree {
  level: number;
  index: number;
}

/** The complete subtrees of a range, from left to right and ever smaller. The range must begin where a subtree of its size can begin. */
export function subtreesOf({ start, end }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = start; at < end;) {
    const level = Math.floor(Math.log2(end - at));
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/** The hash of a range, computed from the hashes of its complete subtrees. */
export function joined(hashes: readonly Buffer[]): Buffer {
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** The number of leaves in the left half of a tree: the largest power of two below `size`, which must be at least 2. */
function leftHalf(size: number): number {
  const power = 2 ** Math.floor(Math.log2(size));
  return power === size ? size / 2 : power;
}

/** The ranges whose hashes prove that a leaf is in the tree of this size, from the leaf upwards. */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + leftHalf(end - start);
    if (index < middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  return ranges;
}

/** The ranges whose hashes prove that the tree of the second size extends the tree of the first size, which is not larger. */
export function consistencyRanges(first: number, second: number): Range[] {
  if (first === 0 || first === second) return [];
  const ranges: Range[] = [];
  let [start, end] = [0, second];
  // While `start` is 0 the verifier knows the hash of the old tree.
  while (end !== first) {
    const middle = start + leftHalf(end - start);
    if (first <= middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  return start === 0 ? ranges : [{ start, end }, ...ranges];
}

/** The root of a tree to which leaves are added one by one; it keeps one hash for each bit of its size. */
export class GrowingTree {
  private readonly complete: (Subtree & { hash: Buffer })[];
  size: number;

  /** @param complete the complete subtrees of the tree to begin with, from left to right */
  constructor(complete: readonly (Subtree & { hash: Buffer })[] = []) {
    this.complete = [...complete];
    this.size = complete.reduce((size, { level }) => size + 2 ** level, 0);
  }

  /** @param onNode is called with each node that becomes complete */
  add(hash: Buffer, onNode?: (node: Subtree & { hash: Buffer }) => void): void {
    let node = { level: 0, index: this.size, hash };
    for (let last = this.complete.at(-1); last?.level === node.level; last = this.complete.at(-1)) {
      this.complete.pop();
      node = { level: node.level + 1, index: Math.floor(node.index / 2), hash: nodeHash(last.hash, node.hash) };
      onNode?.(node);
    }
    this.complete.push(node);
    this.size += 1;
  }

  root(): Buffer {
    return joined(this.complete.map(({ hash }) => hash));
  }
}
