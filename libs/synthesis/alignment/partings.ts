import { CommonSubsequence } from './common-subsequence';
import { meanTheSame } from './same-word';
import { COMES_AND_GOES, HAS_SYNONYMS, IDLE, STOP_WORD, type WordRow } from './word-row';

/** The words of one statement that the other lacks at that place. */
export class Lone {
  count = 0;
  /** The index of each among all words. */
  readonly places: number[] = [];
  /** Whether it has meaning, and the other statement does not say it elsewhere. */
  readonly isKept: boolean[] = [];
  /** For each difference the index of its first word here; followed by the end. */
  readonly from: number[] = [];
  /** Whether the words of the last difference have meaning. */
  saysSomething = false;

  clear(): void {
    this.count = 0;
  }

  startParting(parting: number): void {
    this.from[parting] = this.count;
    this.saysSomething = false;
  }

  add(place: number, mark: number): void {
    const says = (mark & IDLE) === 0;
    this.places[this.count] = place;
    this.isKept[this.count] = says;
    this.count += 1;
    if (says) this.saysSomething = true;
  }

  keptIn(parting: number): number {
    let kept = 0;
    const end = this.from[parting + 1] ?? 0;
    for (let at = this.from[parting] ?? 0; at < end; at += 1) if (this.isKept[at]) kept += 1;
    return kept;
  }

  /** Drops the words that the other statement has elsewhere, and returns how many these are. */
  dropMoved(row: WordRow, others: Lone, otherRow: WordRow): number {
    let moved = 0;
    for (let at = 0; at < this.count; at += 1) {
      if (!this.isKept[at] || !others.has(row, this.places[at] ?? 0, otherRow)) continue;
      this.isKept[at] = false;
      moved += 1;
    }
    return moved;
  }

  private has(row: WordRow, place: number, own: WordRow): boolean {
    const hash = row.hashes[place];
    const synonyms = (row.marks[place] ?? 0) & HAS_SYNONYMS;
    for (let at = 0; at < this.count; at += 1) {
      const mine = this.places[at] ?? 0;
      if (own.hashes[mine] !== hash && ((own.marks[mine] ?? 0) & synonyms) === 0) continue;
      const [word, other] = [row.tokens[place]?.word, own.tokens[mine]?.word];
      if (word && other && meanTheSame(word, other)) return true;
    }
    return false;
  }
}

/**
 * The places where two statements differ, by their longest common subsequence. A single object serves all pairs and refills its arrays, because a
 * long report has tens of thousands of pairs and most turn out here not to need objects of their own.
 */
export class Partings {
  count = 0;
  /** How many meaningful words both share in the same order. */
  shared = 0;
  /** How many more they share in a different order. */
  moved = 0;
  readonly mine = new Lone();
  readonly yours = new Lone();
  /** For each difference its begin index in each statement, and its exclusive end index on the left. */
  readonly leftFrom: number[] = [];
  readonly leftTo: number[] = [];
  readonly rightFrom: number[] = [];
  /** For each difference how many shared meaningful words precede it. */
  readonly sharedBefore: number[] = [];
  private readonly steps = new CommonSubsequence();

  /** @param sharedBefore how many meaningful words both share before these */
  read(left: WordRow, right: WordRow, sharedBefore = 0): void {
    this.count = 0;
    this.shared = sharedBefore;
    this.mine.clear();
    this.yours.clear();
    this.part(left, right);
    this.mine.from[this.count] = this.mine.count;
    this.yours.from[this.count] = this.yours.count;
    this.moved = (this.mine.dropMoved(left, this.yours, right) + this.yours.dropMoved(right, this.mine, left)) / 2;
  }

  /** Whether both statements share something before it and something after it. */
  isWithin(parting: number): boolean {
    const before = this.sharedBefore[parting] ?? 0;
    return before > 0 && before < this.shared;
  }

  private part(left: WordRow, right: WordRow): void {
    const { steps, mine, yours } = this;
    const leftCount = left.marks.length;
    const rightCount = right.marks.length;
    steps.compare(left, right);
    let isOpen = false;
    let l = 0;
    let r = 0;
    while (l < leftCount || r < rightCount) {
      const step = steps.at(l, r);
      if (step === 'both') {
        const mark = left.marks[l] ?? 0;
        if ((mark & STOP_WORD) === 0) this.shared += 1;
        // A shared "of" or "the" ends a difference only if both sides have said something in it.
        if ((mark & COMES_AND_GOES) === 0 || (mine.saysSomething && yours.saysSomething)) isOpen = false;
        l += 1;
        r += 1;
        continue;
      }
      if (!isOpen) this.start(l, r);
      isOpen = true;
      if (step === 'left') {
        mine.add(l, left.marks[l] ?? 0);
        l += 1;
        this.leftTo[this.count - 1] = l;
      } else {
        yours.add(r, right.marks[r] ?? 0);
        r += 1;
      }
    }
  }

  private start(l: number, r: number): void {
    const parting = this.count;
    this.leftFrom[parting] = l;
    this.leftTo[parting] = l;
    this.rightFrom[parting] = r;
    this.sharedBefore[parting] = this.shared;
    this.mine.startParting(parting);
    this.yours.startParting(parting);
    this.count += 1;
  }
}
