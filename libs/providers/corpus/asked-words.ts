/** "what's" is "what is", and "giget's" is of giget: what follows the apostrophe is no part of the name. */
const CONTRACTED = /(?<=\p{L})['’](?:s|re|ve|ll|d|m)(?!\p{L})/giu;
const ADDRESS = /(?<![\w.])(?:(?:[\da-f]{0,4}:){2,}[\da-f:.]*|\d{1,3}(?:\.\d{1,3}){3})(?![\w])/gi;
/** A string that is handed to a call, or a path from where somebody's file lies. */
const OWN_STRING = /(?<=[\w$]\([^()\n]{0,80})(?<![\p{L}\p{N}])(['"])[^'"\n]{0,80}\1(?![\p{L}\p{N}])|(['"`])[@~.]{0,2}\/[^'"`\n]{1,80}\2/gu;

/** Somewhere in the documents there are a `lib` and a `foo`: that says nothing of somebody's `@/lib/foo`. */
const LONG_PATH = /\/[^/]+\/[^/]/;

export const withoutContractions = (text: string): string => text.replace(CONTRACTED, '');

/** A text without those addresses, paths and strings that no document has: they are examples of who asks. */
export function withoutExamples(text: string, isKnown: (text: string) => boolean): string {
  const unlessKnown = (found: string): string => (!LONG_PATH.test(found) && isKnown(found) ? found : ' ');
  return withoutContractions(text).replace(ADDRESS, unlessKnown).replace(OWN_STRING, unlessKnown);
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
  return new Set(Array.from(withoutContractions(text).matchAll(ASKED_KIND), ([, asked, named]) => (asked ?? named ?? '').toLowerCase()));
}

/** Whether a word names a kind of thing that programs have. */
export const isKind = (word: string): boolean => IS_KIND.test(word);
