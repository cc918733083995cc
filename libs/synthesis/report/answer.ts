import type { Claim } from '../claims/claim-table';
import { isQuoted } from '../claims/who-says';
import { withEachPart } from './answer-by-parts';
import type { AnsweredParts } from './answered-parts';
import { questionGaps } from '../question/question-gaps';
import type { ReportLimits } from './limits';
import type { Selector } from './worth';

/** Share of the best claim's worth that an answer must have: a short answer beats one that wanders off. */
export const ANSWERS = 0.4;
/** So many other points at least stand in the answer beside what each provider answers. */
const MIN_BESIDE_VERDICTS = 2;
/** An answer from documents alone may have more lines: engines have left out what does not answer, and one line of a section needs another. */
const MORE_QUOTED = 2;
const MAX_QUOTED = 7;
/** Whether an engine gives it as its answer and not as what else it found. */
const isPlaced = ({ supporting }: Claim): boolean => supporting.some(({ quotation }) => Number.isFinite(quotation?.place));

/** Whether engines give it in their answer, and each as what fits the question less well than other lines. */
export const mayHelp = (claim: Claim): boolean =>
  isQuoted(claim) && claim.supporting.every(({ quotation }) => quotation?.mayHelp === true || quotation?.place === Infinity);

/** "How did Kelm do in 2025?", "Compare …": hardly anything that answers has its words. */
const OPEN =
  /^\s*(?:how well\b|how (?:did|does|do|has|have|is|are) .*\b(?:do|doing|done|perform(?:ed|ing)?|fare[ds]?|go|going|gone)\b|describe|discuss|explain|compare)\b/i;
/** A single fact answers it. */
const NARROW =
  /^\s*(?:who|whom|whose|when|where|which|in (?:which|what)|what (?:year|date|day|time|is the)|can|could|is|are|was|were|does|do|did|has|have)\b/i;

/** What an answer is chosen from. */
interface Choices {
  query: string;
  claims: readonly Claim[];
  verdicts: readonly Claim[];
  limits: ReportLimits;
}

/** What its lines are chosen by. */
interface Choosing extends Pick<Selector, 'select' | 'standingOf'> {
  isStatedBySeveral: (claim: Claim) => boolean;
  parts: AnsweredParts;
}

/** What each provider answers in a sentence, then the best for the question, and for each of its parts. */
export function answerOf(choices: Choices, choosing: Choosing): readonly Claim[] {
  const { claims, verdicts, limits } = choices;
  const { select, parts, standingOf } = choosing;
  if (claims.every(isQuoted)) {
    const lines = select(claims.filter(isPlaced), Math.min(MAX_QUOTED, limits.answer + MORE_QUOTED));
    return [...lines.filter((claim) => !mayHelp(claim)), ...lines.filter(mayHelp)];
  }
  const room = Math.max(limits.answer - verdicts.length, MIN_BESIDE_VERDICTS);
  const beside = besideVerdicts(choices, room, choosing);
  if (parts.count < 2) return [...verdicts, ...beside];
  const told = claims.filter((claim) => !isQuoted(claim));
  return withEachPart({ verdicts, beside }, told, room, parts, standingOf);
}

/** Of what a question asks besides ("and what were its consequences?") hardly anybody uses its words: what several tell stands in for it. */
function besideVerdicts({ query, claims, verdicts, limits }: Choices, room: number, { select, isStatedBySeveral }: Choosing): Claim[] {
  const isBeside = (claim: Claim): boolean => !verdicts.includes(claim);
  const closest = select(claims, limits.answer, ANSWERS).filter(isBeside).slice(0, room);
  const isMoreAsked = OPEN.test(query) || (!NARROW.test(query) && questionGaps(query, [...verdicts, ...closest]).length > 0);
  if (!isMoreAsked) return closest;
  const told = claims.filter((claim) => isBeside(claim) && !isQuoted(claim) && isStatedBySeveral(claim));
  const kept = closest.slice(0, Math.max(0, room - told.length));
  const others = told.filter((claim) => !kept.includes(claim));
  return [...kept, ...select(others, room - kept.length)];
}
