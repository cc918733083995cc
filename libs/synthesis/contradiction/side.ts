import type { Reading } from '@lib/language/reading/reading';
import type { Statement } from '../claims';
import { fillersOf, type Filler } from './fillers';

/** A statement that is held against many others: what only some of them ask for is found once. */
export class Side {
  readonly reading: Reading;
  readonly provider: Statement['provider'];
  readonly text: string;
  readonly isDependent: boolean;
  private found: readonly Filler[] | undefined;
  private namesFound: boolean | undefined;

  constructor(readonly statement: Statement) {
    this.reading = statement.reading;
    this.provider = statement.provider;
    this.text = statement.text;
    this.isDependent = statement.reading.isDependent;
  }

  get fillers(): readonly Filler[] {
    return (this.found ??= fillersOf(this.reading));
  }

  /** Something in it has but one value, and is named: two statements can differ in that and say the same otherwise. */
  get hasFiller(): boolean {
    return this.fillers.length > 0;
  }

  get hasNames(): boolean {
    return (this.namesFound ??= this.reading.names.length > 0);
  }
}
