import { tellsOtherYears } from '../question/asked-years';
import type { Concept } from '../question/concept';
import { areFew } from '../question/few-documents';
import { areNearlySame, distinct, overlaps } from './distinct';
import { askedOf, scoredUnits, type ScoredUnit } from './scoring';
import type { Passage } from '../formats/passages';
import type { Retrieved, RetrievedFacet } from '../finding/retrieve';
import { withJoined } from './joined';
import { answering, comesClose, type Among } from './sufficient';
import { termsOf } from '../index/terms';
import type { Unit } from '../units/unit';

/** A stretch of a document that belongs in the answer. */
export interface Quotation {
  passage: Passage;
  unit: Unit;
}

/** What the documents say to a question. */
export interface DocumentAnswer {
  /** Best first; empty if the documents do not answer the question. */
  best: Quotation[];
  /** Quotations that fit the question less well than `best`, best first. */
  mayHelp: Quotation[];
  /** Passages that only come close to the question, most useful first. */
  further: Quotation[];
  /** Words of the question that neither a quotation nor its surroundings contain. */
  lacks: string[];
}

/** Most quotations in the answer. */
const MAX_BEST = 7;
/** How many answers bring their neighbours along, how many lines away these may be, and the average number of quotations per section. */
const MAX_READ_ON = 2;
const NEAR_LINES = 30;
const PER_SECTION = 2;
/**
 * From this share of the best score on, a unit of the best unit's document belongs to the answer, and others are quoted at all. Lower where a model has
 * judged them, since scores differ more then.
 */
const MIN_SHARE = { judged: 0.05, unjudged: 0.1 };
/** The same for other documents in the answer. */
const OTHERS_SHARE = 0.2;
/** Below this share of the best score, fewer than one line in ten has the answer (questions in `bench/questions/tuning`). */
const FITS_WELL = 0.6;
/** Factors for a unit that repeats what the reader already knows. */
const KNOWN_WORTH = { score: 0.001, strength: 0.4 };
/** How many sections are shown that only come close, and how many quotations of each. */
const CLOSEST_SECTIONS = 6;
const PER_CLOSEST = 3;

/**
 * @param known sentences that the reader already has
 * @param documents how many were searched
 */
export function answer(facet: RetrievedFacet, { known, documents }: Pick<Retrieved, 'known' | 'documents'>): DocumentAnswer {
  const knownTerms = known.map((sentence) => new Set(termsOf(sentence)));
  const isKnown = ({ terms, quoted }: ScoredUnit): boolean =>
    knownTerms.some((other) => areNearlySame(other, terms) || areNearlySame(other, quoted));
  const ranked = scoredUnits(facet)
    .map((unit) =>
      isKnown(unit) ? { ...unit, score: unit.score * KNOWN_WORTH.score, strength: unit.strength * KNOWN_WORTH.strength } : unit,
    )
    .sort((left, right) => right.score - left.score);
  const among = areFew(documents) ? 'few' : 'many';
  const { answers, sure } = answering(ranked, facet, among);
  const [best] = answers;
  if (!best || sure.length === 0) return withoutAnswer(ranked, facet, among);
  // The strongest of the sure units decides that there is an answer, so it is quoted whatever its score.
  const surest = sure.reduce((one, other) => (other.strength > one.strength ? other : one));
  const minShare = MIN_SHARE[facet.relevant.length > 0 ? 'judged' : 'unjudged'];
  const chosen = distinct(
    ranked.filter((unit) => unit === surest || (unit.score >= best.score * minShare && !tellsOtherYears(unit, facet.years.mentioned))),
    PER_SECTION * facet.passages.length,
    [],
  );
  const shareFor = ({ passage }: ScoredUnit): number => (passage.document.path === best.passage.document.path ? minShare : OTHERS_SHARE);
  const inAnswer = withJoined(chosen.filter((unit) => unit === surest || unit.score >= best.score * shareFor(unit))).slice(0, MAX_BEST);
  const filled = withNeighbours(inAnswer, ranked);
  // What is only met by words of a like meaning is told as not covered.
  const isUnmet = ({ lacks, loose }: ScoredUnit, concept: Concept): boolean => lacks.includes(concept) || loose.includes(concept);
  const lacks = facet.concepts.filter((concept) => [best, ...chosen].every((unit) => isUnmet(unit, concept)));
  const others = chosen.filter((unit) => !filled.some((other) => overlaps(other, unit)));
  const fitsWell = ({ score }: ScoredUnit): boolean => score >= FITS_WELL * best.score;
  return {
    best: filled.filter(fitsWell),
    mayHelp: filled.filter((unit) => !fitsWell(unit)),
    further: [...others, ...closest(ranked, [...filled, ...others])],
    lacks: wordsOf(lacks),
  };
}

/** What comes close where nothing answers. */
function withoutAnswer(ranked: readonly ScoredUnit[], facet: RetrievedFacet, among: Among): DocumentAnswer {
  const further = closest(
    ranked.filter((unit) => comesClose(unit, facet, among)),
    [],
  );
  return { best: [], mayHelp: [], further, lacks: [...wordsOf(whatIsMissing(ranked[0], further, facet)), ...facet.years.missing] };
}

/** The best units of the best sections, for the reader to judge: a section may answer in words that the question does not use. */
function closest(ranked: readonly ScoredUnit[], taken: readonly ScoredUnit[]): ScoredUnit[] {
  const ofPassage = Map.groupBy(ranked, ({ passage }) => passage);
  return [...ofPassage.values()].slice(0, CLOSEST_SECTIONS).flatMap((units) => distinct(units, PER_CLOSEST, taken));
}

/** Parts of an answer worded unlike the question mostly stand next to parts worded like it, so this adds the rest of the section, nearest first. */
function withNeighbours(answers: readonly ScoredUnit[], all: readonly ScoredUnit[]): ScoredUnit[] {
  let filled = [...answers];
  for (const { passage, unit } of answers.slice(0, MAX_READ_ON)) {
    const distance = (other: ScoredUnit): number => Math.abs(other.unit.startLine - unit.startLine);
    const beside = all
      .filter((other) => other.passage === passage && distance(other) <= NEAR_LINES)
      .sort((one, other) => distance(one) - distance(other));
    for (const other of beside) {
      if (filled.length >= MAX_BEST) return filled;
      if (!filled.some((quoted) => overlaps(quoted, other))) filled = withJoined([...filled, other]);
    }
  }
  return filled;
}

/** Question words that are not quoted: those found nowhere or, if all are found somewhere near, those that no quotation itself contains. */
function whatIsMissing(first: ScoredUnit | undefined, further: readonly ScoredUnit[], facet: RetrievedFacet): readonly Concept[] {
  if (!first) return facet.concepts;
  const missing = first.lacks.filter((concept) => further.every(({ lacks }) => lacks.includes(concept)));
  if (missing.length > 0) return missing;
  return askedOf(facet).filter(({ terms }) => [first, ...further].every((unit) => !terms.some((term) => unit.quoted.has(term))));
}

const wordsOf = (concepts: readonly Concept[]): string[] => concepts.map(({ word }) => word);
