import { DASH } from '@lib/language/reading/characters';
import { beginsNameLikePronoun } from '@lib/language/reading/names';
import type { Token } from '@lib/language/reading/token';

/** Words that cannot begin the name of a thing, or that refer to one. */
const NOT_FIRST = new Set(
  `and or but so nor yet if because although though while when where whereas since until unless once unlike despite like as at in on by for from with without
to into of about after before during under over was were is are be been am has have had do does did not there this these that those who which what it he she
they we you i his her its their`.split(/\s+/),
);
/** Words that cannot stand inside a noun phrase, except in a name. */
const NOT_WITHIN = new Set('it he she they we there this these those is are was were be been seem seems has have had here'.split(' '));
const NOT_LAST = new Set(
  'a an the of in on at to for from with by about as and or but than very more most also already almost still even'.split(' '),
);
/** An adverb derived from an adjective, unlike "Emily" and "Italy". */
const ADVERB = /^\p{L}{3,}(?:al|ous|ent|ant|ive|ful|ed|ing|less|able|ular|ict|ear|ate)ly$/u;
const ADVERBS = new Set(
  `indeed previously instead meanwhile finally later here now then today nevertheless nonetheless therefore thus hence again perhaps maybe already notably
similarly additionally yesterday likewise otherwise soon often sometimes usually together`.split(/\s+/),
);

/** Whether words before a verb can name something; not "Previously", "the major audience of the" and "particularly it". English. */
export function mayName(words: readonly Token[]): boolean {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || isAdverb(first, words.length)) return false;
  if (NOT_FIRST.has(first.word.text) && !beginsNameLikePronoun(words, 0)) return false;
  if (!last.isCapitalised && (NOT_LAST.has(last.word.text) || ADVERBS.has(last.word.text) || last.word.verb.isAdverb)) return false;
  if (isHyphenatedParticiple(words)) return false;
  return !words.some(({ word, isCapitalised }, at) => at > 0 && !isCapitalised && NOT_WITHIN.has(word.text));
}

/** As in "Free-threaded builds", where "builds" was taken for the verb. */
const isHyphenatedParticiple = (words: readonly Token[]): boolean =>
  words.length > 1 &&
  words.at(-1)?.isCapitalised === false &&
  words.at(-1)?.word.verb.endsInEd === true &&
  words.every(({ before }, at) => at === 0 || (before & DASH) !== 0);

/** Whether the words are only an adverb, unlike "newly elected members". */
const isAdverb = ({ word: { text } }: Token, length: number): boolean => ADVERBS.has(text) || (length === 1 && ADVERB.test(text));
