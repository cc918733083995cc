import { weightOf, weightOfAll, type Concept } from './concept';
import { saysDate, scoredUnits, type ScoredUnit } from './scoring';
import type { Passage } from './passages';
import type { RetrievedFacet } from './retrieve';
import { similarity, termsOf } from './terms';
import type { Unit } from './units';

/** A stretch of a document that belongs in the answer. */
export interface Quotation {
  passage: Passage;
  unit: Unit;
}

/** What the documents say to a question. */
export interface DocumentAnswer {
  /** Best first; empty if the documents do not answer. */
  best: Quotation[];
  /** What comes close, in the order of its worth. */
  further: Quotation[];
  /** Words of the question that no quotation covers, nor what stands around it. */
  lacks: string[];
}

/** Quotations of the answer, and all, of each found section on average. */
const MOST_BEST = 5;
const PER_SECTION = 2;
/** Units that share more of their terms than this are taken as repetitions. */
const SAME = 0.7;
/** Share of the best score that belongs to the answer, and that is worth quoting at all. */
const BEST_SHARE = 0.75;
const LEAST_SHARE = 0.45;
/** Factor for what the reader knows already. */
const KNOWN_WORTH = 0.4;
/** Least share of the question that an answer covers, and least score of one. */
const ANSWERS = 0.58;
const LEAST_SCORE = 0.5;
/** What goes with an answer may cover less. */
const GOES_WITH = 0.4;
/** A word of at least this share of the question's weight stands nowhere around a unit: then the unit has to cover nearly all the rest. */
const WEIGHTY = 0.22;
const COVERS_REST = 0.65;

/** @param known sentences that the reader has already */
export function answer(facet: RetrievedFacet, known: readonly string[]): DocumentAnswer {
  const knownTerms = known.map((sentence) => new Set(termsOf(sentence)));
  const isKnown = ({ terms }: ScoredUnit): boolean => knownTerms.some((other) => similarity(other, terms) > SAME);
  const ranked = scoredUnits(facet)
    .map((unit) => (isKnown(unit) ? { ...unit, score: unit.score * KNOWN_WORTH } : unit))
    .sort((left, right) => right.score - left.score);
  const [first] = ranked;
  const answers = ranked.filter((unit) => isToThePoint(unit, facet));
  const [best] = answers;
  if (!best || !answers.some(({ covers, score }) => covers >= ANSWERS && score >= LEAST_SCORE))
    return { best: [], further: [], lacks: wordsOf(first?.lacks ?? facet.concepts) };
  const chosen: ScoredUnit[] = [];
  for (const unit of answers) {
    if (chosen.length >= PER_SECTION * facet.passages.length || unit.score < best.score * LEAST_SHARE) break;
    if (!chosen.some((other) => overlaps(other, unit) || similarity(other.terms, unit.terms) > SAME)) chosen.push(unit);
  }
  const isBest = ({ score }: ScoredUnit, at: number): boolean => at < MOST_BEST && score >= best.score * BEST_SHARE;
  const lacks = best.lacks.filter((concept) => chosen.every((unit) => unit.lacks.includes(concept)));
  return { best: chosen.filter(isBest), further: chosen.filter((unit, at) => !isBest(unit, at)), lacks: wordsOf(lacks) };
}

const wordsOf = (concepts: readonly Concept[]): string[] => concepts.map(({ word }) => word);

function isToThePoint({ covers, lacks, unit }: ScoredUnit, { wanted, concepts }: RetrievedFacet): boolean {
  if (wanted[0] === 'date' && !saysDate(unit.text)) return false;
  const all = weightOfAll(concepts);
  const lacksMuch = lacks.some((concept) => weightOf(concept) >= WEIGHTY * all);
  return covers >= (lacksMuch ? COVERS_REST : GOES_WITH) && !lacks.some(({ isName }) => isName);
}

/** Whether one of two units holds the other. */
function overlaps(one: ScoredUnit, other: ScoredUnit): boolean {
  if (one.passage.document.path !== other.passage.document.path || one.unit.page !== other.unit.page) return false;
  const [start, end] = [one.unit.startLine === other.unit.startLine, one.unit.endLine === other.unit.endLine];
  // Pieces of one long paragraph share its lines.
  if (start && end && one.unit.kind === other.unit.kind)
    return one.unit.text.includes(other.unit.text) || other.unit.text.includes(one.unit.text);
  return one.unit.startLine <= other.unit.endLine && other.unit.startLine <= one.unit.endLine;
}
