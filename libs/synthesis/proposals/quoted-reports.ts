import { readingOf } from '@lib/language/reading/read-text';
import { splitSentences } from '@lib/language/sentences';
import { readReport, readTogether } from '../statement/read-report';
import type { Statement } from '../statement/statement';
import type { SynthesisInput } from '../synthesis';
import type { QuotedPlace } from './accepted';
import { placeOfWords, quotedWords, withoutStop, type QuotedWords } from './quoted-words';
import type { GivenQuote } from './read-proposals';
import { namedReports } from './reports';

/** Fewer words than this occur in many sentences. */
const MIN_WORDS = 4;
/** A quote with this share of a sentence means the whole sentence; a shorter one means a part. */
const MIN_SHARE = 0.8;

/** The statements found for a quote. */
export interface Found {
  /** The quoted part, if it states something by itself; otherwise null. */
  quoted: Statement | null;
  /** The quoted part, followed by the clause or sentence that contains it; empty if the quote was not found. */
  whole: readonly Statement[];
  /** The clauses of the sentence, if the quote extends over several. */
  clauses: readonly Statement[];
  /** How many words of the quote are meaningful. */
  meaningfulCount: number;
  /** Null if its words were not found. */
  place: QuotedPlace | null;
}

const NOT_FOUND: Found = { quoted: null, whole: [], clauses: [], meaningfulCount: 0, place: null };

/** The reports of a job, prepared for finding quotes. */
export class QuotedReports {
  private readonly statements: ReadonlyMap<string, readonly Statement[]>;
  private readonly words = new Map<Statement, QuotedWords>();

  /** Stems of the question. */
  readonly asked: ReadonlySet<string>;

  constructor(input: SynthesisInput) {
    const reports = namedReports(input);
    const together = readTogether(
      reports.map(({ step }) => step),
      input.query,
    );
    this.asked = readingOf(together.question).stems;
    this.statements = new Map(reports.map(({ name, step }) => [name, readReport(step, together).statements]));
  }

  /** The statements for a quote, if they cite the sources named for it. */
  statementsWith({ report, quote, sources }: GivenQuote): Found {
    const given = quotedWords(quote);
    if (given.words.split(' ').length < MIN_WORDS || splitSentences(given.words).length > 1) return NOT_FOUND;
    const holds = (statement: Statement): boolean => !statement.quotation && placeOfWords(this.wordsOf(statement), given) >= 0;
    const cites = ({ citationIndexes }: Statement): boolean =>
      sources === null || sources.every((source) => citationIndexes.includes(source));
    const sentence = this.statements.get(report)?.find(holds);
    if (!sentence) return NOT_FOUND;
    const clause = sentence.clauses.find(holds);
    const around = clause ?? sentence;
    const said = this.wordsOf(around);
    const { place, isPart } = placeIn(around, said, given);
    // The quoted part, if it states something by itself.
    const stretch = isPart ? (sentence.stretches?.between(place.start, place.end) ?? null) : null;
    const quoted = stretch ?? (given.words.length >= MIN_SHARE * said.words.length ? around : null);
    const whole = [...(stretch ? [stretch] : []), around];
    const clauses = clause ? [] : sentence.clauses;
    if (!cites(sentence) || ![...whole, ...clauses].some(cites)) return NOT_FOUND;
    return {
      quoted: quoted && cites(quoted) ? quoted : null,
      whole: whole.filter(cites),
      clauses: clauses.filter(cites),
      meaningfulCount: readingOf(given.words).meaningfulCount,
      place,
    };
  }

  private wordsOf(statement: Statement): QuotedWords {
    const words = this.words.get(statement) ?? quotedWords(statement.quote);
    this.words.set(statement, words);
    return words;
  }
}

/** Where the words of a quote stand within a statement, and whether they are only a part of it. */
function placeIn({ stepId, start }: Statement, said: QuotedWords, given: QuotedWords): { place: QuotedPlace; isPart: boolean } {
  const at = placeOfWords(said, given);
  const end = at + withoutStop(given.words).length;
  const place = { stepId, start: start + said.placeOf(at), end: start + said.placeOf(end - 1) + 1, words: given.words };
  return { place, isPart: at > 0 || said.words.length > end + 1 };
}
