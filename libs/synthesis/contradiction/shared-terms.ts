import type { Reading } from '@lib/language/reading/reading';

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

  /** Each says something that the other does not, as far as their words tell. */
  differInBoth(left: number, right: number): boolean {
    const shared = this.shared(left, right);
    return shared < this.termsOf(left).length && shared < this.termsOf(right).length;
  }

  /** How many terms only one of the two has. */
  apart(left: number, right: number): number {
    return this.termsOf(left).length + this.termsOf(right).length - 2 * this.shared(left, right);
  }

  /** Pairs mostly come with the same right one many times in a row. */
  private shared(left: number, right: number): number {
    const mine = this.termsOf(left);
    const yours = this.termsOf(right);
    const mark = right + 1;
    if (this.marked !== right) for (let at = 0; at < yours.length; at += 1) this.marks[yours[at] ?? 0] = mark;
    this.marked = right;
    let shared = 0;
    for (let at = 0; at < mine.length; at += 1) if (this.marks[mine[at] ?? 0] === mark) shared += 1;
    return shared;
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
