import { maySpeakOfOne } from '../comparison/headings';
import type { Statement } from '../statement/statement';
import type { SynthesisInput } from '../synthesis';
import { placeOf, type AcceptedProposals, type AgreeingPlace } from './accepted';
import { QuotedReports, type Found } from './quoted-reports';
import { readProposals, type GivenProposal } from './read-proposals';
import { differenceIn, saidBy } from './same-or-other';
import { unconfirmedIn } from './unconfirmed';

/**
 * Checks a model's proposals against the reports. Each quote must occur in the named report, apart from marks and
 * markup, with the named sources; quotes of a claim must not differ in anything that a program can see, and those of a dispute must. What fails only
 * in this last respect is kept as unconfirmed. Pure.
 * @returns null for an answer that cannot be read
 */
export function verifyProposals(input: SynthesisInput, answer: string): AcceptedProposals | null {
  const given = readProposals(answer);
  if (!given) return null;
  const accepted: AcceptedProposals = { claims: [], disputes: [], unconfirmed: [], refused: 0 };
  const reports = new QuotedReports(input);
  for (const { kind, quotes } of given) {
    const found = quotes.map((quote) => reports.statementsWith(quote));
    const areFound = found.every(isFound);
    if (areFound && accept(kind, found, reports.asked, accepted)) continue;
    accepted.refused += 1;
    const unconfirmed = areFound ? unconfirmedIn(kind, found, reports.asked) : null;
    if (unconfirmed) accepted.unconfirmed.push(unconfirmed);
  }
  return accepted;
}

const isFound = ({ whole, clauses }: Found): boolean => whole.length + clauses.length > 0;

function accept(kind: GivenProposal['kind'], found: readonly Found[], asked: ReadonlySet<string>, accepted: AcceptedProposals): boolean {
  if (kind === 'claim') {
    const agreeing = areOfSeveral(found) ? inAgreement(found, asked) : null;
    if (agreeing) accepted.claims.push(agreeing);
    return agreeing !== null;
  }
  // Clauses first, since they show the difference best.
  const [ones = [], others = []] = found.map(({ whole, clauses }) => [...clauses, ...whole]);
  const [left, right] = found.map(({ whole, clauses }) => (whole[0] ?? clauses[0])?.reading);
  if (found.length !== 2 || !left || !right || saidBy(left, right, asked) || saidBy(right, left, asked)) return false;
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
