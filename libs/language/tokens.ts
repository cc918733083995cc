import { stemmer } from 'stemmer';

import { remembering } from './remembering';

/** Letters and digits, with a full stop or apostrophe inside, so that `reply.send`, `v1.2` and `don't` stay whole; `1,000` and `12:30` too. */
const WORD = /[\p{L}\p{N}\p{M}_$]+(?:(?:[.'](?=[\p{L}\p{N}_$])|(?<=\p{N})[,:](?=\p{N}))[\p{L}\p{N}\p{M}_$]+)*/gu;
/** The words of a text of ASCII alone, as `WORD` finds them: most texts are, and it is several times faster. */
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

/** Built on first use: loading a segmenter's dictionaries takes time that most texts never need. */
let segmenter: Intl.Segmenter | undefined;

/** The words of a text in order, lower-cased, compatibility-normalised; numbers and identifiers stay whole. */
export function words(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  const normal = text.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  const found = normal.match(WORD) ?? [];
  return UNSPACED_LETTERS.test(normal) ? found.flatMap((word) => (UNSPACED_LETTERS.test(word) ? wordsOfUnspaced(word) : [word])) : found;
}

/** Stems (Porter) of the words that carry meaning, in order, repeated as often as they occur. */
export function stems(text: string): string[] {
  return words(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);
}

/** The stem (Porter) of one lower-cased word. */
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
