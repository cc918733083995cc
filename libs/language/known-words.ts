import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withoutAccents } from './reading/lexicon';

/** The gender that a given name usually indicates. */
export type Gender = 'he' | 'she';

/** How surely a base form is a verb: "reheat" cannot be anything else, but "help" may be a noun. */
export type VerbCertainty = 'verb' | 'verb or noun';

/** In lower case: given names by gender, names of countries, regions, cities, organisations and teams, and base forms of verbs. */
export type KnownWords = Readonly<Record<Gender | 'others' | VerbCertainty, readonly string[]>>;

/** Written beside this file by the build: loading `compromise` takes a thread 25 MB and 0.15 s, and only 63 KB of it are needed. */
export const KNOWN_WORDS_FILE = 'known-words.json';
const BUILT = join(__dirname, KNOWN_WORDS_FILE);
const OTHERS = new Set(['Country', 'Region', 'City', 'Organization', 'SportsTeam']);

/** Given names of either gender, which the lexicon lists under one of them. */
const OF_BOTH = new Set(
  'kim sasha robin leslie lesley ashley jordan taylor casey morgan jamie alexis kelly dana tracy stacy shannon jan'.split(' '),
);

interface Known {
  genders: ReadonlyMap<string, Gender>;
  others: ReadonlySet<string>;
  verbs: ReadonlyMap<string, VerbCertainty>;
}

let words: Known | undefined;

/** The gender of a given name in lower case, if the lexicon of `compromise` knows it; undefined for other names and for those of either gender. */
export function genderOfGivenName(word: string): Gender | undefined {
  if (OF_BOTH.has(word)) return undefined;
  const { genders } = known();
  return genders.get(word) ?? genders.get(withoutAccents(word));
}

/** Whether the lexicon of `compromise` knows a lower-case name as that of a place, an organisation or a team. */
export const isKnownName = (name: string): boolean => known().others.has(name);

/** How surely a lower-case word is the base form of a verb, if the lexicon of `compromise` knows it as one. */
export const verbCertainty = (word: string): VerbCertainty | undefined => known().verbs.get(word);

/** How surely a form such as "raises", "reaches" or "carries" is a verb and not a plural; undefined if the lexicon knows no such verb. */
export function verbCertaintyInS(word: string): VerbCertainty | undefined {
  const bases = [word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  return bases.map(verbCertainty).find((certainty) => certainty !== undefined);
}

/** How surely a form such as "making", "running" or "holding" is of a verb; undefined for a name such as "Turing". */
export function verbCertaintyInIng(word: string): VerbCertainty | undefined {
  const stem = word.replace(/ing$/, '');
  return [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')].map(verbCertainty).find((certainty) => certainty !== undefined);
}

/** The words from the package `compromise`. */
export function readShippedWords(): KnownWords {
  const { one, two } = (createRequire(__filename)('compromise') as { model(): Model }).model();
  const entries = Object.entries(one.lexicon).map(([word, tags]) => [word, [tags].flat()] as const);
  const tagged = (tag: string) => entries.flatMap(([word, tags]) => (tags.length === 1 && tags[0] === tag ? [word] : []));
  const isAmbiguous = (word: string): boolean => two.switches[word] !== undefined || NOUNS_TOO.has(word);
  const infinitives = tagged('Infinitive').filter((word) => PLAIN_WORD.test(word) && !NO_VERBS.has(word));
  const ambiguous = Object.keys(two.switches).filter((word) => AMBIGUOUS.has(two.switches[word] ?? '') && !PLURAL.test(word));
  return {
    he: tagged('MaleName'),
    she: tagged('FemaleName'),
    others: entries.flatMap(([word, tags]) => (tags.some((tag) => OTHERS.has(tag)) ? [word] : [])),
    verb: infinitives.filter((word) => !isAmbiguous(word)),
    'verb or noun': [...ambiguous, ...infinitives.filter((word) => NOUNS_TOO.has(word) && !ambiguous.includes(word))],
  };
}

interface Model {
  one: { lexicon: Readonly<Record<string, string | readonly string[]>> };
  /** Words of two kinds, with their kinds. */
  two: { switches: Readonly<Record<string, string>> };
}

/** Nouns that the lexicon lists only as verbs. */
const NOUNS_TOO = new Set(
  'use transport dam boom garden boat nail brake fork drum message exit cycle spice cage puzzle cook offer rescue reward trade program'.split(
    ' ',
  ),
);
/** Words that are neither verbs nor nouns. */
const NO_VERBS = new Set('like minus pursuant unfounded'.split(' '));
const AMBIGUOUS = new Set(['Noun|Verb', 'Adj|Present']);
const PLAIN_WORD = /^[a-z]+$/;
const PLURAL = /[^s]s$/;

/** Null if only the sources exist, without a build. @throws Error if the build was damaged */
function readBuilt(): KnownWords | null {
  try {
    return JSON.parse(readFileSync(BUILT, 'utf8')) as KnownWords;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${BUILT} cannot be read: build again with make build`, { cause: error });
  }
}

function known(): Known {
  if (words) return words;
  const { he, she, others, verb, 'verb or noun': ambiguous } = readBuilt() ?? readShippedWords();
  return (words = {
    genders: new Map([...he.map((name) => [name, 'he'] as const), ...she.map((name) => [name, 'she'] as const)]),
    others: new Set(others),
    verbs: new Map([...ambiguous.map((word) => [word, 'verb or noun'] as const), ...verb.map((word) => [word, 'verb'] as const)]),
  });
}
