import { inclusionRanges, nodeHash, subtreesOf, type Range, type Subtree } from '@lib/audit/format/merkle';
import { storedHashes } from '@lib/store/log/log-hashes';
import type { Pool } from '@lib/store/postgres/pool';
import { BrokenLog, hashesOf, STORED_EVERY, STORED_WIDTH } from './stored-tree';

/** Of 511 hashes each. */
const MAX_BLOCKS = 128;

/** By level: 256 neighbouring nodes of a stored level, then the 128 above them, and so on up to the one above all. */
type Block = readonly (readonly Buffer[])[];

/**
 * Many proofs of inclusion in the same tree. A proof alone reads and hashes hundreds of nodes; those of neighbours share nearly all of them,
 * so the blocks that were used last are kept.
 */
export class TreeProofs {
  private readonly blocks = new Map<string, Block>();
  /** Hashes of the incomplete ranges at the tree's end, of which each level has one at most. */
  private readonly edges = new Map<number, Buffer>();

  constructor(
    private readonly pool: Pool,
    readonly size: number,
  ) {}

  async inclusion(index: number): Promise<Buffer[]> {
    const proof: Buffer[] = [];
    for (const range of inclusionRanges(index, this.size)) proof.push(await this.hashOf(range));
    return proof;
  }

  private async hashOf(range: Range): Promise<Buffer> {
    const [subtree, ...others] = subtreesOf(range);
    if (subtree && others.length === 0) return this.nodeAt(subtree);
    const known = this.edges.get(range.start);
    if (known) return known;
    const [hash] = await hashesOf(this.pool, [range]);
    this.edges.set(range.start, hash as Buffer);
    return hash as Buffer;
  }

  private async nodeAt({ level, index }: Subtree): Promise<Buffer> {
    const above = level % STORED_EVERY;
    const perBlock = 2 ** (STORED_EVERY - above);
    const number = Math.floor(index / perBlock);
    const block = await this.blockAt(level - above, number);
    const hash = block[above]?.[index - number * perBlock];
    if (!hash) throw new BrokenLog(`the node ${level}/${index} of the log cannot be made: hashes under it are missing`);
    return hash;
  }

  private async blockAt(level: number, number: number): Promise<Block> {
    const name = `${level}/${number}`;
    const block = this.blocks.get(name) ?? (await this.readBlock(level, number));
    // Keeps the least recently used block first, so that the first one is dropped.
    this.blocks.delete(name);
    this.blocks.set(name, block);
    const [oldest] = this.blocks.keys();
    if (this.blocks.size > MAX_BLOCKS && oldest !== undefined) this.blocks.delete(oldest);
    return block;
  }

  private async readBlock(level: number, number: number): Promise<Block> {
    const first = number * STORED_WIDTH;
    const stored = await storedHashes(this.pool, level, [{ first, last: first + STORED_WIDTH - 1 }]);
    let row: Buffer[] = [];
    for (let at = first; stored.has(at); at += 1) row.push(stored.get(at) as Buffer);
    const block: Buffer[][] = [row];
    while (row.length > 1) {
      const below = row;
      row = Array.from({ length: Math.floor(below.length / 2) }, (_, at) => nodeHash(below[2 * at] as Buffer, below[2 * at + 1] as Buffer));
      block.push(row);
    }
    return block;
  }
}
