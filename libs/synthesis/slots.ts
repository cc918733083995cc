import { stems } from '@lib/text/tokens';
import { antonymsOf, NUMBER_WORDS, SCALES, type Word } from './lexicon';

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
const NUMBER_WORD = new RegExp(String.raw`\b(?:${NUMBER_WORDS.join('|')})\b`, 'gi');

const BEFORE_YEAR =
  /(?:\b(?:in|since|until|during|january|february|march|april|may|june|july|august|september|october|november|december),?\s+\S?|\()$/i;

/** They contain a negating word and negate nothing. */
const NO_NEGATION = /\b(?:not only|no longer than|no (?:more|less|fewer|later|earlier) than|no doubt|not least|no\. ?\d+)\b/gi;

const NAME = /(?<=[\p{L}\p{N},;:)'"”’]\s["“(]?)\p{Lu}[\p{L}\p{N}.'’-]*/gu;

/** Reads the slots of a sentence without markup, given with its words. English cues; in other languages only the numbers are found. */
export function slotsOf(text: string, sentence: readonly Word[]): Slots {
  const amounts = amountsOf(text);
  const years = amounts.filter(({ isYear }) => isYear).map(({ value }) => String(value));
  const quantities = amounts.filter(({ isYear }) => !isYear).map(({ value, unit }) => ({ value, unit }));
  const identifiers = sentence.filter(({ isIdentifier }) => isIdentifier).map((word) => word.text);
  const negations = sentence.filter(isNegation).length - (text.match(NO_NEGATION)?.length ?? 0);
  return {
    quantities,
    years: new Set(years),
    identifiers: new Set(identifiers),
    numbers: new Set([...amounts.map(({ value }) => String(value)), ...identifiers]),
    negated: negations % 2 !== 0,
    names: new Set((text.match(NAME) ?? []).map((name) => name.toLowerCase().replace(/(?:['’]s|[.'’-]+)$/, ''))),
    directions: new Set(sentence.flatMap(({ direction }) => direction ?? [])),
  };
}

/** Stems of a sentence's meaningful words without its amounts. */
export function contentStems(sentence: readonly Word[]): string[] {
  return sentence.filter(({ isStopWord, isAmount }) => !isStopWord && !isAmount).map(({ stem }) => stem);
}

/** Stems of what a sentence speaks of: of its words without amounts, negations and words of direction. */
export function subjectStems(sentence: readonly Word[]): string[] {
  return contentStems(sentence.filter((...word) => word[0].direction === null && !isNegation(...word)));
}

/** The words of one sentence whose opposite, and not they themselves, stand in the other: [mine, yours] pairs. */
export function opposites(mine: Slots, yours: Slots): [string, string][] {
  return [...mine.directions]
    .filter((word) => !yours.directions.has(word))
    .flatMap((word) =>
      antonymsOf(word)
        .filter((opposite) => yours.directions.has(opposite) && !mine.directions.has(opposite))
        .map((opposite): [string, string] => [word, opposite]),
    );
}

/** False where two sentences cannot say the same, however alike their words are. */
export function slotsAgree(mine: Slots, yours: Slots): boolean {
  if (mine.negated !== yours.negated || !oneHoldsTheOther(mine.numbers, yours.numbers) || !oneHoldsTheOther(mine.names, yours.names))
    return false;
  return mine.directions.size === 0 || yours.directions.size === 0 || opposites(mine, yours).length === 0;
}

/** By hand: the sets' own `isSubsetOf` takes several times as long, and this is asked of every pair of sentences. */
export function oneHoldsTheOther(mine: ReadonlySet<string>, yours: ReadonlySet<string>): boolean {
  const [smaller, larger] = mine.size <= yours.size ? [mine, yours] : [yours, mine];
  for (const element of smaller) if (!larger.has(element)) return false;
  return true;
}

function isNegation(word: Word, position: number, sentence: readonly Word[]): boolean {
  return word.isNegation || (word.isNegationBeforeTo && sentence[position + 1]?.text === 'to');
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
      value: Number(value.replaceAll(',', '')) * (SCALES.get(scale?.toLowerCase() ?? '') ?? 1),
      unit: currency ?? (/^(?:%|percent|per cent)$/i.test(unit) ? '%' : stem),
      isYear: canBeYear && (stem === '' || BEFORE_YEAR.test(digits.slice(Math.max(0, index - 12), index + 1))),
    };
  });
}
