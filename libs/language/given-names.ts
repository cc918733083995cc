import compromise from 'compromise';
import { withoutAccents } from './reading/lexicon';

/** What a given name mostly tells of who bears it. */
export type Gender = 'he' | 'she';

const GENDERS: ReadonlyMap<unknown, Gender> = new Map([
  ['MaleName', 'he'],
  ['FemaleName', 'she'],
]);

/** The lexicon has them under one of the two. */
const OF_BOTH = new Set(
  'kim sasha robin leslie lesley ashley jordan taylor casey morgan jamie alexis kelly dana tracy stacy shannon jan'.split(' '),
);

/** Of the given names, in small letters, that the lexicon of `compromise` knows; undefined for others, and for those of either gender. */
export function genderOfGivenName(word: string): Gender | undefined {
  lexicon ??= knownWords();
  if (OF_BOTH.has(word)) return undefined;
  return GENDERS.get(lexicon[word] ?? lexicon[withoutAccents(word)]);
}

let lexicon: Readonly<Record<string, unknown>> | undefined;

function knownWords(): Readonly<Record<string, unknown>> {
  const { one } = compromise.model() as { one: { lexicon: Record<string, unknown> } };
  return one.lexicon;
}
