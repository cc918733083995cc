import { Reading } from '@lib/language/reading/reading';
import { isSame } from './same-word';
import { NO_PLACE, WordPlaces } from './word-places';
import { HAS_SYNONYMS, WordRow } from './word-row';

const ALL = -1;
const NOTHING = new WordRow(new Reading('', []));

/** Reused from one comparison to the next, and enlarged for longer sentences. */
let common = new Int32Array(256);
let kept = new Int32Array(256);

/**
 * A longest common subsequence of the words of two statements, step by step. The common beginning and end are not searched. The lengths for the rest
 * are found for 32 words at a time (Hyyrö 2004), since statements of a long report are compared tens of thousands of times.
 */
export class CommonSubsequence {
  private left = NOTHING;
  private right = NOTHING;
  private from = 0;
  private leftEnd = 0;
  private rightEnd = 0;
  /** How many 32-bit numbers a row has. There is a row for each left word; the last right word is the lowest bit. */
  private width = 0;

  private readonly places = new WordPlaces();

  /** Sets the two statements that later calls refer to. */
  compare(left: WordRow, right: WordRow): void {
    this.left = left;
    if (this.right !== right) this.places.fill(right);
    this.right = right;
    let from = 0;
    let leftEnd = left.hashes.length;
    let rightEnd = right.hashes.length;
    while (from < leftEnd && from < rightEnd && this.areSameAt(from, from)) from += 1;
    while (from < leftEnd && from < rightEnd && this.areSameAt(leftEnd - 1, rightEnd - 1)) {
      leftEnd -= 1;
      rightEnd -= 1;
    }
    this.from = from;
    this.leftEnd = leftEnd;
    this.rightEnd = rightEnd;
    this.width = (rightEnd - from + 31) >>> 5;
    this.markCommon();
    this.search();
  }

  /** Whether the words at `l` and `r` are common, or which of them stands alone. */
  at(l: number, r: number): 'both' | 'left' | 'right' {
    const isSearched = l >= this.from && r >= this.from && l < this.leftEnd && r < this.rightEnd;
    if (isSearched) {
      if (this.areCommon(l, r)) return 'both';
      return this.lengthFrom(l + 1, r) >= this.lengthFrom(l, r + 1) ? 'left' : 'right';
    }
    if (l >= this.left.hashes.length || (l === this.leftEnd && r < this.rightEnd)) return 'right';
    if (r >= this.right.hashes.length || (r === this.rightEnd && l < this.leftEnd)) return 'left';
    return 'both';
  }

  private areSameAt(l: number, r: number): boolean {
    const { left, right } = this;
    if (left.hashes[l] !== right.hashes[r] && ((left.marks[l] ?? 0) & (right.marks[r] ?? 0) & HAS_SYNONYMS) === 0) return false;
    const mine = left.tokens[l];
    const yours = right.tokens[r];
    return mine !== undefined && yours !== undefined && isSame(mine.word, yours.word);
  }

  private rowOf(l: number): number {
    return (l - this.from) * this.width;
  }

  private areCommon(l: number, r: number): boolean {
    const bit = this.rightEnd - 1 - r;
    return (((common[this.rowOf(l) + (bit >>> 5)] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  /** Sets the bits of all pairs of words that are the same. */
  private markCommon(): void {
    const { from, leftEnd, rightEnd, width } = this;
    const size = (leftEnd - from + 1) * width;
    if (common.length < size) [common, kept] = [new Int32Array(2 * size), new Int32Array(2 * size)];
    common.fill(0, 0, size);
    const { places, left } = this;
    for (let l = from; l < leftEnd; l += 1) {
      for (let r = places.first(left.hashes[l] ?? 0); r !== NO_PLACE; r = places.next(r))
        if (r >= from && r < rightEnd && this.areSameAt(l, r)) this.markAt(l, r);
      if (((left.marks[l] ?? 0) & HAS_SYNONYMS) === 0) continue;
      for (const r of places.withSynonyms) if (r >= from && r < rightEnd && this.areSameAt(l, r)) this.markAt(l, r);
    }
  }

  private markAt(l: number, r: number): void {
    const bit = this.rightEnd - 1 - r;
    const at = this.rowOf(l) + (bit >>> 5);
    common[at] = (common[at] ?? 0) | (1 << (bit & 31));
  }

  /** In the row of a left word, a bit of `kept` is cleared where including one more right word makes the common subsequence from there on longer. */
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

  /** Length of the common subsequence from the words at `l` and `r` on. */
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
