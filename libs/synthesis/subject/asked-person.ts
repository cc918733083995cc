import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { lookUp } from '@lib/language/reading/word';
import { PARTICLES } from './opening';
import { isRole, personIn } from './person-name';

const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{N}\p{M}'’.&-]*`;
/** A name inside a sentence; not after "the" or a number, where it is hardly a person. */
const NAME_INSIDE = new RegExp(
  String.raw`(?<=[\p{Ll},]\s)(?<!\b[Tt]he\s|\p{Lu}\p{L}*\s)${NAME_WORD}(?:\s+(?:(?:${[...PARTICLES].join('|')})\s+){0,2}${NAME_WORD})*`,
  'gu',
);
const ABOUT_PERSON = /\b(?:whose|bio|biography|life|lived|born|died|he|she|his|her)\b/i;
/** Before a name, with its article and the words between: "Who was the painter". */
const WHO_IS = /\bwho(?:['’]s| is| was)( the| an?)?((?: \p{L}+){0,2}) $/iu;

/** The names inside a question. */
export const namesAsked = (question: string): readonly string[] => question.match(NAME_INSIDE) ?? [];

/** The person that a question asks about; null if it names none. */
export function personAsked({ text }: Reading): Reading | null {
  // "Leverkusen’s season" is the topic, not a person of that name.
  const names = namesAsked(text).filter((name) => !/['’]s$/.test(name));
  const longest = names.toSorted((a, b) => b.length - a.length)[0]?.replace(/[.'’-]+$/, '');
  if (longest === undefined || isPlaceIn(text, longest)) return null;
  const name = readingOf(longest);
  return name.tokens.length > 1 || ABOUT_PERSON.test(text) || isAskedWho(text, longest)
    ? personIn(name, 0, name.tokens.length, true)
    : null;
}

/** Whether a question asks who somebody is: "Who was the painter Lund?", but not "Who is the owner of Zelin?" and "Who is behind Zelin?". */
function isAskedWho(question: string, name: string): boolean {
  const found = WHO_IS.exec(question.slice(0, question.indexOf(name)));
  const words = found?.[2]?.toLowerCase().split(' ').filter(Boolean);
  return words?.every((word) => (found?.[1] === undefined ? isRole(word) : !lookUp(word).isStopWord)) === true;
}

/** Whether a name is a place in the question: in "My landlord in Valdoria", "he" is not Valdoria. */
const isPlaceIn = (question: string, name: string): boolean =>
  ['in', 'at', 'near', 'across'].some((before) => question.includes(` ${before} ${name}`));
