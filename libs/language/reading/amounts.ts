import type { Amount } from './amount';
import { ABOUT, OPENING, PLUS, SPACE } from './characters';
import { APPROXIMATING, comparatorBefore } from './comparators';
import type { PartialDate } from './partial-date';
import { HOLDING_AGAINST, labelBefore, measureOf, type Measure } from './measures';
import { ABOUT_TOLERANCE, isChange, quantityAt, rangeEnd, roundingOf, signed, type Quantity } from './quantities';
import { MAY_BEGIN_SHARE, shareAt, type Share } from './shares';
import { inCelsius } from './temperatures';
import { hasCommaBefore, textAt, type Token } from './token';
import { hasSign, unitOf } from './units';

const RELATIONS = new Set(['by', 'to', 'from']);
const TOLERANCE = 0.05;

/** The amounts of a sentence, in order, without those in its dates. English. */
export function amountsOf(tokens: readonly Token[], dates: readonly PartialDate[]): Amount[] {
  const amounts: Amount[] = [];
  let nextDate = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at]?.word;
    if (!word || (!word.numeral && !MAY_BEGIN_SHARE.has(word.text))) continue;
    while ((dates[nextDate]?.to ?? Infinity) <= at) nextDate += 1;
    const date = dates[nextDate];
    const share = date && date.from <= at ? null : shareAt(tokens, at);
    if (share) {
      amounts.push(amountOfShare(tokens, at, share));
      at = share.to - 1;
      continue;
    }
    if (!word.numeral) continue;
    const first = date && date.from <= at ? null : quantityAt(tokens, at);
    if (!first) continue;
    const end = rangeEnd(tokens, first, date);
    const bound = end ? null : boundBehind(tokens, first);
    const read: [Amount] | [Amount, Amount] = bound ? [beginOf(tokens, first, bound)] : amountsFrom(tokens, first, end);
    const [next, changed] = read;
    const begun = amounts.at(-1);
    if (begun && convertsTo(tokens, begun, next)) amounts[amounts.length - 1] = { ...begun, to: next.to };
    else if (begun && goesOnIn(tokens, begun, next)) amounts[amounts.length - 1] = joined(begun, next);
    else amounts.push(...read);
    at = (changed ?? next).to - 1;
  }
  return amounts;
}

/** The second number of a range such as "0.5 to more than 10 million tonnes", whose scale and unit also apply to the first. */
function boundBehind(tokens: readonly Token[], { to, scale, value }: Quantity): Quantity | null {
  if (tokens[to]?.word.text !== 'to') return null;
  let at = to + 1;
  while (BEFORE_END_OF_RANGE.has(textAt(tokens, at))) at += 1;
  const second = at > to + 1 ? quantityAt(tokens, at) : null;
  return second && second.scale > 1 && (scale > 1 || value < second.value) ? second : null;
}
const BEFORE_END_OF_RANGE = APPROXIMATING.union(new Set('more than over up to'.split(' ')));

const beginOf = (tokens: readonly Token[], first: Quantity, end: Quantity): Amount => {
  const value = first.scale > 1 ? first.value : first.value * end.scale;
  return { ...amountOf(tokens, first, { ...end, value }), to: first.to };
};

/** The amounts of a range. A change "from 1.7 to 1.9 %" gives both ends as separate amounts. */
function amountsFrom(tokens: readonly Token[], first: Quantity, last: Quantity | null): [Amount] | [Amount, Amount] {
  const amount = amountOf(tokens, first, last ?? first);
  if (!last || !isChange(tokens, first)) return [amount];
  return [
    { ...amount, high: amount.low, to: first.to },
    { ...amount, low: amount.high, relation: 'to', from: last.from },
  ];
}

/** Whether the next amount, in brackets, is this one in another unit: "737 metres (2,418 feet)". */
function convertsTo(tokens: readonly Token[], { low, high, unit, rounding, to }: Amount, next: Amount): boolean {
  if (next.unit !== unit || next.from > to + MAX_BEFORE_BRACKET || ((tokens[next.from]?.before ?? 0) & OPENING) === 0) return false;
  const [mine, theirs] = [to, next.to].map((end) => tokens[end - 1]?.word);
  const isOtherUnit =
    unit === 'celsius' ? mine?.text !== theirs?.text : mine?.unit && theirs?.unit && mine.unit.factor !== theirs.unit.factor;
  if (!isOtherUnit) return false;
  const most = Math.max(rounding, next.rounding, CONVERTED * Math.abs(high));
  return isNear(low, next.low, most) && isNear(high, next.high, most);
}
/** What may stand between them: "737 metres deep (2,418 feet)". */
const MAX_BEFORE_BRACKET = 2;
/** How far a conversion may be off, as a share: many are rounded by hand. */
const CONVERTED = 0.02;
const isNear = (one: number, other: number, most: number): boolean => one === other || Math.abs(one - other) <= most;

