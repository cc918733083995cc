import type { Wanted } from '../question/facets';
import { saysAmount } from './fit';
import type { Unit } from '../units/unit';

/** Signs, beside its strength, that tell an answering unit from the others for its question. */
export interface Signs {
  /** Share of the words asked for that occur in the unit itself, each word counted alike. */
  says: number;
  /** How much more of the question, by weight, each of these adds: its lead-in, its heading, the headings above, the name of its document. */
  around: readonly number[];
  /** Whether the heading of its section says just what the question says. */
  isAsked: boolean;
  /** How like the question it is in meaning, from -1 to 1; 0 if this was not asked. */
  likeness: number;
  /** How well it answers, from 0 to about 20; 0 if this was not asked. */
  relevance: number;
  /** Rank of its section among those found, from 0. */
  rank: number;
}

/**
 * Weights of the signs in the logarithm of a unit's worth, where the logarithm of its strength has weight 1. Fitted on the questions in
 * `bench/questions/tuning`; each set was checked with weights fitted on the others.
 */
const SAYS = 1.4;
const AROUND = [1.4, 1.3, 0.9, 1.5];
const RANK = -0.22;
/** What a unit that shares no word with the question is worth before its meaning is compared. */
const WITHOUT_WORDS = 0.1;
/**
 * For how like the question it is in meaning. Chosen on the ten collections in `bench/questions/own-documents` that were read; 3 and 4 did as well,
 * with more lines from other documents.
 */
const LIKENESS = 6;
/** For how well it answers, chosen on the same collections: 0.1 and 0.3 gave a point less. */
const RELEVANCE = 0.2;
/** For a unit below a heading that is the question itself, whatever words the unit has. Not fitted: few documents have such headings. */
const ASKED = 2;
/**
 * For code if the question asks how something is done, and for a number if it asks for an amount. The fit gave 1.7 for numbers; a lower weight lets
 * lines without a digit answer too.
 */
const CODE = 0.5;
const NUMBER = 1.3;

/** For choosing among units: the unit's strength, raised by the signs that answering units have in common. */
export function worthOf(
  strength: number,
  { says, around, rank, isAsked, likeness, relevance }: Signs,
  { code, text }: Unit,
  wanted: readonly Wanted[],
): number {
  const stands = around.reduce((sum, share, place) => sum + share * (AROUND[place] ?? 0), 0);
  const shows = wanted.includes('code') && code ? CODE : 0;
  const counts = wanted.includes('amount') && saysAmount(text) ? NUMBER : 0;
  const asked = isAsked ? ASKED : 0;
  const byWords = strength * Math.exp(SAYS * says + stands + asked + RANK * Math.log(1 + rank) + shows + counts);
  return (byWords + WITHOUT_WORDS) * Math.exp(LIKENESS * likeness + RELEVANCE * relevance);
}
