import { clausesOf, type Clause } from '@lib/language/reading/clauses';
import { readingOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { openingOf, type Opening } from './opening';

/** A sentence with what can be told of it alone, whichever report has it. */
export class SentenceRead {
  readonly reading: Reading;
  private openingFound: Opening | null | undefined = undefined;
  private clausesFound: { subjectEnd: number; clauses: Clause[] } | undefined = undefined;

  constructor(text: string, reading = readingOf(text)) {
    this.reading = reading;
  }

  /** What it speaks of. */
  get opening(): Opening | null {
    if (this.openingFound === undefined) this.openingFound = openingOf(this.reading);
    return this.openingFound;
  }

  /** The parts of it that state something each, of which none divides its subject. */
  clausesAfter(subjectEnd: number): readonly Clause[] {
    if (this.clausesFound?.subjectEnd !== subjectEnd) this.clausesFound = { subjectEnd, clauses: clausesOf(this.reading, subjectEnd) };
    return this.clausesFound.clauses;
  }
}

/** The sentences of a job's reports. Providers that quote one source have whole sentences in common, and each of those is read once. */
export class SentencesRead {
  private readonly known = new Map<string, SentenceRead>();

  read(text: string): SentenceRead {
    let sentence = this.known.get(text);
    if (!sentence) {
      sentence = new SentenceRead(text);
      this.known.set(text, sentence);
    }
    return sentence;
  }
}
