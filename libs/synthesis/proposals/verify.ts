import { readingOf } from '@lib/language/reading/read-text';
import { splitSentences } from '@lib/language/sentences';
import { readReport, readTogether } from '../statement/read-report';
import { maySpeakOfOne } from '../comparison/headings';
import type { Statement } from '../statement/statement';
import type { SynthesisInput } from '../synthesis';
import { placeOf, type AcceptedProposals, type AgreeingPlace } from './accepted';
import { readProposals, type GivenProposal, type GivenQuote } from './read-proposals';
import { namedReports } from './reports';
import { differenceIn, saidBy } from './same-or-other';

/** A few words stand in many sentences. */
const MIN_WORDS = 4;
/** Share of a sentence that a quote of it has: who quotes less means a part of it. */
const MIN_SHARE = 0.8;

/**
 * Holds a model's proposals against the reports. Each quote has to stand in the report that it names, with the sources that it names; quotes of
 * one claim must not differ in anything that a program can see, and those of a dispute must. Pure.
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
  // A clause tells best in what the two differ.
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

/** The statements with the one first that all others say too; null if there is none. */
function inAgreement(found: readonly Found[], asked: ReadonlySet<string>): AcceptedProposals['claims'][number] | null {
  for (const [place, { quoted, whole, clauses, meaningfulCount }] of found.entries()) {
    // What nobody else has to say may be a part of a sentence that says more.
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
 * What of the found ones says all that the middle does; null if nothing does.
 * @param mayBeReworded whether it may be said in other words: true for the quote that the model put first; for another one only if this quote is at least as long as it
 */
function agreeingIn(found: Found, middle: Statement, asked: ReadonlySet<string>, mayBeReworded: boolean): AgreeingPlace | null {
  for (const statement of found.whole.length > 0 ? found.whole : found.clauses.slice(0, 1)) {
    const how = saidBy(middle.reading, statement.reading, asked);
    if (how === null || (how === 'in other words' && !mayBeReworded) || !maySpeakOfOne(middle, statement)) continue;
    // What a pronoun stands for that nobody can tell is the model's word too.
    return { ...placeOf(statement), isInOtherWords: how === 'in other words' || statement.leansOn !== null };
  }
  return null;
}

/** No report confirms itself. */
const areOfSeveral = (found: readonly Found[]): boolean =>
  new Set(found.map(({ whole, clauses }) => (whole[0] ?? clauses[0])?.stepId)).size === found.length;

/** What a quote is found to be. */
interface Found {
  /** What it states by itself; null where it is a part that states nothing without the rest. */
  quoted: Statement | null;
  /** That, then the clause or sentence that it stands in. */
  whole: readonly Statement[];
  /** Its clauses, where a sentence is quoted beyond one. */
  clauses: readonly Statement[];
  /** How many words of the quote tell something. */
  meaningfulCount: number;
}

const NOT_FOUND: Found = { quoted: null, whole: [], clauses: [], meaningfulCount: 0 };

/** The reports of a job, to find quotes in. */
class QuotedReports {
  private readonly statements: ReadonlyMap<string, readonly Statement[]>;

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

  /** What a quote is or stands in, where it cites what the quote says it does. */
  statementsWith({ report, quote, sources }: GivenQuote): Found {
    const words = collapsed(quote);
    if (words.split(' ').length < MIN_WORDS || splitSentences(words).length > 1) return NOT_FOUND;
    const holds = (statement: Statement): boolean =>
      !statement.quotation && (collapsed(statement.quote).includes(words) || collapsed(withoutStop(statement.quote)).includes(words));
    const cites = ({ citationIndexes }: Statement): boolean =>
      sources === null || sources.every((source) => citationIndexes.includes(source));
    const sentence = this.statements.get(report)?.find(holds);
    if (!sentence) return NOT_FOUND;
    const clause = sentence.clauses.find(holds);
    const around = clause ?? sentence;
    const stretch = stretchOf(sentence, around, quote.trim());
    const quoted = stretch ?? (words.length >= MIN_SHARE * collapsed(around.quote).length ? around : null);
    const whole = [...(stretch ? [stretch] : []), around];
    const clauses = clause ? [] : sentence.clauses;
    if (!cites(sentence) || ![...whole, ...clauses].some(cites)) return NOT_FOUND;
    return {
      quoted: quoted && cites(quoted) ? quoted : null,
      whole: whole.filter(cites),
      clauses: clauses.filter(cites),
      meaningfulCount: readingOf(words).meaningfulCount,
    };
  }
}

/** Of what is quoted only in part that part, where it states something by itself. */
function stretchOf({ stretches }: Statement, { quote, start }: Statement, words: string): Statement | null {
  const at = quote.indexOf(words);
  const isPart = at > 0 || (at === 0 && withoutStop(quote).length > words.length + 1);
  return isPart ? (stretches?.between(start + at, start + at + words.length) ?? null) : null;
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** Without the mark before the full stop: "… in 1852 [1]." */
const withoutStop = (text: string): string => text.replace(/\s*(?:\[\^?\d{1,5}\])+(?=[.!?]?$)/, '');
