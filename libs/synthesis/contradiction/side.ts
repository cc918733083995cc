import type { Reading } from '@lib/language/reading/reading';
import { WordRow } from '../difference/word-row';
import { fillersOf, type Filler } from './fillers';

/** What some statements say, held against many others: what only some of those ask for is found once. */
export class Side {
  readonly isDependent: boolean;
  private found: readonly Filler[] | undefined = undefined;
  private namesFound: boolean | undefined = undefined;
  private rowFound: WordRow | undefined = undefined;

  /** How many statements have it. */
  statements = 0;

  constructor(
    readonly reading: Reading,
    /** Of the first statement that has it. */
    readonly position: number,
  ) {
    this.isDependent = reading.isDependent;
  }

  get fillers(): readonly Filler[] {
    return (this.found ??= fillersOf(this.reading));
  }

  /** Something in it has but one value, and is named: two statements can differ in that and say the same otherwise. */
  get hasFiller(): boolean {
    return this.fillers.length > 0;
  }

  get row(): WordRow {
    return (this.rowFound ??= new WordRow(this.reading));
  }

  get hasNames(): boolean {
    return (this.namesFound ??= this.reading.names.length > 0);
  }
}

/** The side of each statement, by their positions; those of one reading share theirs. */
export function sidesOf(statements: readonly { reading: Reading }[]): Side[] {
  const known = new Map<Reading, Side>();
  return statements.map(({ reading }, position) => {
    let side = known.get(reading);
    if (!side) known.set(reading, (side = new Side(reading, position)));
    side.statements += 1;
    return side;
  });
}
