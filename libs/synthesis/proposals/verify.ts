import { splitSentences } from '@lib/language/sentences';
import { statementsOf } from '../claims/claims';
import type { Statement } from '../statement/statement';
import { SentencesRead } from '../subject/sentences-read';
import type { SynthesisInput } from '../synthesis';
import { placeOf, type AcceptedProposals } from './accepted';
import { readProposals, type GivenProposal, type GivenQuote } from './read-proposals';
import { namedReports } from './reports';
import { differenceIn, isSaidBy } from './same-or-other';

/** A few words stand in many sentences. */
const LEAST_WORDS = 4;

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
  if (found.some(({ length }) => length === 0)) return false;
  if (kind === 'claim') {
    const statements = firstOf(found);
    const agreeing = oncePerStep(statements).length === statements.length ? inAgreement(statements) : null;
    if (agreeing) accepted.claims.push(agreeing.map(placeOf));
    return agreeing !== null;
  }
  const [ones = [], others = []] = found;
  const [left, right] = [ones[0]?.reading, others[0]?.reading];
  if (found.length !== 2 || !left || !right || isSaidBy(left, right) || isSaidBy(right, left)) return false;
  for (const one of ones)
    for (const other of others) {
      const cue = one.provider === other.provider ? null : differenceIn(one.reading, other.reading);
      if (cue === null) continue;
      accepted.disputes.push({ sides: [placeOf(one), placeOf(other)], cue });
      return true;
    }
  return false;
}

/** The statements with the one first that all others say too; null if there is none. */
function inAgreement(statements: readonly Statement[]): Statement[] | null {
  for (const middle of statements) {
    const others = statements.filter((statement) => statement !== middle);
    if (others.every(({ reading }) => isSaidBy(middle.reading, reading))) return [middle, ...others];
  }
  return null;
}

const firstOf = (found: readonly (readonly Statement[])[]): Statement[] => found.flatMap(([first]) => first ?? []);
const oncePerStep = (statements: readonly Statement[]): Statement[] => [
  ...new Map(statements.map((statement) => [statement.stepId, statement])).values(),
];

/** The reports of a job, to find quotes in. */
class QuotedReports {
  private readonly statements: ReadonlyMap<string, readonly Statement[]>;

  constructor(input: SynthesisInput) {
    const sentences = new SentencesRead();
    this.statements = new Map(namedReports(input).map(({ name, step }) => [name, statementsOf(step, input.query, sentences)]));
  }

  /**
   * The statement that a quote is or stands in, a clause before its sentence, where it cites what the quote says it does; of a sentence with
   * clauses the clauses follow. Empty if there is none.
   */
  statementsWith({ report, quote, sources }: GivenQuote): Statement[] {
    const words = collapsed(quote);
    if (words.split(' ').length < LEAST_WORDS || splitSentences(words).length > 1) return [];
    const holds = (statement: Statement): boolean =>
      !statement.quotation && (collapsed(statement.quote).includes(words) || collapsed(withoutStop(statement.quote)).includes(words));
    const cites = ({ citationIndexes }: Statement): boolean =>
      sources === null || sources.every((source) => citationIndexes.includes(source));
    const sentence = this.statements.get(report)?.find(holds);
    if (!sentence) return [];
    const clause = sentence.clauses.find(holds);
    const found = clause ? [clause] : [sentence, ...sentence.clauses];
    return found.some(cites) && cites(sentence) ? found.filter(cites) : [];
  }
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** Without the mark before the full stop: "… in 1852 [1]." */
const withoutStop = (text: string): string => text.replace(/\s*(?:\[\^?\d{1,5}\])+(?=[.!?]?$)/, '');
