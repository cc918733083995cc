import { forbids } from '@lib/language/reading/forbids';

import { weightOf, weightOfAll, type Concept } from './concept';
import { saysDate } from './fit';
import { isWithin } from './folders';
import { askedOf, scoredUnits, type ScoredUnit } from './scoring';
import type { Passage } from './passages';
import type { RetrievedFacet } from './retrieve';
import { withJoined } from './joined';
import { similarity, termsOf } from './terms';
import { areIntroducedAlike, type Unit } from './unit';

/** A stretch of a document that belongs in the answer. */
export interface Quotation {
  passage: Passage;
  unit: Unit;
}

/** What the documents say to a question. */
export interface DocumentAnswer {
  /** Best first; empty if the documents do not answer. */
  best: Quotation[];
  /** What fits the question less well than these, best first. */
  mayHelp: Quotation[];
  /** What comes close, in the order of its worth. */
  further: Quotation[];
  /** Words of the question that no quotation covers, nor what stands around it. */
  lacks: string[];
}

/** Quotations of the answer, and all, of each found section on average. */
const MAX_BEST = 7;
/** Answers beside which is read on, and how many lines far. */
const MAX_READ_ON = 2;
const NEAR_LINES = 30;
const PER_SECTION = 2;
/** Units that share more of their terms than this are taken as repetitions. */
const SAME = 0.7;
/** Share of the best score that belongs to the answer, in the best one's document and in others, and that is worth quoting at all. */
const BEST_SHARE = { same: 0.2, other: 0.4 };
const MIN_SHARE = 0.2;
/** Share of the best score below which fewer than one line in ten has the answer (questions in `bench/questions/tuning`). */
const FITS_WELL = 0.6;
/** Factor for what the reader knows already. */
const KNOWN_WORTH = 0.4;
/** Sections that are shown in any case, quotations of each, and the least strength where nothing answers. */
const CLOSEST_SECTIONS = 6;
const PER_CLOSEST = 3;
const CLOSE_STRENGTH = 0.4;
/** Least share of the question that an answer covers, and least strength of one. */
const ANSWERS = 0.6;
const MIN_STRENGTH = 0.46;
/** The same where what is asked about is taken as given, and the most that a word may weigh that stands nowhere around. */
const NEAR = { covers: 0.2, strength: 0.25, lacks: 0.5 };
/** What goes with an answer may cover less. */
const GOES_WITH = 0.35;
/** A word of at least this share of the question's weight stands nowhere around a unit: then the unit has to cover nearly all the rest. */
const WEIGHTY = 0.25;
const COVERS_REST = 0.65;
/** Of so few words an answer needs all. */
const FEW_WORDS = 2;

/** @param known sentences that the reader has already */
export function answer(facet: RetrievedFacet, known: readonly string[]): DocumentAnswer {
  const knownTerms = known.map((sentence) => new Set(termsOf(sentence)));
  const isKnown = ({ terms, quoted }: ScoredUnit): boolean =>
    knownTerms.some((other) => similarity(other, terms) > SAME || similarity(other, quoted) > SAME);
  const ranked = scoredUnits(facet)
    .map((unit) => (isKnown(unit) ? { ...unit, score: unit.score * KNOWN_WORTH, strength: unit.strength * KNOWN_WORTH } : unit))
    .sort((left, right) => right.score - left.score);
  const [first] = ranked;
  const { answers, sure } = answering(ranked, facet);
  const [best] = answers;
  if (!best || sure.length === 0) {
    // Of what the question names for sure even little is worth a look.
    const close = ranked.filter((unit) => (facet.surely || unit.strength >= CLOSE_STRENGTH) && !lacksForSure(unit, facet));
    const further = closest(close, facet, []);
    return { best: [], mayHelp: [], further, lacks: wordsOf(whatIsMissing(first, further, facet)) };
  }
  // The surest tells that there is an answer at all, so it is shown whatever its worth.
  const surest = sure.reduce((one, other) => (other.strength > one.strength ? other : one));
  const chosen = distinct(
    ranked.filter((unit) => unit === surest || unit.score >= best.score * MIN_SHARE),
    PER_SECTION * facet.passages.length,
    [],
  );
  const shareFor = ({ passage }: ScoredUnit): number => BEST_SHARE[passage.document.path === best.passage.document.path ? 'same' : 'other'];
  const inAnswer = withJoined(chosen.filter((unit) => unit === surest || unit.score >= best.score * shareFor(unit))).slice(0, MAX_BEST);
  const filled = withNeighbours(inAnswer, ranked);
  const lacks = best.lacks.filter((concept) => chosen.every((unit) => unit.lacks.includes(concept)));
  const others = chosen.filter((unit) => !filled.some((other) => overlaps(other, unit)));
  const fitsWell = ({ score }: ScoredUnit): boolean => score >= FITS_WELL * best.score;
  return {
    best: filled.filter(fitsWell),
    mayHelp: filled.filter((unit) => !fitsWell(unit)),
    further: [...others, ...closest(ranked, facet, [...filled, ...others])],
    lacks: wordsOf(lacks),
  };
}

