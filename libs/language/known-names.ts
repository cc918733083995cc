import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withoutAccents } from './reading/lexicon';

/** What a given name mostly tells of who bears it. */
export type Gender = 'he' | 'she';

/** In small letters: given names by gender, and names of countries, regions, cities, organisations and teams. */
export type KnownNames = Readonly<Record<Gender | 'others', readonly string[]>>;

/** The build writes it beside this file: to load `compromise` takes a thread 25 MB and 0.15 s, and these are 40 KB of it. */
export const KNOWN_NAMES_FILE = 'known-names.json';
const BUILT = join(__dirname, KNOWN_NAMES_FILE);
const OTHERS = new Set(['Country', 'Region', 'City', 'Organization', 'SportsTeam']);

/** The lexicon has them under one of the two. */
const OF_BOTH = new Set(
  'kim sasha robin leslie lesley ashley jordan taylor casey morgan jamie alexis kelly dana tracy stacy shannon jan'.split(' '),
);

let names: { genders: ReadonlyMap<string, Gender>; others: ReadonlySet<string> } | undefined;

/** Of the given names, in small letters, that the lexicon of `compromise` knows; undefined for others, and for those of either gender. */
export function genderOfGivenName(word: string): Gender | undefined {
  if (OF_BOTH.has(word)) return undefined;
  const { genders } = known();
  return genders.get(word) ?? genders.get(withoutAccents(word));
}

/** Whether the lexicon of `compromise` knows it, in small letters, as the name of a place, an organisation or a team. */
export const isKnownName = (name: string): boolean => known().others.has(name);

/** Those that the package `compromise` ships. */
export function readShippedNames(): KnownNames {
  const compromise = createRequire(__filename)('compromise') as { model(): { one: { lexicon: Record<string, string | string[]> } } };
  const { lexicon } = compromise.model().one;
  const tagged = (tag: string) => Object.keys(lexicon).filter((word) => lexicon[word] === tag);
  const others = Object.keys(lexicon).filter((word) => [lexicon[word]].flat().some((tag) => OTHERS.has(tag ?? '')));
  return { he: tagged('MaleName'), she: tagged('FemaleName'), others };
}

/** Null where only the sources are. @throws Error if the build was damaged */
function readBuilt(): KnownNames | null {
  try {
    return JSON.parse(readFileSync(BUILT, 'utf8')) as KnownNames;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${BUILT} cannot be read: build again with make build`, { cause: error });
  }
}

function known(): NonNullable<typeof names> {
  if (names) return names;
  const { he, she, others } = readBuilt() ?? readShippedNames();
  const genders = new Map([...he.map((name) => [name, 'he'] as const), ...she.map((name) => [name, 'she'] as const)]);
  return (names = { genders, others: new Set(others) });
}
