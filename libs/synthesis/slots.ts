import { isStopWord, stems, stemsOf } from '@lib/text/tokens';

/** What a sentence says that must not differ where two sentences are to say the same. */
export interface Slots {
  /** Amounts with their unit; years are not among them. */
  quantities: readonly Quantity[];
  years: ReadonlySet<string>;
  /** Tokens with a digit that are no amounts: versions, names of models. */
  identifiers: ReadonlySet<string>;
  /** Every amount, year and identifier. */
  numbers: ReadonlySet<string>;
  /** An odd number of negations: two cancel each other. */
  negated: boolean;
  /** Capitalised words inside the sentence, lower-cased. */
  names: ReadonlySet<string>;
  /** Words that have an antonym, in the form of `ANTONYMS`. */
  directions: ReadonlySet<string>;
}

export interface Quantity {
  value: number;
  /** A currency sign, `%`, the stem of the next word, or empty. */
  unit: string;
}

const AMOUNT =
  /(?<![\w.,])(?<currency>[$€£¥])?\s?(?<value>\d{1,15}(?:,\d{3})*(?:\.\d+)?)(?![\w]*[.,]\d)(?:\s?(?<scale>thousand|million|billion|trillion|bn|[km](?![\w])))?(?:[\s-]?(?<unit>%|percent|per cent|°?\p{L}[\p{L}\d/]*))?/giu;
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, k: 1e3, million: 1e6, m: 1e6, billion: 1e9, bn: 1e9, trillion: 1e12 };
const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const NUMBER_WORD = new RegExp(String.raw`\b(?:${NUMBER_WORDS.join('|')})\b`, 'gi');

const BEFORE_YEAR =
  /(?:\b(?:in|since|until|during|january|february|march|april|may|june|july|august|september|october|november|december),?\s+\S?|\()$/i;

const NEGATIONS = new Set('not no never none nobody nothing nowhere neither nor without cannot lack lacks lacked lacking'.split(' '));
/** They negate what they are to do. */
const NEGATION_BEFORE_TO = new Set(['fail', 'fails', 'failed', 'unable']);
/** They contain a negating word and negate nothing. */
const NO_NEGATION = /\b(?:not only|no longer than|no (?:more|less|fewer|later|earlier) than|no doubt|not least|no\. ?\d+)\b/gi;

const NAME = /(?<=[\p{L}\p{N},;:)'"”’]\s["“(]?)\p{Lu}[\p{L}\p{N}.'’-]*/gu;

/** Pairs of words whose exchange turns a statement around; all their forms count. */
const ANTONYMS =
  antonyms(`increase decrease;rise fall;rose fell;grow shrink;grew shrank;higher lower;highest lowest;more less;more fewer;most least;above below;before after;
faster slower;larger smaller;longer shorter;older younger;better worse;best worst;stronger weaker;enable disable;allow forbid;
accept reject;include exclude;always never;synchronous asynchronous;minimum maximum;first last;
support oppose;true false;won lost;win lose;open closed;safe unsafe;possible impossible;required optional;mandatory optional;present absent;
public private;success failure;succeed fail;positive negative;benefit harm;improve worsen;gain loss;early late;earlier later;start end;hot cold`);

/** Reads the slots of a sentence without markup, given with its words. English cues; in other languages only the numbers are found. */
export function slotsOf(text: string, tokens: readonly string[]): Slots {
  const amounts = amountsOf(text);
  const years = amounts.filter(({ isYear }) => isYear).map(({ value }) => String(value));
  const quantities = amounts.filter(({ isYear }) => !isYear).map(({ value, unit }) => ({ value, unit }));
  const identifiers = tokens.filter((token) => /\d/.test(token) && !/^\$?[\d,]+(?:\.\d+)?$/.test(token));
  return {
    quantities,
    years: new Set(years),
    identifiers: new Set(identifiers),
    numbers: new Set([...amounts.map(({ value }) => String(value)), ...identifiers]),
    negated: (tokens.filter(isNegation).length - (text.match(NO_NEGATION)?.length ?? 0)) % 2 !== 0,
    names: new Set((text.match(NAME) ?? []).map((name) => name.toLowerCase().replace(/(?:['’]s|[.'’-]+)$/, ''))),
    directions: new Set(tokens.map(directionOf).filter((word) => ANTONYMS.has(word))),
  };
}

/** Stems of a sentence's words without its amounts. */
export function contentStems(tokens: readonly string[]): string[] {
  return stemsOf(tokens.filter((word) => !/\d/.test(word) && !NUMBER_WORDS.includes(word) && !Object.hasOwn(SCALES, word)));
}

/** Stems of what a sentence speaks of: of its words without amounts, negations and words of direction. */
export function subjectStems(tokens: readonly string[]): string[] {
  return contentStems(tokens.filter((...word) => !isNegation(...word) && !ANTONYMS.has(directionOf(word[0]))));
}

/** The words of one sentence whose opposite, and not they themselves, stand in the other: [mine, yours] pairs. */
export function opposites(mine: Slots, yours: Slots): [string, string][] {
  return [...mine.directions]
    .filter((word) => !yours.directions.has(word))
    .flatMap((word) =>
      (ANTONYMS.get(word) ?? [])
        .filter((opposite) => yours.directions.has(opposite) && !mine.directions.has(opposite))
        .map((opposite): [string, string] => [word, opposite]),
    );
}

/** False where two sentences cannot say the same, however alike their words are. */
export function slotsAgree(mine: Slots, yours: Slots): boolean {
  if (mine.negated !== yours.negated) return false;
  const numbersFit = mine.numbers.isSubsetOf(yours.numbers) || yours.numbers.isSubsetOf(mine.numbers);
  const namesFit = mine.names.isSubsetOf(yours.names) || yours.names.isSubsetOf(mine.names);
  return numbersFit && namesFit && opposites(mine, yours).length === 0;
}

function isNegation(word: string, position: number, tokens: readonly string[]): boolean {
  return NEGATIONS.has(word) || word.endsWith("n't") || (NEGATION_BEFORE_TO.has(word) && tokens[position + 1] === 'to');
}

/** The form in which a word stands in the table of antonyms. */
function directionOf(word: string): string {
  return isStopWord(word) ? word : (stemsOf([word])[0] ?? word);
}

interface Amount extends Quantity {
  isYear: boolean;
}

function amountsOf(text: string): Amount[] {
  const digits = text.replace(NUMBER_WORD, (word) => String(NUMBER_WORDS.indexOf(word.toLowerCase()) + 2));
  return [...digits.matchAll(AMOUNT)].map(({ groups = {}, index }) => {
    const { currency, value = '', scale, unit = '' }: Partial<Record<string, string>> = groups;
    const [stem = ''] = stems(unit);
    const canBeYear = /^(?:1\d|20)\d\d$/.test(value) && !currency && !scale;
    return {
      value: Number(value.replaceAll(',', '')) * (SCALES[scale?.toLowerCase() ?? ''] ?? 1),
      unit: currency ?? (/^(?:%|percent|per cent)$/i.test(unit) ? '%' : stem),
      isYear: canBeYear && (stem === '' || BEFORE_YEAR.test(digits.slice(Math.max(0, index - 12), index + 1))),
    };
  });
}

function antonyms(pairs: string): ReadonlyMap<string, readonly string[]> {
  const opposites = new Map<string, string[]>();
  for (const pair of pairs.split(/[;\n]+/)) {
    const [left = '', right = ''] = pair.split(' ').map(directionOf);
    opposites.set(left, [...(opposites.get(left) ?? []), right]);
    opposites.set(right, [...(opposites.get(right) ?? []), left]);
  }
  return opposites;
}
