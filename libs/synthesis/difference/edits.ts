import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';

/** Where two statements part: the words of the one that stand in the place of the words of the other. One side may have none. */
export interface Edit {
  left: readonly Token[];
  right: readonly Token[];
  /** Where it begins among all words of each, and where its left side ends, exclusive. */
  leftFrom: number;
  leftTo: number;
  rightFrom: number;
  /** Something that both say stands before it, and something after it. */
  isWithin: boolean;
}

/** Two statements word by word. */
export interface Alignment {
  edits: readonly Edit[];
  /** How many meaningful words they share in the same order. */
  shared: number;
  /** How many more they share in another order. */
  moved: number;
}

/** Words that may come and go without changing what is said. */
const IDLE = new Set(
  `a an the that which also its his her their been being is are was were be has have had do does did of to in on at by for as with it he she they and then
  so thus however later serve serves served away there this these those own up out very further s quite rather completely totally entirely longer ever any anymore exactly even still`.split(
    /\s+/,
  ),
);

interface OpenEdit extends Edit {
  left: Token[];
  right: Token[];
}

/** Aligns the words of two statements by their longest common subsequence. What only stands elsewhere in the other one is no difference. */
export function alignWords({ tokens: left }: Reading, { tokens: right }: Reading): Alignment {
  const edits: OpenEdit[] = [];
  let open: OpenEdit | null = null;
  let editsBeforeLastShared = 0;
  let shared = 0;
  const steps = new CommonSubsequence(left, right);
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [mine, yours] = [left[l], right[r]];
    const step = steps.at(l, r);
    if (step === 'both' && mine) {
      if (!mine.word.isStopWord) {
        shared += 1;
        editsBeforeLastShared = edits.length;
      }
      // A word without a meaning of its own makes two differences of one only where each side of the first says something.
      if (!IDLE.has(mine.word.text) || (open && saysSomething(open.left) && saysSomething(open.right))) open = null;
      l += 1;
      r += 1;
      continue;
    }
    if (!open) edits.push((open = { left: [], right: [], leftFrom: l, leftTo: l, rightFrom: r, isWithin: shared > 0 }));
    if (step === 'left') open.leftTo = l += 1;
    else r += 1;
    if (step === 'left' && mine) open.left.push(mine);
    else if (yours) open.right.push(yours);
  }
  for (const edit of edits.slice(editsBeforeLastShared)) edit.isWithin = false;
  return withoutMoved(edits, shared);
}

export const isIdle = ({ text, role }: Word): boolean => IDLE.has(text) || role === 'filler';
const saysSomething = (tokens: readonly Token[]): boolean => tokens.some(({ word }) => !isIdle(word));

export function isSame(mine: Word, yours: Word): boolean {
  if (mine === yours) return true;
  if (mine.isNegated !== yours.isNegated) return false;
  return mine.stem === yours.stem || mine.synonyms?.has(yours.stem) === true;
}

/** Kept from one comparison to the next: most have room in it, and it is as large as the square of what a sentence has of words. */
let lengths = new Uint16Array(4_096);

/** A longest common subsequence of the words, step by step. What both begin and end with is not searched. */
class CommonSubsequence {
  private from = 0;
  private leftEnd: number;
  private rightEnd: number;
  private readonly width: number;

  constructor(
    private readonly left: readonly Token[],
    private readonly right: readonly Token[],
  ) {
    [this.leftEnd, this.rightEnd] = [left.length, right.length];
    while (this.from < Math.min(this.leftEnd, this.rightEnd) && this.isSameAt(this.from, this.from)) this.from += 1;
    while (Math.min(this.leftEnd, this.rightEnd) > this.from && this.isSameAt(this.leftEnd - 1, this.rightEnd - 1)) {
      this.leftEnd -= 1;
      this.rightEnd -= 1;
    }
    this.width = this.rightEnd - this.from + 1;
    this.search();
  }

  /** Whether the words at `l` and `r` are common, or the left or the right one stands alone. */
  at(l: number, r: number): 'both' | 'left' | 'right' {
    const isSearched = l >= this.from && r >= this.from && l < this.leftEnd && r < this.rightEnd;
    if (isSearched) {
      if (this.isSameAt(l, r)) return 'both';
      return this.lengthAt(l + 1, r) >= this.lengthAt(l, r + 1) ? 'left' : 'right';
    }
    if (l >= this.left.length || (l === this.leftEnd && r < this.rightEnd)) return 'right';
    if (r >= this.right.length || (r === this.rightEnd && l < this.leftEnd)) return 'left';
    return 'both';
  }

  private isSameAt(l: number, r: number): boolean {
    const [mine, yours] = [this.left[l], this.right[r]];
    return mine !== undefined && yours !== undefined && isSame(mine.word, yours.word);
  }

  private lengthAt(l: number, r: number): number {
    return lengths[(l - this.from) * this.width + (r - this.from)] ?? 0;
  }

  /** By the words from each place on, in rows of the right one's length. */
  private search(): void {
    const { from, leftEnd, rightEnd, width } = this;
    const size = (leftEnd - from + 1) * width;
    if (lengths.length < size) lengths = new Uint16Array(2 * size);
    lengths.fill(0, (leftEnd - from) * width, size);
    for (let l = leftEnd - 1; l >= from; l -= 1) {
      const row = (l - from) * width;
      lengths[row + width - 1] = 0;
      for (let r = rightEnd - 1; r >= from; r -= 1) {
        const at = row + r - from;
        lengths[at] = this.isSameAt(l, r) ? (lengths[at + width + 1] ?? 0) + 1 : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
      }
    }
  }
}

/** Without what says nothing, and what the other side says elsewhere. */
function withoutMoved(edits: readonly Edit[], shared: number): Alignment {
  if (edits.length === 0) return { edits, shared, moved: 0 };
  const stemsOf = (side: 'left' | 'right'): Set<string> => new Set(edits.flatMap((edit) => edit[side].map(({ word }) => word.stem)));
  const [lefts, rights] = [stemsOf('left'), stemsOf('right')];
  let moved = 0;
  const isTelling = ({ word }: Token, others: ReadonlySet<string>): boolean => {
    if (isIdle(word)) return false;
    const isElsewhere = others.has(word.stem) || word.synonyms?.isDisjointFrom(others) === false;
    if (isElsewhere) moved += 1;
    return !isElsewhere;
  };
  const kept = edits.map((edit) => ({
    ...edit,
    left: edit.left.filter((token) => isTelling(token, rights)),
    right: edit.right.filter((token) => isTelling(token, lefts)),
  }));
  return { edits: kept.filter(({ left, right }) => left.length + right.length > 0), shared, moved: moved / 2 };
}
