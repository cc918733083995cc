import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { splitSentences } from '@lib/language/sentences';
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
export const namesAsked = (question: string): readonly string[] =>
  splitSentences(question).flatMap(({ text }) => text.match(NAME_INSIDE) ?? []);

/** The person that a question asks about; null if it names none, or several. */
export function personAsked({ text }: Reading): Reading | null {
  const asking = askingIn(text);
  // "Leverkusen’s season" is the topic, not a person of that name.
  const names = namesAsked(asking)
    .filter((name) => name !== 'I' && !/['’]s$/.test(name))
    .map((name) => name.replace(/[.'’-]+$/, ''))
    .toSorted((a, b) => b.length - a.length);
  const [longest] = names;
  if (longest === undefined || isPlaceIn(asking, longest)) return null;
  const isOther = (name: string): boolean => name.includes(' ') && !longest.includes(name) && !isPlaceIn(asking, name);
  if (names.some(isOther)) return null;
  const name = readingOf(longest);
  return name.tokens.length > 1 || ABOUT_PERSON.test(asking) || isAskedWho(asking, longest)
    ? personIn(name, 0, name.tokens.length, true)
    : null;
}

/** The sentences of a message that ask, without greetings and signatures; all of it if they name nothing. */
function askingIn(message: string): string {
  const sentences = splitSentences(message).filter(({ text }) => /\?["'”’)]*$/.test(text));
  const asking = sentences.map(({ text }) => text).join(' ');
  return namesAsked(asking).every((name) => name === 'I') ? message : asking;
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
