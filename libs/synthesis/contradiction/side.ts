import type { Reading } from '@lib/language/reading/reading';
import { WordRow } from '../alignment/word-row';
import { mainPartOf, type MainPart } from './main-part';
import { fillersOf, type Filler } from '../difference/fillers';

/** What two statements can differ in though they say the same otherwise, as bits: a name may be short for another, and some things have but one value. */
const NAMES = 1;
const FILLER = 1 << 1;

/** What some statements say, held against many others: what only some of those ask for is found once. */
export class Side {
  readonly isDependent: boolean;
  private found: readonly Filler[] | undefined = undefined;
  private held: number | undefined = undefined;
  private rowFound: WordRow | undefined = undefined;
  private mainFound: MainPart | null | undefined = undefined;

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

  /** Something in it has but one value, and is named. */
  get hasFiller(): boolean {
    return this.fillers.length > 0;
  }

  /** Two sides that have a bit in common can differ in it. */
  get holds(): number {
    return (this.held ??= (this.reading.names.length > 0 ? NAMES : 0) | (this.hasFiller ? FILLER : 0));
  }

  get main(): MainPart | null {
    return this.mainFound === undefined ? (this.mainFound = mainPartOf(this.reading)) : this.mainFound;
  }

  get row(): WordRow {
    return (this.rowFound ??= new WordRow(this.reading));
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
