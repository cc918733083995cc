import { tellsOtherYears } from '../question/asked-years';
import { FEW_WORDS, weightOf, weightOfAll, type Concept } from '../question/concept';
import { areFew } from '../question/few-documents';
import { saysDate } from './fit';
import { areNearlySame, distinct, overlaps } from './distinct';
import { isWithin } from '../index/folders';
import { askedOf, scoredUnits, type ScoredUnit } from './scoring';
import type { Passage } from '../formats/passages';
import type { Retrieved, RetrievedFacet } from '../finding/retrieve';
import { withJoined } from './joined';
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
 * A unit belongs to the answer from this share of the best score on (in the best unit's document, in others), and is quoted at all from `MIN_SHARE`
 * on.
 */
const BEST_SHARE = { same: 0.2, other: 0.4 };
const MIN_SHARE = 0.2;
/** Below this share of the best score, fewer than one line in ten has the answer (questions in `bench/questions/tuning`). */
const FITS_WELL = 0.6;
/** Factor for a unit that repeats what the reader already knows. */
const KNOWN_WORTH = 0.4;
/** If nothing answers: how many sections are shown anyway, how many quotations of each, and the least strength of a quotation among few or many documents. */
const CLOSEST_SECTIONS = 6;
const PER_CLOSEST = 3;
const CLOSE_STRENGTH = { few: 0.2, many: 0.4 };
/** Least share of the question that a unit covers, and its least strength, for the question to count as answered. */
const ANSWERS = 0.6;
const MIN_STRENGTH = 0.46;
/** The lower limits for a question that presupposes its subject, and the most that a word found nowhere near the unit may weigh. */
const NEAR = { covers: 0.2, strength: 0.25, lacks: 0.5 };
/** Once the question counts as answered, a further unit may cover less of it. */
const GOES_WITH = 0.35;
/** If words of at least this share of the question's weight appear nowhere near a unit, the unit must cover nearly all the rest. */
const WEIGHTY = 0.25;
const COVERS_REST = 0.65;

/**
 * @param known sentences that the reader already has
 * @param documents how many were searched
 */
export function answer(facet: RetrievedFacet, { known, documents }: Pick<Retrieved, 'known' | 'documents'>): DocumentAnswer {
  const knownTerms = known.map((sentence) => new Set(termsOf(sentence)));
  const isKnown = ({ terms, quoted }: ScoredUnit): boolean =>
    knownTerms.some((other) => areNearlySame(other, terms) || areNearlySame(other, quoted));
  const ranked = scoredUnits(facet)
    .map((unit) => (isKnown(unit) ? { ...unit, score: unit.score * KNOWN_WORTH, strength: unit.strength * KNOWN_WORTH } : unit))
    .sort((left, right) => right.score - left.score);
  const { answers, sure } = answering(ranked, facet);
  const [best] = answers;
  if (!best || sure.length === 0) return withoutAnswer(ranked, facet, documents);
  // The strongest of the sure units decides that there is an answer, so it is quoted whatever its score.
  const surest = sure.reduce((one, other) => (other.strength > one.strength ? other : one));
  const chosen = distinct(
    ranked.filter((unit) => unit === surest || unit.score >= best.score * MIN_SHARE),
    PER_SECTION * facet.passages.length,
    [],
  );
  const shareFor = ({ passage }: ScoredUnit): number => BEST_SHARE[passage.document.path === best.passage.document.path ? 'same' : 'other'];
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
    further: [...others, ...closest(ranked, facet, [...filled, ...others])],
    lacks: wordsOf(lacks),
  };
}

/** What comes close where nothing answers. */
function withoutAnswer(ranked: readonly ScoredUnit[], facet: RetrievedFacet, documents: number): DocumentAnswer {
  const leastStrength = CLOSE_STRENGTH[areFew(documents) ? 'few' : 'many'];
  // If it is sure which folder the question means, even a weak unit from the search is worth showing.
  const close = ranked.filter((unit) => (facet.surely || unit.strength >= leastStrength) && !lacksForSure(unit, facet));
  const further = closest(close, facet, []);
  return { best: [], mayHelp: [], further, lacks: [...wordsOf(whatIsMissing(ranked[0], further, facet)), ...facet.years.missing] };
}

/** The units that belong to an answer, and those strong enough to show that there is one. */
function answering(ranked: readonly ScoredUnit[], facet: RetrievedFacet): { answers: readonly ScoredUnit[]; sure: readonly ScoredUnit[] } {
  if (facet.years.missing.length > 0) return { answers: [], sure: [] };
  const ofTheYears = ranked.filter((unit) => !tellsOtherYears(unit, facet.years.mentioned));
  const answers = ofTheYears.filter((unit) => isToThePoint(unit, facet));
  const sure = answers.filter(({ covers, strength }) => covers >= ANSWERS && strength >= MIN_STRENGTH);
  if (sure.length > 0 || !facet.isGiven || !facet.surely) return { answers, sure };
  const near = ofTheYears.filter((unit) => comesNear(unit, facet));
  return { answers: near, sure: near };
}

/** A lower bar for a question that presupposes its subject and surely names a folder: documents there may answer it in other words than its own. */
function comesNear({ covers, strength, lacks, passage }: ScoredUnit, facet: RetrievedFacet): boolean {
  if (!isWithin(passage.document.path, facet.folders)) return false;
  const asked = askedOf(facet);
  if (asked.length <= FEW_WORDS || covers < NEAR.covers || strength < NEAR.strength) return false;
  return lacks.every((concept) => weightOf(concept) < NEAR.lacks * weightOfAll(asked));
}

/** The best units of each of the first sections, for the reader to judge: a section may answer in words that the question does not use. */
function closest(ranked: readonly ScoredUnit[], { passages }: RetrievedFacet, taken: readonly ScoredUnit[]): ScoredUnit[] {
  const ofPassage = Map.groupBy(ranked, ({ passage }) => passage);
  return passages.slice(0, CLOSEST_SECTIONS).flatMap((passage) => distinct(ofPassage.get(passage) ?? [], PER_CLOSEST, taken));
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

function isToThePoint({ covers, lacks, unit }: ScoredUnit, facet: RetrievedFacet): boolean {
  const { wanted } = facet;
  if (wanted[0] === 'date' && !saysDate(unit.text)) return false;
  if (lacksForSure({ lacks }, facet)) return false;
  const asked = askedOf(facet);
  const lacksMuch = weightOfAll(lacks.filter(({ share }) => share === 1)) >= WEIGHTY * weightOfAll(asked);
  return covers >= (lacksMuch ? COVERS_REST : GOES_WITH);
}

/** A unit that lacks a name from the question, or one of the words of a two-word question, does not even come close. */
function lacksForSure({ lacks }: Pick<ScoredUnit, 'lacks'>, facet: RetrievedFacet): boolean {
  return lacks.some(({ isName, share }) => isName && share === 1) || (askedOf(facet).length <= FEW_WORDS && lacks.length > 0);
}
