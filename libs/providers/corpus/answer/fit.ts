import { words } from '@lib/language/tokens';

import type { Wanted } from '../question/facets';
import type { Unit } from '../units/unit';

const DATE = /\b(?:19|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october|november|december) \d/i;
const TIME =
  /\b(?:1\d{3}|20\d\d)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b\d{1,2}:\d\d\b|\b(?:midnight|noon|before|after|once|as soon as|every|until)\b/i;
const AMOUNT = /\p{N}|\b(?:once|twice|one|two|three|four|five|six|seven|eight|nine|ten|never|always|unlimited)\b/iu;
const DEFINITION = /\b(?:is|are|was|were|means|refers to|stands for)\b/i;
/** A numbered list, or a diagram with arrows. */
const ORDERED = /^\(1\) |[─▶→▼↓]|-+>/;
const DEFAULT = /\bdefaults?\b|\bby default\b|\bif (?:not|omitted|unset)\b/i;

/** A number of at least six digits, in groups. */
const PHONE = /(?<![\p{N}.,-])\+?\(?\d(?:[\s()/-]{0,2}\d){5,}(?![\p{N}.])/u;
const MONEY =
  /[\p{Sc}%]|\b(?:euros?|dollars?|pounds?|pence|cents?|francs?|eur|usd|gbp|chf|costs?|pric(?:e|es|ed)|charges?|paid|pays?|fees?|percent)\b/iu;
const FREE = /\b(?:free|nothing|no (?:charge|fee|cost|fine)|included)\b/i;

/** Whether a unit, with the heads of its table, has what a question for a telephone number or a sum cannot be answered without. */
export function saysWhatIsNeeded({ above, introduction, text }: Unit, wanted: readonly Wanted[]): boolean {
  const whole = [above, ...introduction, text].join('\n');
  const saysMoney = (MONEY.test(whole) && saysAmount(text)) || FREE.test(text);
  return (!wanted.includes('phone') || PHONE.test(whole)) && (!wanted.includes('money') || saysMoney);
}

/** Whether a text gives a day or year, as a question for a date requires. */
export const saysDate = (text: string): boolean => DATE.test(text);

/** Whether a text contains a number, as a question for an amount asks for. */
export const saysAmount = (text: string): boolean => AMOUNT.test(text);

/** A factor that prefers units of the form and content that the question wants. */
export function fitOf(unit: Unit, wanted: readonly Wanted[]): number {
  const says = Math.max(...wanted.map((kind) => (saysKind(unit, kind) ? SAYS[kind] : 1)));
  const forms = Math.max(...wanted.map((kind) => FORMS[kind][unit.kind]));
  return says * forms;
}

/** Factors for units whose text says the wanted kind of thing. */
const SAYS: Readonly<Record<Wanted, number>> = {
  default: 1.35,
  amount: 1.2,
  phone: 1.2,
  money: 1.2,
  time: 1.25,
  date: 1.25,
  definition: 1.15,
  list: 1,
  order: 1.2,
  code: 1,
  anything: 1,
};

function saysKind({ text, above, kind }: Unit, wanted: Wanted): boolean {
  switch (wanted) {
    case 'default':
      return DEFAULT.test(text) || (kind === 'row' && DEFAULT.test(above));
    case 'phone':
      return PHONE.test(text);
    case 'amount':
    case 'money':
      return saysAmount(text);
    case 'date':
    case 'time':
      return TIME.test(text);
    case 'order':
      return ORDERED.test(text);
    case 'definition':
      return DEFINITION.test(text);
    default:
      return false;
  }
}

/** Factors for the forms in which the wanted kind of thing is usually told. */
const TERSE = { code: 0.65, list: 0.65, prose: 1, item: 1, row: 1 };
const FORMS: Readonly<Record<Wanted, Readonly<Record<Unit['kind'], number>>>> = {
  code: { code: 1.25, list: 0.7, prose: 1, item: 1, row: 0.9 },
  list: { code: 1, list: 1.35, prose: 1, item: 0.95, row: 1.05 },
  order: { code: 1.3, list: 1.3, prose: 0.9, item: 0.85, row: 0.9 },
  default: TERSE,
  amount: TERSE,
  phone: TERSE,
  money: TERSE,
  time: TERSE,
  date: TERSE,
  definition: { code: 0.75, list: 0.7, prose: 1, item: 1, row: 1 },
  anything: { code: 0.75, list: 0.8, prose: 1, item: 1, row: 1 },
};

/** Devalues units that are very short or very long. */
export function clarity({ text, kind, sentences: [first = ''] }: Unit): number {
  const length = words(text).length;
  if (kind === 'list' || kind === 'code') return length > 200 ? 0.85 : 1;
  if (kind === 'row') return 1;
  return (length < 4 ? 0.8 : 1) * (kind === 'prose' && /^\p{Ll}/u.test(first) ? 0.8 : 1);
}
