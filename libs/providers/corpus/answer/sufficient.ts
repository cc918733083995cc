import { isWithin } from '../index/folders';
import type { RetrievedFacet } from '../finding/retrieve';
import { tellsOtherYears, tellsTheYears } from '../question/asked-years';
import { FEW_WORDS, weightOf, weightOfAll } from '../question/concept';
import { saysDate, saysWhatIsNeeded } from './fit';
import { askedOf, type ScoredUnit } from './scoring';

/** Whether a unit is searched for among few documents or many: see `areFew`. */
export type Among = 'few' | 'many';

/** The least strength of a unit that is shown where nothing answers. */
const CLOSE_STRENGTH = { few: 0.2, many: 0.4 };
/** The same by its meaning: a unit that is so like the question is shown whatever words it has. */
export const CLOSE_LIKENESS = { few: 0.3, many: 0.5 };
/** Least share of the question that a unit covers, and its least strength, for the question to count as answered: among few documents and many. */
const ANSWERS = { few: 0.5, many: 0.6 };
const MIN_STRENGTH = { few: 0.4, many: 0.46 };
/** The lower limits for a question that presupposes its subject, and the most that a word found nowhere near the unit may weigh. */
const NEAR = { covers: 0.2, strength: 0.25, lacks: 0.5 };
/** Once the question counts as answered, a further unit may cover less of it. */
const GOES_WITH = 0.35;
/** If words of at least this share of the question's weight appear nowhere near a unit, the unit must cover nearly all the rest. */
const WEIGHTY = 0.25;
const COVERS_REST = 0.65;

const isElsewhere = ({ passage }: ScoredUnit, { surely, folders }: RetrievedFacet): boolean =>
  surely && !isWithin(passage.document.path, folders);

/** Whether a unit is worth showing where nothing answers: by its meaning whatever words it has, or by its words. */
export function comesClose(unit: ScoredUnit, facet: RetrievedFacet, among: Among): boolean {
  if (unit.likeness >= CLOSE_LIKENESS[among] && !lacksName(unit) && !isElsewhere(unit, facet)) return true;
  // If it is sure which folder the question means, even a weak unit from the search is worth showing.
  return (facet.surely || unit.strength >= CLOSE_STRENGTH[among]) && !lacksForSure(unit, facet);
}

/** The units that belong to an answer, and those strong enough to show that there is one. */
export function answering(
  ranked: readonly ScoredUnit[],
  facet: RetrievedFacet,
  among: Among,
): { answers: readonly ScoredUnit[]; sure: readonly ScoredUnit[] } {
  if (facet.years.missing.length > 0) return { answers: [], sure: [] };
  const ofTheYears = ranked.filter((unit) => !tellsOtherYears(unit, facet.years.mentioned));
  const answers = ofTheYears.filter((unit) => isToThePoint(unit, facet));
  const isSure = (unit: ScoredUnit): boolean => {
    // A word more or less is all the difference for a question of two, and so is another folder than the one meant, or another matter.
    const isMeant = askedOf(facet).length > FEW_WORDS && !isElsewhere(unit, facet) && unit.likeness >= CLOSE_LIKENESS.few;
    const bar = isMeant ? among : 'many';
    return unit.covers >= ANSWERS[bar] && unit.strength >= MIN_STRENGTH[bar];
  };
  const sure = answers.filter(isSure).filter((unit) => tellsTheYears(unit, facet.years.mentioned));
  if (sure.length > 0 || !facet.isGiven || !facet.surely) return { answers, sure };
  const near = ofTheYears.filter((unit) => comesNear(unit, facet));
  return { answers: near, sure: near };
}

/** A lower bar for a question that presupposes its subject and surely names a folder: documents there may answer it in other words than its own. */
function comesNear({ covers, strength, lacks, passage, unit }: ScoredUnit, facet: RetrievedFacet): boolean {
  if (!isWithin(passage.document.path, facet.folders) || !saysWhatIsNeeded(unit, facet.wanted)) return false;
  const asked = askedOf(facet);
  if (asked.length <= FEW_WORDS || covers < NEAR.covers || strength < NEAR.strength) return false;
  return lacks.every((concept) => weightOf(concept) < NEAR.lacks * weightOfAll(asked));
}

function isToThePoint({ covers, lacks, unit }: ScoredUnit, facet: RetrievedFacet): boolean {
  const { wanted } = facet;
  if (wanted[0] === 'date' && !saysDate(unit.text)) return false;
  if (!saysWhatIsNeeded(unit, wanted)) return false;
  if (lacksForSure({ lacks }, facet)) return false;
  const asked = askedOf(facet);
  const lacksMuch = weightOfAll(lacks.filter(({ share }) => share === 1)) >= WEIGHTY * weightOfAll(asked);
  return covers >= (lacksMuch ? COVERS_REST : GOES_WITH);
}

const lacksName = ({ lacks }: Pick<ScoredUnit, 'lacks'>): boolean => lacks.some(({ isName, share }) => isName && share === 1);

/** A unit that lacks a name from the question, or one of the words of a two-word question, does not even come close. */
function lacksForSure({ lacks }: Pick<ScoredUnit, 'lacks'>, facet: RetrievedFacet): boolean {
  return lacksName({ lacks }) || (askedOf(facet).length <= FEW_WORDS && lacks.length > 0);
}
