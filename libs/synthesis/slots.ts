import { remembering } from '@lib/language/remembering';
import { stems } from '@lib/language/tokens';
import { antonymsOf, NUMBERS, SCALES, type Word } from './lexicon';

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
  /** Stems of the words that have an antonym. */
  directions: ReadonlySet<string>;
}

export interface Quantity {
  value: number;
  /** A currency sign, `%`, the stem of the next word, or empty. */
  unit: string;
}

/** Currency, value, scale and unit. */
const AMOUNT =
  /(?<![\w.,])([$€£¥])?\s?(\d{1,15}(?:,\d{3})*(?:\.\d+)?)(?![\w]*[.,]\d)(?:\s?(thousand|million|billion|trillion|bn|[km](?![\w])))?(?:[\s-]?(%|percent|per cent|°?\p{L}[\p{L}\d/]*))?/giu;
const NUMBER_WORD = new RegExp(String.raw`\b(?:${[...NUMBERS.keys()].join('|')})\b`, 'gi');

const BEFORE_YEAR =
  /(?:\b(?:in|since|until|during|january|february|march|april|may|june|july|august|september|october|november|december),?\s+\S?|\()$/i;

/** They contain a negating word and negate nothing. */
export const NO_NEGATION =
  /\b(?:not only|(?:nobody|no one|none|nothing) (?:but|except)|no longer than|no (?:more|less|fewer|later|earlier) than|no doubt|not least|no\. ?\d+)\b/gi;

const NAME = /(?<=[\p{L}\p{N},;:)'"”’]\s["“(]?)\p{Lu}[\p{L}\p{N}.'’-]*/gu;

/** Reads the slots of a sentence without markup, given with its words. English cues; in other languages only the numbers are found. */
export function slotsOf(text: string, sentence: readonly Word[]): Slots {
  const amounts = amountsOf(text);
  const years = amounts.filter(({ isYear }) => isYear).map(({ value }) => String(value));
  const identifiers = sentence.filter(({ isIdentifier }) => isIdentifier).map((word) => word.text);
  const negations = sentence.filter((word, position) => isNegation(word, sentence[position + 1])).length;
  const names = text.match(NAME) ?? [];
  return {
    quantities: amounts.filter(({ isYear }) => !isYear),
    years: setOf(years),
    identifiers: setOf(identifiers),
    numbers: setOf([...amounts.map(({ value }) => String(value)), ...identifiers]),
    negated: (negations - (text.match(NO_NEGATION)?.length ?? 0)) % 2 !== 0,
    names: setOf(names.map((name) => name.toLowerCase().replace(/(?:['’]s|[.'’-]+)$/, ''))),
    directions: setOf(sentence.filter(({ isDirection }) => isDirection).map(({ stem }) => stem)),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Most slots are empty. */
function setOf(elements: readonly string[]): ReadonlySet<string> {
  return elements.length === 0 ? NONE : new Set(elements);
}

/** What a sentence says, and of what. */
export interface Content {
  /** Stems of the meaningful words, then every amount, year and identifier. */
  stems: ReadonlySet<string>;
  /** The stems that name what is spoken of: without numbers, negations and words of direction. */
  subject: ReadonlySet<string>;
}

export function contentOf(sentence: readonly Word[], { numbers }: Slots): Content {
  const stems = new Set<string>();
  const subject = new Set<string>();
  for (const [position, word] of sentence.entries()) {
    if (word.isStopWord || word.isAmount) continue;
    stems.add(word.stem);
    if (!word.isDirection && (word.isNegated || !isNegation(word, sentence[position + 1]))) subject.add(word.stem);
  }
  for (const number of numbers) stems.add(number);
  return { stems, subject };
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

export function isNegation(word: Word, next: Word | undefined): boolean {
  return word.isNegation || word.isNegated || (word.isNegationBeforeTo && next?.text === 'to');
}

interface Amount extends Quantity {
  isYear: boolean;
}

function amountsOf(text: string): Amount[] {
  const digits = text.replace(NUMBER_WORD, (word) => String(NUMBERS.get(word.toLowerCase())));
  const amounts: Amount[] = [];
  for (let match = AMOUNT.exec(digits); match; match = AMOUNT.exec(digits)) {
    const [, currency, value = '', scale, unit = ''] = match;
    const canBeYear = /^(?:1\d|20)\d\d$/.test(value) && !currency && !scale;
    amounts.push({
      value: Number(value.replaceAll(',', '')) * (scale ? (SCALES.get(scale.toLowerCase()) ?? 1) : 1),
      unit: currency ?? unitOf(unit),
      isYear: canBeYear && (stemOfUnit(unit) === '' || BEFORE_YEAR.test(digits.slice(Math.max(0, match.index - 12), match.index + 1))),
    });
  }
  return amounts;
}

const stemOfUnit = remembering((unit) => stems(unit)[0] ?? '');
const unitOf = remembering((unit) => (/^(?:%|percent|per cent)$/i.test(unit) ? '%' : stemOfUnit(unit)));