/**
 * Whether the next amount continues this one: "3 hours and 20 minutes", "6 feet 2 inches". It follows directly, in a smaller unit of the same
 * dimension, and is less than one larger unit.
 */
function goesOnIn(tokens: readonly Token[], { low, high, unit, from, to }: Amount, next: Amount): boolean {
  const larger = tokens[to - 1]?.word.unit?.factor ?? 0;
  const isRange = low < high && Number.isFinite(low) && Number.isFinite(high);
  return (
    next.from === (tokens[to]?.word.text === 'and' ? to + 1 : to) &&
    tokens[next.from]?.before === SPACE &&
    next.unit === unit &&
    to - from > 1 &&
    !isRange &&
    next.low === next.high &&
    next.high < larger &&
    (tokens[next.to - 1]?.word.unit?.factor ?? larger) < larger
  );
}

const joined = (one: Amount, { high: more, rounding, to }: Amount): Amount => {
  const [low, high] = [one.low + more, one.high + more];
  return { ...one, low, high, rounding, tolerance: Math.max(rounding, TOLERANCE * Math.min(Math.abs(low), Math.abs(high))), to };
};

function amountOfShare(tokens: readonly Token[], at: number, { percent, rounding, to }: Share): Amount {
  return compared(tokens, { from: at, to }, { low: percent, high: percent, rounding, unit: unitOf('%')?.dimension ?? '', to });
}

function amountOf(tokens: readonly Token[], first: Quantity, last: Quantity): Amount {
  const label = labelBefore(tokens, first.from);
  const measure = label ? { unit: label, factor: 1, to: last.to } : measureAt(tokens, first.currency || last.currency, last);
  const scale = last.scale > 1 && first.scale === 1 && first !== last ? last.scale : 1;
  const valueOf = (quantity: Quantity): number => (hasSign(measure.unit) ? signed(quantity) : quantity.value) * measure.factor;
  const amount = compared(
    tokens,
    { from: first.from, to: last.to },
    {
      low: valueOf(first) * scale,
      high: valueOf(last),
      rounding: roundingOf(last) * measure.factor,
      unit: measure.unit,
      to: measure.to,
    },
  );
  return inCelsius(amount, tokens);
}

/** Its own measure, or that of the figure it is compared with: "fell to 6.8 from 7.6 mmol/L". */
function measureAt(tokens: readonly Token[], currency: string, quantity: Quantity): Measure {
  const own = measureOf(tokens, currency, quantity);
  const word = tokens[quantity.to];
  if (own.unit !== '' || !word || !HOLDING_AGAINST.has(word.word.text) || hasCommaBefore(word)) return own;
  if (word.word.text === 'from' && tokens[quantity.from - 1]?.word.text !== 'to') return own;
  const next = quantityAt(tokens, quantity.to + 1);
  return next ? { ...measureOf(tokens, next.currency, next), to: quantity.to } : own;
}

/** The amount of a number with the words around it: "at least 5", "by about 5", "5 or more". */
function compared(
  tokens: readonly Token[],
  number: { from: number; to: number },
  { low, high, rounding, unit, to }: Pick<Amount, 'low' | 'high' | 'rounding' | 'unit' | 'to'>,
): Amount {
  const { kind, from } = comparatorBefore(tokens, number.from);
  const isAbout = kind === 'about' || ((tokens[number.from]?.before ?? 0) & ABOUT) !== 0;
  const relation = textAt(tokens, from - 1);
  return {
    low: kind === 'at most' ? -Infinity : low,
    high: kind === 'at least' || isOrMore(tokens, number.to) ? Infinity : high,
    rounding,
    tolerance: Math.max(rounding, (isAbout ? ABOUT_TOLERANCE : TOLERANCE) * Math.abs(high)),
    unit,
    relation: RELATIONS.has(relation) ? relation : '',
    from,
    to,
  };
}

/** Whether "or more" follows: "5+", "5 or more", "5 metres or more". */
function isOrMore(tokens: readonly Token[], to: number): boolean {
  const text = (at: number): string => textAt(tokens, at);
  if ((tokens[to - 1]?.after ?? 0) & PLUS) return true;
  return (text(to) === 'or' && text(to + 1) === 'more') || (text(to + 1) === 'or' && text(to + 2) === 'more');
}
