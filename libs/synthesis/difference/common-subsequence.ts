import type { Token } from '@lib/language/reading/token';
import { isSame } from './same-word';

const ALL = -1;
/** Kept from one comparison to the next, and made larger when sentences are longer. */
let common = new Int32Array(256);
let kept = new Int32Array(256);

/**
 * A longest common subsequence of the words of two statements, step by step. What both begin and end with is not searched. The lengths for
 * what is left are found for 32 words at a time (Hyyrö 2004): statements of a long report are compared tens of thousands of times.
 */
export class CommonSubsequence {
  private from = 0;
  private leftEnd: number;
  private rightEnd: number;
  /** Numbers of 32 bits in a row, of which there is one for each word of the left one; the last word of the right one has the lowest bit. */
  private readonly width: number;

  constructor(
    private readonly left: readonly Token[],
    private readonly right: readonly Token[],
  ) {
    [this.leftEnd, this.rightEnd] = [left.length, right.length];
    while (this.from < Math.min(this.leftEnd, this.rightEnd) && this.areSameAt(this.from, this.from)) this.from += 1;
    while (Math.min(this.leftEnd, this.rightEnd) > this.from && this.areSameAt(this.leftEnd - 1, this.rightEnd - 1)) {
      this.leftEnd -= 1;
      this.rightEnd -= 1;
    }
    this.width = (this.rightEnd - this.from + 31) >>> 5;
    this.compare();
    this.search();
  }

  /** Whether the words at `l` and `r` are common, or the left or the right one stands alone. */
  at(l: number, r: number): 'both' | 'left' | 'right' {
    const isSearched = l >= this.from && r >= this.from && l < this.leftEnd && r < this.rightEnd;
    if (isSearched) {
      if (this.areCommon(l, r)) return 'both';
      return this.lengthFrom(l + 1, r) >= this.lengthFrom(l, r + 1) ? 'left' : 'right';
    }
    if (l >= this.left.length || (l === this.leftEnd && r < this.rightEnd)) return 'right';
    if (r >= this.right.length || (r === this.rightEnd && l < this.leftEnd)) return 'left';
    return 'both';
  }

  private areSameAt(l: number, r: number): boolean {
    const [mine, yours] = [this.left[l], this.right[r]];
    return mine !== undefined && yours !== undefined && isSame(mine.word, yours.word);
  }

  private rowOf(l: number): number {
    return (l - this.from) * this.width;
  }

  private areCommon(l: number, r: number): boolean {
    const bit = this.rightEnd - 1 - r;
    return (((common[this.rowOf(l) + (bit >>> 5)] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  /** Marks which words are the same. */
  private compare(): void {
    const { from, leftEnd, rightEnd, width } = this;
    const size = (leftEnd - from + 1) * width;
    if (common.length < size) [common, kept] = [new Int32Array(2 * size), new Int32Array(2 * size)];
    common.fill(0, 0, size);
    for (let l = from; l < leftEnd; l += 1) {
      const row = this.rowOf(l);
      for (let r = from; r < rightEnd; r += 1) {
        if (!this.areSameAt(l, r)) continue;
        const bit = rightEnd - 1 - r;
        const at = row + (bit >>> 5);
        common[at] = (common[at] ?? 0) | (1 << (bit & 31));
      }
    }
  }

  /** A bit of `kept` is gone where one word more on the right makes what is common longer, from the left word of its row on. */
  private search(): void {
    const { from, leftEnd, width } = this;
    const last = this.rowOf(leftEnd);
    kept.fill(ALL, last, last + width);
    for (let l = leftEnd - 1; l >= from; l -= 1) {
      const row = this.rowOf(l);
      let carry = 0;
      for (let at = row; at < row + width; at += 1) {
        const before = kept[at + width] ?? 0;
        const same = before & (common[at] ?? 0);
        const sum = (before >>> 0) + (same >>> 0) + carry;
        carry = sum > 0xffffffff ? 1 : 0;
        kept[at] = sum | 0 | (before & ~same);
      }
    }
  }

  /** How many words are common from those at `l` and `r` on. */
  private lengthFrom(l: number, r: number): number {
    const row = this.rowOf(l);
    let bits = this.rightEnd - r;
    let length = 0;
    for (let at = row; bits > 0; at += 1, bits -= 32) {
      const gone = ~(kept[at] ?? ALL);
      length += bitsIn(bits >= 32 ? gone : gone & ((1 << bits) - 1));
    }
    return length;
  }
}

/** How many bits are set, by adding neighbours. */
function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