/** The units that answer, and those that tell that there is an answer. */
function answering(ranked: readonly ScoredUnit[], facet: RetrievedFacet): { answers: readonly ScoredUnit[]; sure: readonly ScoredUnit[] } {
  const answers = ranked.filter((unit) => isToThePoint(unit, facet));
  const sure = answers.filter(({ covers, strength }) => covers >= ANSWERS && strength >= MIN_STRENGTH);
  if (sure.length > 0 || !facet.isGiven || !facet.surely) return { answers, sure };
  const near = ranked.filter((unit) => comesNear(unit, facet));
  return { answers: near, sure: near };
}

/** Enough in the documents that the question surely names, if it takes as given what it is about: that is not the words that are lacking. */
function comesNear({ covers, strength, lacks, passage }: ScoredUnit, facet: RetrievedFacet): boolean {
  if (!isWithin(passage.document.path, facet.folders)) return false;
  const asked = askedOf(facet);
  if (asked.length <= FEW_WORDS || covers < NEAR.covers || strength < NEAR.strength) return false;
  return lacks.every((concept) => weightOf(concept) < NEAR.lacks * weightOfAll(asked));
}

/** The first of some units that repeat neither each other nor what is taken. */
function distinct(units: readonly ScoredUnit[], most: number, taken: readonly ScoredUnit[]): ScoredUnit[] {
  const chosen: ScoredUnit[] = [];
  for (const unit of units) {
    if (chosen.length >= most) break;
    if (![...taken, ...chosen].some((other) => overlaps(other, unit) || repeats(other, unit))) chosen.push(unit);
  }
  return chosen;
}

/** Rows of a table differ in a cell, and each says something else. So do two items alike of which one is allowed and the other forbidden. */
function repeats(one: ScoredUnit, other: ScoredUnit): boolean {
  if (one.unit.kind === 'row' && one.passage === other.passage) return false;
  const share = similarity(one.terms, other.terms);
  if (share <= SAME || standsUnderDenial(one) !== standsUnderDenial(other)) return false;
  return areIntroducedAlike(one.unit, other.unit) || similarity(one.quoted, other.quoted) > SAME;
}

const standsUnderDenial = ({ passage }: ScoredUnit): boolean => passage.headings.some(forbids);

/** Of each of the sections that were found first what answers best, for a reader to judge: the rest may be said in words of its own. */
function closest(ranked: readonly ScoredUnit[], { passages }: RetrievedFacet, taken: readonly ScoredUnit[]): ScoredUnit[] {
  const ofPassage = Map.groupBy(ranked, ({ passage }) => passage);
  return passages.slice(0, CLOSEST_SECTIONS).flatMap((passage) => distinct(ofPassage.get(passage) ?? [], PER_CLOSEST, taken));
}

/** What an answer says in other words than the question mostly stands beside what has them: the rest of its sections, the nearest first. */
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

/** No word that is quoted: what nothing covers or, if every word stands somewhere around, what no quotation has itself. */
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

/** Without a name that is asked for, or one of two words, nothing comes even close. */
function lacksForSure({ lacks }: Pick<ScoredUnit, 'lacks'>, facet: RetrievedFacet): boolean {
  return lacks.some(({ isName, share }) => isName && share === 1) || (askedOf(facet).length <= FEW_WORDS && lacks.length > 0);
}

/** Whether one of two units holds the other. */
function overlaps(one: ScoredUnit, other: ScoredUnit): boolean {
  if (one.passage.document.path !== other.passage.document.path || one.unit.page !== other.unit.page) return false;
  if (isCutIn(one.unit, other.unit) || isCutIn(other.unit, one.unit)) return false;
  const [start, end] = [one.unit.startLine === other.unit.startLine, one.unit.endLine === other.unit.endLine];
  // Pieces of one long paragraph share its lines.
  if (start && end && one.unit.kind === other.unit.kind)
    return one.unit.text.includes(other.unit.text) || other.unit.text.includes(one.unit.text);
  return one.unit.startLine <= other.unit.endLine && other.unit.startLine <= one.unit.endLine;
}

/** A long list has only the beginnings of its items. */
function isCutIn(item: Unit, list: Unit): boolean {
  return (
    item.kind === 'item' && list.kind === 'list' && !item.sentences.every((sentence) => list.text.includes(sentence.replace(/^• /, '')))
  );
}
