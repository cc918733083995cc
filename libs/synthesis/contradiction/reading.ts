import type { Role, Word } from '../lexicon';
import type { Amount } from './amounts';
import type { PartialDate } from './dates';

/** A word of a sentence that is neither part of a date nor of an amount. */
export interface ReadWord extends Word {
  isName: boolean;
  /** Its place in the text, in UTF-16 units. */
  start: number;
  end: number;
}

/** Capitalised words in a row: "Anna May Wong", "University of Hawaii". */
export interface NameRun {
  words: readonly ReadWord[];
  /** Lower-cased. */
  parts: ReadonlySet<string>;
}

export type Tense = 'past' | 'present';

/** The text of a statement and what is read from it first. */
export interface Wording {
  /** Without the brackets around a subject that was put in. */
  text: string;
  words: readonly ReadWord[];
  names: readonly NameRun[];
}

/** Something that happens but once, and where. */
export interface Happening {
  place: { text: string; name: NameRun } | null;
}

/** The one value that a thing has for something. */
export interface Attribute {
  /** Stems of what names it: "capital of Australia". */
  attribute: ReadonlySet<string>;
  value: ReadonlySet<string>;
}

/** One statement as the cues see it. */
export interface Reading extends Wording {
  /** Stems of the words that say what the statement is about: without negations, directions and whatever has a role. */
  terms: ReadonlySet<string>;
  dates: readonly PartialDate[];
  amounts: readonly Amount[];
  /** An odd number of negations. */
  isNegated: boolean;
  isNoLonger: boolean;
  /** It is a participle's: "scoring eight goals" is true of the time of its main clause alone. */
  isDependent: boolean;
  directions: readonly ReadWord[];
  tense: Tense;
  /** Words of each role but `filler`, sorted. */
  roles: Readonly<Record<Exclude<Role, 'filler'>, string>>;
  /** What fills a slot that has one value; read when it is asked for, which is seldom. */
  happening: () => Happening | null;
  authors: () => readonly NameRun[];
  attribute: () => Attribute | null;
}
