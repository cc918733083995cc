import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withoutAccents } from './reading/lexicon';

/** What a given name mostly tells of who bears it. */
export type Gender = 'he' | 'she';

/** Given names in small letters. */
export type GivenNames = Readonly<Record<Gender, readonly string[]>>;

/** The build writes it beside this file: to load `compromise` takes a thread 25 MB and 0.15 s, and these are 28 KB of it. */
export const GIVEN_NAMES_FILE = 'given-names.json';
const BUILT = join(__dirname, GIVEN_NAMES_FILE);

/** The lexicon has them under one of the two. */
const OF_BOTH = new Set(
  'kim sasha robin leslie lesley ashley jordan taylor casey morgan jamie alexis kelly dana tracy stacy shannon jan'.split(' '),
);

let genders: ReadonlyMap<string, Gender> | undefined;

/** Of the given names, in small letters, that the lexicon of `compromise` knows; undefined for others, and for those of either gender. */
export function genderOfGivenName(word: string): Gender | undefined {
  genders ??= gendersIn(readBuilt() ?? readShippedNames());
  if (OF_BOTH.has(word)) return undefined;
  return genders.get(word) ?? genders.get(withoutAccents(word));
}

/** Those that the package `compromise` ships. */
export function readShippedNames(): GivenNames {
  const compromise = createRequire(__filename)('compromise') as { model(): { one: { lexicon: Record<string, unknown> } } };
  const { lexicon } = compromise.model().one;
  const tagged = (tag: string) => Object.keys(lexicon).filter((word) => lexicon[word] === tag);
  return { he: tagged('MaleName'), she: tagged('FemaleName') };
}

/** Null where only the sources are. @throws Error if the build was damaged */
function readBuilt(): GivenNames | null {
  try {
    return JSON.parse(readFileSync(BUILT, 'utf8')) as GivenNames;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${BUILT} cannot be read: build again with make build`, { cause: error });
  }
}

const gendersIn = ({ he, she }: GivenNames): Map<string, Gender> =>
  new Map([...he.map((name) => [name, 'he'] as const), ...she.map((name) => [name, 'she'] as const)]);
