import type { Reading } from '@lib/language/reading/reading';
import { WordRow } from '../alignment/word-row';
import { mainPartOf, type MainPart } from './main-part';
import { fillersOf, type Filler } from '../difference/fillers';

/** In what two otherwise equal statements can differ, as bits: a name, or something that has only one value. */
const NAMES = 1;
const FILLER = 1 << 1;

/** The text of one or more statements, compared with many others. Values needed only by some comparisons are computed once, on demand. */
export class Side {
  readonly isDependent: boolean;
  private found: readonly Filler[] | undefined = undefined;
  private held: number | undefined = undefined;
  private rowFound: WordRow | undefined = undefined;
  private mainFound: MainPart | null | undefined = undefined;

  /** How many statements have this text. */
  statements = 0;

  constructor(
    readonly reading: Reading,
    /** The position of the first statement with this text. */
    readonly position: number,
  ) {
    this.isDependent = reading.isDependent;
  }

  get fillers(): readonly Filler[] {
    return (this.found ??= fillersOf(this.reading));
  }

  /** Whether it names something that has only one value. */
  get hasFiller(): boolean {
    return this.fillers.length > 0;
  }

  /** Two sides can differ in the kinds for which both have the bit. */
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

/** The side of each statement, by position; statements with the same reading share it. */
export function sidesOf(statements: readonly { reading: Reading }[]): Side[] {
  const known = new Map<Reading, Side>();
  return statements.map(({ reading }, position) => {
    let side = known.get(reading);
    if (!side) known.set(reading, (side = new Side(reading, position)));
    side.statements += 1;
    return side;
  });
}
