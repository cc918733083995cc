import { readingOf } from '@lib/language/reading/read-text';
import { splitSentences } from '@lib/language/sentences';
import { readReport, readTogether } from '../statement/read-report';
import { maySpeakOfOne } from '../comparison/headings';
import type { Statement } from '../statement/statement';
import type { SynthesisInput } from '../synthesis';
import { placeOf, type AcceptedProposals, type AgreeingPlace } from './accepted';
import { placeOfWords, quotedWords, withoutStop, type QuotedWords } from './quoted-words';
import { readProposals, type GivenProposal, type GivenQuote } from './read-proposals';
import { namedReports } from './reports';
import { differenceIn, saidBy } from './same-or-other';

/** Fewer words than this occur in many sentences. */
const MIN_WORDS = 4;
/** A quote with this share of a sentence means the whole sentence; a shorter one means a part. */
const MIN_SHARE = 0.8;

/**
 * Checks a model's proposals against the reports. Each quote must occur in the named report, apart from marks and
 * markup, with the named sources; quotes of a claim must not differ
 * in anything that a program can see, and those of a dispute must. Pure.
 * @returns null for an answer that cannot be read
 */
export function verifyProposals(input: SynthesisInput, answer: string): AcceptedProposals | null {
  const given = readProposals(answer);
  if (!given) return null;
  const accepted: AcceptedProposals = { claims: [], disputes: [], refused: 0 };
  const reports = new QuotedReports(input);
  for (const proposal of given) if (!accept(proposal, reports, accepted)) accepted.refused += 1;
  return accepted;
}

function accept({ kind, quotes }: GivenProposal, reports: QuotedReports, accepted: AcceptedProposals): boolean {
  const found = quotes.map((quote) => reports.statementsWith(quote));
  if (found.some(({ whole, clauses }) => whole.length + clauses.length === 0)) return false;
  if (kind === 'claim') {
    const agreeing = areOfSeveral(found) ? inAgreement(found, reports.asked) : null;
    if (agreeing) accepted.claims.push(agreeing);
    return agreeing !== null;
  }
  // Clauses first, since they show the difference best.
  const [ones = [], others = []] = found.map(({ whole, clauses }) => [...clauses, ...whole]);
  const [left, right] = found.map(({ whole, clauses }) => (whole[0] ?? clauses[0])?.reading);
  if (found.length !== 2 || !left || !right || saidBy(left, right, reports.asked) || saidBy(right, left, reports.asked)) return false;
  for (const one of ones)
    for (const other of others) {
      const mayDiffer = one.provider !== other.provider && one.leansOn === null && other.leansOn === null && maySpeakOfOne(one, other);
      const cue = mayDiffer ? differenceIn(one.reading, other.reading) : null;
      if (cue === null) continue;
      accepted.disputes.push({ sides: [placeOf(one), placeOf(other)], cue });
      return true;
    }
  return false;
}

/** The places of the statements, with the one first that all others say too; null if there is none. */
function inAgreement(found: readonly Found[], asked: ReadonlySet<string>): AcceptedProposals['claims'][number] | null {
  for (const [place, { quoted, whole, clauses, meaningfulCount }] of found.entries()) {
    // If only one quote is given, nobody else has to say the same, so it may be part of a longer sentence.
    const middle = quoted ?? (found.length === 1 ? (whole[0] ?? clauses[0]) : null);
    if (!middle || middle.leansOn !== null) continue;
    const others = found
      .filter((_, other) => other !== place)
      .map((other) => agreeingIn(other, middle, asked, place === 0 || meaningfulCount <= other.meaningfulCount));
    if (others.every((other) => other !== null)) return [placeOf(middle), ...others];
  }
  return null;
}

/**
 * The statement of a quote that says all that the middle does; null if there is none.
 * @param mayBeReworded whether other words are allowed: true for the quote that the model put first; for another one only if this quote is at least
 * as long
 */
function agreeingIn(found: Found, middle: Statement, asked: ReadonlySet<string>, mayBeReworded: boolean): AgreeingPlace | null {
  for (const statement of found.whole.length > 0 ? found.whole : found.clauses.slice(0, 1)) {
    const how = saidBy(middle.reading, statement.reading, asked);
    if (how === null || (how === 'in other words' && !mayBeReworded) || !maySpeakOfOne(middle, statement)) continue;
    // If a pronoun cannot be resolved by the program, what it stands for is also only the model's word.
    return { ...placeOf(statement), isInOtherWords: how === 'in other words' || statement.leansOn !== null };
  }
  return null;
}

/** The quotes must come from different reports, since a report cannot confirm itself. */
const areOfSeveral = (found: readonly Found[]): boolean =>
  new Set(found.map(({ whole, clauses }) => (whole[0] ?? clauses[0])?.stepId)).size === found.length;

/** The statements found for a quote. */
interface Found {
  /** The quoted part, if it states something by itself; otherwise null. */
  quoted: Statement | null;
  /** The quoted part, followed by the clause or sentence that contains it. */
  whole: readonly Statement[];
  /** The clauses of the sentence, if the quote extends over several. */
  clauses: readonly Statement[];
  /** How many words of the quote are meaningful. */
  meaningfulCount: number;
}

const NOT_FOUND: Found = { quoted: null, whole: [], clauses: [], meaningfulCount: 0 };

/** The reports of a job, prepared for finding quotes. */
class QuotedReports {
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
    const stretch = stretchOf(sentence, around, said, given);
    const quoted = stretch ?? (given.words.length >= MIN_SHARE * said.words.length ? around : null);
    const whole = [...(stretch ? [stretch] : []), around];
    const clauses = clause ? [] : sentence.clauses;
    if (!cites(sentence) || ![...whole, ...clauses].some(cites)) return NOT_FOUND;
    return {
      quoted: quoted && cites(quoted) ? quoted : null,
      whole: whole.filter(cites),
      clauses: clauses.filter(cites),
      meaningfulCount: readingOf(given.words).meaningfulCount,
    };
  }

  private wordsOf(statement: Statement): QuotedWords {
    const words = this.words.get(statement) ?? quotedWords(statement.quote);
    this.words.set(statement, words);
    return words;
  }
}

/** The quoted part of a statement, if it is only a part and states something by itself. */
function stretchOf({ stretches }: Statement, { start }: Statement, said: QuotedWords, given: QuotedWords): Statement | null {
  const at = placeOfWords(said, given);
  const end = at + withoutStop(given.words).length;
  const isPart = at > 0 || said.words.length > end + 1;
  return isPart ? (stretches?.between(start + said.placeOf(at), start + said.placeOf(end - 1) + 1) ?? null) : null;
}
