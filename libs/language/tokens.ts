import { stemmer } from 'stemmer';

import { remembering } from './remembering';

/**
 * Letters and digits, possibly with a full stop or apostrophe inside, so that `reply.send`, `v1.2` and `don't` stay whole; so do `1,000` and `12:30`.
 */
const WORD = /[\p{L}\p{N}\p{M}_$]+(?:(?:[.'](?=[\p{L}\p{N}_$])|(?<=\p{N})[,:](?=\p{N}))[\p{L}\p{N}\p{M}_$]+)*/gu;
/** For texts in ASCII, which are the majority, words are found several times faster and with the same result as `WORD`. */
const ASCII = /^[\0-\x7F]*$/;
const ASCII_WORD = /[\w$]+(?:(?:[.'](?=[\w$])|(?<=\d)[,:](?=\d))[\w$]+)*/g;
/** Scripts written without spaces between words. */
export const UNSPACED_LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const STOP_WORDS = new Set(
  `a about above after again all also although am an and any are as at be because been before being below between both but by can cannot
could did do does doing down during each either else few for from further had has have having he her here hers herself him himself his how
however i if in into is it its itself just let may me might more most must my myself neither no nor not of off on once one only or other
ought our ours ourselves out over own per same shall she should so some such than that the their theirs them themselves then there these
they this those through thus to too under until up upon us very via was we were what when where whether which while who whom whose why will
with within without would yet you your yours yourself yourselves aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't it's
shouldn't that's wasn't weren't won't wouldn't`.split(/\s+/),
);

/** Created on first use, because a segmenter's dictionaries take time to load and most texts do not need them. */
let segmenter: Intl.Segmenter | undefined;

/** The words of a text in order, lower-cased, compatibility-normalised; numbers and identifiers stay whole. */
export function words(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  const normal = text.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  const found = normal.match(WORD) ?? [];
  return UNSPACED_LETTERS.test(normal) ? found.flatMap((word) => (UNSPACED_LETTERS.test(word) ? wordsOfUnspaced(word) : [word])) : found;
}

/** Porter stems of the meaningful words, in order and with repetitions. */
export function stems(text: string): string[] {
  return words(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);
}

/** The Porter stem of a lower-cased word. */
export const stemOf = remembering((word) => {
  const bare = word.endsWith("'s") ? word.slice(0, -2) : word;
  return /^[a-z]{3,40}$/.test(bare) ? stemmer(bare) : bare;
}, 100);

/** True for English words that say nothing about the subject. Expects a lower-cased word. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

function wordsOfUnspaced(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}
