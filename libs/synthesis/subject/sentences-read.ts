import { clausesOf, type Clause } from '@lib/language/reading/clauses';
import { readingOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { openingOf, type Opening } from './opening';

const PRONOUNS: ReadonlySet<string> = new Set(['he', 'she', 'it', 'they']);

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

  /** Whether a clause has a pronoun of its own that stands for something else: "Ada began the project; it was …". */
  hasOtherSubject({ from, to }: Clause): boolean {
    const pronoun = this.reading.tokens[from - 1]?.word.text ?? '';
    const { opening } = this;
    if (!opening || to <= opening.from || !PRONOUNS.has(pronoun)) return false;
    if (opening.named) return !opening.person || pronoun === 'it' || pronoun === 'they';
    return opening.isPossessive || this.reading.tokens[opening.from]?.word.text !== pronoun;
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
