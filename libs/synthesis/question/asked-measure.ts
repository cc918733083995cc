import { textAt } from '@lib/language/reading/token';
import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { MODALS_AND_DO, FORMS_OF_HAVE } from '@lib/language/reading/function-words';
import type { Reading } from '@lib/language/reading/reading';

/** What a question asks a figure of with "how". */
export interface AskedMeasure {
  /** The dimensions, or stems of counted things, that the figure may have. */
  units: ReadonlySet<string>;
  /** The adjectives: "tall" in "How tall is …?". */
  adjectives: ReadonlySet<string>;
}

/** What "How tall is …?" and the like ask for. */
const DIMENSIONS = new Map<string, string>(
  Object.entries({
    length: 'tall high deep wide thick broad far big',
    'length time calendar': 'long',
    'calendar time age': 'old',
    speed: 'fast quickly quick',
    mass: 'heavy',
    celsius: 'hot cold warm',
    'dollars euros pounds yen': 'expensive costly',
  }).flatMap(([dimensions, words]) => words.split(' ').map((word): [string, string] => [word, dimensions])),
);

/** Adjectives of measures, each with those that mean the same of some thing. */
const SAME = [new Set(['tall', 'high']), new Set(['fast', 'quickly', 'quick']), new Set(['wide', 'broad'])];

/** Whether a word behind a figure tells that another measure is meant: "27 m wide" where it was asked how long. */
export const isOtherMeasure = ({ adjectives }: AskedMeasure, word: string): boolean =>
  adjectives.size > 0 &&
  DIMENSIONS.has(word) &&
  ![...adjectives].some((asked) => asked === word || SAME.some((same) => same.has(asked) && same.has(word)));

/** A length for "How tall is Everest?", moons for "How many moons does Jupiter have?"; null if nothing is asked like that. English. */
export function askedMeasureOf({ tokens }: Reading): AskedMeasure | null {
  const [units, adjectives] = [new Set<string>(), new Set<string>()];
  for (const [at, { word }] of tokens.entries()) {
    const next = textAt(tokens, at + 1);
    if (word.text !== 'how') continue;
    const own = next === 'many' ? countedBehind(tokens, at + 2) : (DIMENSIONS.get(next)?.split(' ') ?? []);
    for (const unit of own) units.add(unit);
    if (DIMENSIONS.has(next)) adjectives.add(next);
  }
  return units.size === 0 ? null : { units, adjectives };
}

/** The things counted, or the dimension of a unit: moons for "how many moons does", a time for "how many days of holiday are". */
function countedBehind(tokens: Reading['tokens'], from: number): string[] {
  const end = tokens.findIndex(({ word }, at) => at >= from && isVerb(word.text));
  return tokens.slice(from, end < 0 ? undefined : end).flatMap(({ word }) => (word.isStopWord ? [] : (word.unit?.dimension ?? word.stem)));
}

const isVerb = (text: string): boolean => FINITE_FORMS_OF_BE.has(text) || MODALS_AND_DO.has(text) || FORMS_OF_HAVE.has(text);
