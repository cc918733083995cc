import { clausesOf, type Clause } from '@lib/language/reading/clauses';
import { independentClausesOf } from '@lib/language/reading/independent-clauses';
import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { Abbreviations } from './abbreviations';
import { openingOf, type Opening } from './opening';

/** A sentence with everything that can be derived from it alone, in whichever report. */
export class SentenceRead {
  readonly reading: Reading;
  private openingFound: Opening | null | undefined = undefined;
  private independentFound: readonly Clause[] | undefined = undefined;
  private clausesFound: { subjectEnd: number; dividesSetOff: boolean; clauses: Clause[] } | undefined = undefined;

  constructor(text: string, reading = readingOf(text)) {
    this.reading = reading;
  }

  /** Its subject. */
  get opening(): Opening | null {
    if (this.openingFound === undefined) this.openingFound = openingOf(this.reading);
    return this.openingFound;
  }

  /**
   * The parts that each state something; none divides the subject.
   * @param dividesSetOff whether an insertion after the subject counts as a part
   */
  clausesAfter(subjectEnd: number, dividesSetOff: boolean): readonly Clause[] {
    const known = this.clausesFound;
    if (known?.subjectEnd === subjectEnd && known.dividesSetOff === dividesSetOff) return known.clauses;
    const clauses = clausesOf(this.reading, subjectEnd, dividesSetOff && this.opening?.from === 0);
    this.clausesFound = { subjectEnd, dividesSetOff, clauses };
    return clauses;
  }

  /** The parts that could be sentences of their own; the sentence itself if there are none. */
  get independentClauses(): readonly Clause[] {
    return (this.independentFound ??= independentClausesOf(this.reading));
  }
}

/** The sentences of a job's reports. Providers that quote the same source share whole sentences, and each of these is read once. */
export class SentencesRead {
  private readonly known = new Map<string, SentenceRead>();
  readonly abbreviations: Abbreviations;

  /** Pass the reports; each may use what another one explains. */
  constructor(reports: readonly string[]) {
    this.abbreviations = new Abbreviations(reports);
  }

  read(text: string): SentenceRead {
    let sentence = this.known.get(text);
    if (!sentence) {
      sentence = new SentenceRead(text);
      this.known.set(text, sentence);
    }
    return sentence;
  }
}
