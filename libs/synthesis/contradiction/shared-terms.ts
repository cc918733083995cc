import type { Reading } from '@lib/language/reading/reading';

interface Apart {
  onlyLeft: number;
  onlyRight: number;
}

/** The answer is one object, written anew each time. */
const found: Apart = { onlyLeft: 0, onlyRight: 0 };

/**
 * Tells which statements of a job say something that another does not. Their terms are numbered, so that a pair of statements costs a short
 * walk over numbers: a large job asks for a hundred thousand pairs. Statements go by their position.
 */
export class SharedTerms {
  private readonly numbers = new Map<string, number>();
  private readonly known: (readonly number[] | undefined)[];
  private readonly byReading = new Map<Reading, readonly number[]>();
  /** By term number the statement, counted from 1, that was compared last and has it; and that statement. */
  private readonly marks: number[] = [];
  private marked = -1;

  constructor(private readonly readings: readonly Reading[]) {
    this.known = readings.map(() => undefined);
  }

  /**
   * How many terms only the one of the two has, and how many only the other; null where both have some that are more than `most` together,
   * which is seen of most pairs before all terms are counted. Pairs mostly come with the same right one many times in a row.
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
