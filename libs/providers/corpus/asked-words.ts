/** "what's" is "what is", and "giget's" is of giget: what follows the apostrophe is no part of the name. */
const CONTRACTED = /(?<=\p{L})['’](?:s|re|ve|ll|d|m)(?!\p{L})/giu;
const ADDRESS = /(?<![\w.])(?:(?:[\da-f]{0,4}:){2,}[\da-f:.]*|\d{1,3}(?:\.\d{1,3}){3})(?![\w])/gi;
/** A string that is handed to a call, or a path from where somebody's file lies. */
const OWN_STRING = /(?<=\([^()\n]{0,80})(['"])[^'"\n]{0,80}\1|(['"`])[@~.]{0,2}\/[^'"`\n]{1,80}\2/g;

/** A question without the addresses, paths and strings of who asks: they are examples, which no document has. */
export function withoutExamples(text: string): string {
  return text.replace(ADDRESS, ' ').replace(OWN_STRING, ' ').replace(CONTRACTED, '');
}

const KIND =
  '(?:options?|settings?|flags?|switch(?:es)?|parameters?|arguments?|properties|property|methods?|functions?|class(?:es)?|placeholders?|hooks?|events?|commands?|calls?|api|fields?|keys?|values?|attributes?|variables?)';
const IS_KIND = new RegExp(`^${KIND}$`, 'i');
const ASKED_KIND = new RegExp(
  String.raw`\b(?:which|what)\b(?:\s+[^\s?.,;]+){0,3}?\s+(${KIND})\b|\bthe\s+(${KIND})\s+(?:called|named)\b`,
  'gi',
);

/** The words that name the kind of what is asked for: the answer to "which option" is an option, and seldom says so. */
export function askedKinds(text: string): ReadonlySet<string> {
  return new Set(Array.from(withoutExamples(text).matchAll(ASKED_KIND), ([, asked, named]) => (asked ?? named ?? '').toLowerCase()));
}

/** Whether a word names a kind of thing that programs have. */
export const isKind = (word: string): boolean => IS_KIND.test(word);
