import type { Claim } from '../claims/claim-table';
import { isQuoted } from '../claims/who-says';
import { withEachPart } from './answer-by-parts';
import type { AnsweredParts } from './answered-parts';
import { questionGaps } from '../question/question-gaps';
import type { Selector } from './worth';

/** Least share of the best claim's worth for a line of the answer: a short answer is better than one that digresses. */
export const ANSWERS = 0.4;
/** Least number of other points in the answer besides the providers' verdicts. */
export const MIN_BESIDE_VERDICTS = 2;
/**
 * An answer from documents alone may have more lines: the engines have already dropped what does not answer, and lines of a section often need each
 * other.
 */
const MORE_QUOTED = 2;
const MAX_QUOTED = 7;

/** Whether an engine gives it as part of its answer, not among its further findings. */
const isPlaced = ({ supporting }: Claim): boolean => supporting.some(({ quotation }) => Number.isFinite(quotation?.place));

/** Whether engines put it into their answers only as a line that fits the question less well. */
export const mayHelp = (claim: Claim): boolean =>
  isQuoted(claim) && claim.supporting.every(({ quotation }) => quotation?.mayHelp === true || quotation?.place === Infinity);

/** Open questions, whose answers share hardly any words with them: "How did Kelm do in 2025?", "Compare …". */
const OPEN =
  /^\s*(?:how well\b|how (?:did|does|do|has|have|is|are) .*\b(?:do|doing|done|perform(?:ed|ing)?|fare[ds]?|go|going|gone)\b|describe|discuss|explain|compare)\b/i;
/** Questions that a single fact answers, if they have no second part. */
const NARROW =
  /^\s*(?:who|whom|whose|when|where|which|in (?:which|what)|what (?:year|date|day|time|is the)|can|could|is|are|was|were|does|do|did|has|have)\b/i;

/** The material from which an answer is chosen. */
interface Choices {
  query: string;
  claims: readonly Claim[];
  verdicts: readonly Claim[];
  /** How many lines there are at most. */
  most: number;
}

/** The criteria for choosing lines. */
interface Choosing extends Pick<Selector, 'select' | 'standingOf'> {
  isStatedBySeveral: (claim: Claim) => boolean;
  parts: AnsweredParts;
}

/** Each provider's verdict, then the best lines for the question and for each of its parts. */
export function answerOf(choices: Choices, choosing: Choosing): readonly Claim[] {
  const { claims, verdicts, most } = choices;
  const { select, parts, standingOf } = choosing;
  if (claims.every(isQuoted)) {
    const lines = select(claims.filter(isPlaced), Math.min(MAX_QUOTED, most + MORE_QUOTED));
    return [...lines.filter((claim) => !mayHelp(claim)), ...lines.filter(mayHelp)];
  }
  const room = Math.max(most - verdicts.length, MIN_BESIDE_VERDICTS);
  const beside = besideVerdicts(choices, room, choosing);
  if (parts.count < 2) return [...verdicts, ...beside];
  const told = claims.filter((claim) => !isQuoted(claim));
  return withEachPart({ verdicts, beside }, told, room, parts, standingOf);
}

/**
 * Adds lines beside the verdicts. An additional question ("and what were its consequences?") is seldom answered in its own words, so points that
 * several providers make stand in.
 */
function besideVerdicts({ query, claims, verdicts, most }: Choices, room: number, { select, isStatedBySeveral, parts }: Choosing): Claim[] {
  const isBeside = (claim: Claim): boolean => !verdicts.includes(claim);
  const closest = select(claims, most, ANSWERS).filter(isBeside).slice(0, room);
  const isNarrow = parts.count < 2 && NARROW.test(query);
  const isMoreAsked = OPEN.test(query) || (!isNarrow && questionGaps(query, [...verdicts, ...closest]).length > 0);
  if (!isMoreAsked) return closest;
  const told = claims.filter((claim) => isBeside(claim) && !isQuoted(claim) && isStatedBySeveral(claim));
  const kept = closest.slice(0, Math.max(0, room - told.length));
  const others = told.filter((claim) => !kept.includes(claim));
  return [...kept, ...select(others, room - kept.length)];
}
