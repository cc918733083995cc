import type { Reading } from '@lib/language/reading/reading';

interface Apart {
  onlyLeft: number;
  onlyRight: number;
}

/** A single result object, overwritten by each call. */
const found: Apart = { onlyLeft: 0, onlyRight: 0 };

/**
 * Counts the terms that one statement has and another lacks. Terms are numbered, so that a pair costs only a short loop over numbers: a large job has
 * a hundred thousand pairs. Statements are referred to by position.
 */
export class SharedTerms {
  private readonly numbers = new Map<string, number>();
  private readonly known: (readonly number[] | undefined)[];
  private readonly byReading = new Map<Reading, readonly number[]>();
  /** For each term number the last compared statement that has it, counted from 1; and the position of that statement. */
  private readonly marks: number[] = [];
  private marked = -1;

  constructor(private readonly readings: readonly Reading[]) {
    this.known = readings.map(() => undefined);
  }

  /**
   * How many terms only the left statement has, and how many only the right one. Null if both have some and together more than `most`, which for most
   * pairs is known before all terms are counted. Many pairs in a row usually have the same right statement.
   */
  apart(left: number, right: number, most: number): Readonly<Apart> | null {
    const mine = this.termsOf(left);
    const yours = this.termsOf(right);
    const mark = right + 1;
    if (this.marked !== right) for (let at = 0; at < yours.length; at += 1) this.marks[yours[at] ?? 0] = mark;
    this.marked = right;
    const longer = mine.length - yours.length;
    const tooMany = Math.max(1, longer + 1, ((most + longer) >> 1) + 1);
    let onlyLeft = 0;
    for (let at = 0; at < mine.length; at += 1) {
      if (this.marks[mine[at] ?? 0] === mark) continue;
      onlyLeft += 1;
      if (onlyLeft === tooMany) return null;
    }
    found.onlyLeft = onlyLeft;
    found.onlyRight = onlyLeft - longer;
    return found;
  }

  /** How many terms a statement has. */
  count(place: number): number {
    return this.termsOf(place).length;
  }

  private termsOf(place: number): readonly number[] {
    return (this.known[place] ??= this.numbered(place));
  }

  private numbered(place: number): readonly number[] {
    const reading = this.readings[place];
    const shared = reading && this.byReading.get(reading);
    if (!reading || shared) return shared ?? [];
    const numbers: number[] = [];
    this.byReading.set(reading, numbers);
    for (const term of reading.terms) {
      let number = this.numbers.get(term);
      if (number === undefined) {
        number = this.marks.push(0) - 1;
        this.numbers.set(term, number);
      }
      numbers.push(number);
    }
    return numbers;
  }
}
