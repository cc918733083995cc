/** "what's" means "what is", and "giget's" means "of giget": the part after the apostrophe does not belong to the name. */
const CONTRACTED = /(?<=\p{L})['’](?:s|re|ve|ll|d|m)(?!\p{L})/giu;
/** The beginning of a contraction without its apostrophe. Not of one that is another word then: "were", "its", "ill", "ire". */
const WITHOUT_APOSTROPHE =
  /(?<![\p{L}\p{N}'’._-])(?:(?:do|does|did|is|are|was|has|have|had|ca|could|would|should|wo)n(?=t)|(?:what|how|where|who|when|why|that|there|here)(?=s)|(?:you|they)(?=[vr]e)|we(?=ve)|i(?=ve|m))(?=(?:t|s|[vr]e|m)(?![\p{L}\p{N}'’._-]))/giu;
const ADDRESS = /(?<![\w.])(?:(?:[\da-f]{0,4}:){2,}[\da-f:.]*|\d{1,3}(?:\.\d{1,3}){3})(?![\w])/gi;
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const MEASURE =
  'kg|kilos?|kilograms?|pounds?|km|miles?|metres?|meters?|cm|hours?|minutes?|seconds?|days?|weeks?|months?|years?|euros?|dollars?|people|persons?|percent';
const TIME_OF_DAY = String.raw`\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?(?:[ap]m|o['’]clock)`;
/** The asker's own time or quantity: "at 5pm", "on 1 February", "for 18 months", "I weigh 90 kilos", "a £3,500 course". */
const OWN_FIGURE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:-])(?:${TIME_OF_DAY}|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})(?: \d{4})?|(?:${MONTH}) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|[£$€]?\d[\d,.]*(?: ?(?:${MEASURE}))?)(?![\p{L}\p{N}_.-])`,
  'giu',
);
/** A string passed to a call, or a path to somebody's own file. */
const OWN_STRING = /(?<=[\w$]\([^()\n]{0,80})(?<![\p{L}\p{N}])(['"])[^'"\n]{0,80}\1(?![\p{L}\p{N}])|(['"`])[@~.]{0,2}\/[^'"`\n]{1,80}\2/gu;

/** Documents may well mention `lib` and `foo` somewhere; that says nothing about somebody's own `@/lib/foo`. */
const LONG_PATH = /\/[^/]+\/[^/]/;

/** With the apostrophes that were left out: "whats the limit", "it doesnt start". What is in capitals may be a name. */
export const withApostrophes = (text: string): string =>
  text.replace(WITHOUT_APOSTROPHE, (beginning, at: number) =>
    /\p{Lu}/u.test(text.charAt(at + beginning.length)) ? beginning : `${beginning}'`,
  );

export const withoutContractions = (text: string): string => text.replace(CONTRACTED, '');

/** Removes addresses, paths and strings that no document contains: they are the asker's own examples. */
export function withoutExamples(text: string, isKnown: (text: string) => boolean): string {
  const unlessKnown = (found: string): string => (!LONG_PATH.test(found) && isKnown(found) ? found : ' ');
  return withoutContractions(text).replace(ADDRESS, unlessKnown).replace(OWN_STRING, unlessKnown).replace(OWN_FIGURE, unlessKnown);
}

const KIND =
  '(?:options?|settings?|flags?|switch(?:es)?|parameters?|arguments?|properties|property|methods?|functions?|class(?:es)?|placeholders?|hooks?|events?|commands?|calls?|api|fields?|keys?|values?|attributes?|variables?)';
const IS_KIND = new RegExp(`^${KIND}$`, 'i');
const ASKED_KIND = new RegExp(
  String.raw`\b(?:which|what)\b(?:\s+[^\s?.,;]+){0,3}?\s+(${KIND})\b|\bthe\s+(${KIND})\s+(?:called|named)\b`,
  'gi',
);

/** The words that name the kind of thing asked for: the answer to "which option" is an option, but seldom says "option". */
export function askedKinds(text: string): ReadonlySet<string> {
  return new Set(Array.from(withoutContractions(text).matchAll(ASKED_KIND), ([, asked, named]) => (asked ?? named ?? '').toLowerCase()));
}

/** Whether a word names a kind of thing found in programs, such as an option or a method. */
export const isKind = (word: string): boolean => IS_KIND.test(word);
