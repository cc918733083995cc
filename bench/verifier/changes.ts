/** A sentence changed by one rule; null where the rule does not apply. */
export type Change = (sentence: string, other: string) => string | null;

const AUXILIARY = /\b(is|are|was|were|has|have|had|can|could|will|would)\b(?! not)/;
const NUMBER = /\d+(?:[.,]\d+)*/;
/** Not the first word, which may be capitalised for its place. */
const NAME = /(?<=[\p{Ll},] )(?:\p{Lu}\p{L}+)(?: \p{Lu}\p{L}+)*/gu;
const NAMES = /\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu;
const VERB =
  /(?<= )(?:won|wrote|founded|built|became|joined|played|released|received|directed|published|moved|died|opened|created|served|produced|killed|married|studied)(?= )/;
const OTHER_VERBS = 'sold refused painted buried stole translated burned ignored'.split(' ');
const DATE_AT_END = / (in (?:\p{Lu}\p{Ll}+ )?\d{4}|on \p{Lu}\p{Ll}+ \d{1,2}, \d{4})\.$/u;

/** What turns a sentence into another statement. */
export const WRONG: Readonly<Record<string, Change>> = {
  number: (sentence) =>
    replaced(sentence, NUMBER, (number) =>
      /^\d{4}$/.test(number) ? String(Number(number) + 3) : `${Number(number[0]) === 7 ? 4 : 7}${number.slice(1)}`,
    ),
  name: (sentence, other) => {
    const [name] = other.match(NAME) ?? [];
    const own = sentence.match(NAME) ?? [];
    const last = own.at(-1);
    return name !== undefined && last !== undefined && !sentence.includes(name) ? sentence.replace(last, name) : null;
  },
  polarity: (sentence) =>
    /\b(?:not|no|never|n't|without|only)\b/i.test(sentence) ? null : replaced(sentence, AUXILIARY, (auxiliary) => `${auxiliary} not`),
  role: (sentence) => {
    const [first, ...others] = sentence.match(NAMES) ?? [];
    const other = others.find((name) => standsApart(sentence, first ?? '', name));
    if (
      first === undefined ||
      other === undefined ||
      /^(?:The|A|An|In|On|At|After|Before|During|For|By|When|While|As|From)\b/.test(sentence)
    )
      return null;
    return sentence.replace(other, '\0').replace(first, other).replace('\0', first);
  },
  verb: (sentence) => replaced(sentence, VERB, (verb) => OTHER_VERBS[verb.length % OTHER_VERBS.length] ?? 'sold'),
};

/** What says the same, or less. */
export const RIGHT: Readonly<Record<string, Change>> = {
  'as it is': (sentence) => sentence,
  'time first': (sentence) => {
    const [whole, time = ''] = DATE_AT_END.exec(sentence) ?? [];
    if (whole === undefined || !/^(?:\p{Lu}\p{Ll}+ \p{Lu}|The |He |She |It )/u.test(sentence)) return null;
    const rest = sentence.slice(0, -whole.length);
    const start = /^(?:The|He|She|It) /.test(rest) ? `${rest.charAt(0).toLowerCase()}${rest.slice(1)}` : rest;
    return `${time.charAt(0).toUpperCase()}${time.slice(1)}, ${start}.`;
  },
  'without the time': (sentence) => {
    const shorter = sentence.replace(DATE_AT_END, '.');
    return shorter === sentence || shorter.split(' ').length < 6 || /\b(?:until|from|since|born)\b/.test(sentence) ? null : shorter;
  },
  'other words for it': (sentence) => {
    const shorter = sentence
      .replace(/\bfilm\b/, 'movie')
      .replace(/\breleased\b/, 'published')
      .replace(/\bchildren\b/, 'kids')
      .replace(/\bmany\b/, 'numerous')
      .replace(/\breceived\b/, 'got');
    return shorter === sentence ? null : shorter;
  },
};

/** The one does something before the other is named. */
function standsApart(sentence: string, first: string, other: string): boolean {
  const between = sentence.slice(sentence.indexOf(first) + first.length, sentence.indexOf(other));
  return (
    sentence.startsWith(first) &&
    !other.includes(first) &&
    !first.includes(other) &&
    new RegExp(`${VERB.source}|${AUXILIARY.source}`).test(between)
  );
}

function replaced(sentence: string, pattern: RegExp, change: (found: string) => string): string | null {
  const changed = sentence.replace(pattern, change);
  return changed === sentence ? null : changed;
}
