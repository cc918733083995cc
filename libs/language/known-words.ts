import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withoutAccents } from './reading/lexicon';

/** What a given name mostly tells of who bears it. */
export type Gender = 'he' | 'she';

/** How sure a base form is a verb: "reheat" is nothing else, and "help" may be a noun. */
export type VerbCertainty = 'verb' | 'verb or noun';

/** In small letters: given names by gender, names of countries, regions, cities, organisations and teams, and base forms of verbs. */
export type KnownWords = Readonly<Record<Gender | 'others' | VerbCertainty, readonly string[]>>;

/** The build writes it beside this file: to load `compromise` takes a thread 25 MB and 0.15 s, and these are 63 KB of it. */
export const KNOWN_WORDS_FILE = 'known-words.json';
const BUILT = join(__dirname, KNOWN_WORDS_FILE);
const OTHERS = new Set(['Country', 'Region', 'City', 'Organization', 'SportsTeam']);

/** The lexicon has them under one of the two. */
const OF_BOTH = new Set(
  'kim sasha robin leslie lesley ashley jordan taylor casey morgan jamie alexis kelly dana tracy stacy shannon jan'.split(' '),
);

interface Known {
  genders: ReadonlyMap<string, Gender>;
  others: ReadonlySet<string>;
  verbs: ReadonlyMap<string, VerbCertainty>;
}

let words: Known | undefined;

/** Of the given names, in small letters, that the lexicon of `compromise` knows; undefined for others, and for those of either gender. */
export function genderOfGivenName(word: string): Gender | undefined {
  if (OF_BOTH.has(word)) return undefined;
  const { genders } = known();
  return genders.get(word) ?? genders.get(withoutAccents(word));
}

/** Whether the lexicon of `compromise` knows it, in small letters, as the name of a place, an organisation or a team. */
export const isKnownName = (name: string): boolean => known().others.has(name);

/** Whether the lexicon of `compromise` knows it, in small letters, as the base form of a verb. */
export const verbCertainty = (word: string): VerbCertainty | undefined => known().verbs.get(word);

/** How sure "raises", "reaches" and "carries" are forms of a verb and no plurals; undefined for those of no verb that the lexicon knows. */
export function verbCertaintyInS(word: string): VerbCertainty | undefined {
  const bases = [word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  return bases.map(verbCertainty).find((certainty) => certainty !== undefined);
}

/** The words that the package `compromise` ships. */
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
  /** What the words may be that are of two kinds. */
  two: { switches: Readonly<Record<string, string>> };
}

/** The lexicon calls these verbs alone. */
const NOUNS_TOO = new Set(
  'use transport dam boom garden boat nail brake fork drum message exit cycle spice cage puzzle cook offer rescue reward trade program'.split(
    ' ',
  ),
);
/** Neither. */
const NO_VERBS = new Set('like minus pursuant unfounded'.split(' '));
const AMBIGUOUS = new Set(['Noun|Verb', 'Adj|Present']);
const PLAIN_WORD = /^[a-z]+$/;
const PLURAL = /[^s]s$/;

/** Null where only the sources are. @throws Error if the build was damaged */
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
