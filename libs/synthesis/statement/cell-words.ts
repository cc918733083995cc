import { unitOf } from '@lib/language/reading/units';

/** A cell that may mean that there is none, or that nobody knows. */
export const statesNothing = (cell: string): boolean => /^(?:[–—-]|n\.?\/?a\.?|tb[acd]|unknown|\?)$/i.test(cell.trim());

/** A cell of a table with a sign as the word that it stands for. */
export const inWords = (cell: string): string => (YES.test(cell) ? 'yes' : NO.test(cell) ? 'no' : cell);
const YES = /^[✓✔✅☑]\uFE0F?$/u;
const NO = /^[✗✘❌☒]\uFE0F?$/u;

/**
 * A head and its cell with the unit beside the number: “Yield: 45.3 t/ha” for “45.3” below “Yield (t/ha)”, “Cost: ~$40m” for “~40” below “Cost ($m)”.
 * Unchanged if the brackets may hold anything else: “Award(s)”, “Players (min)”.
 */
export function withUnit(head: string, cell: string): [head: string, cell: string] {
  const found = BARE.test(cell) ? UNIT_IN_HEAD.exec(head)?.groups : undefined;
  const { name = '', unit = '' } = found ?? {};
  if (name === '') return [head, cell];
  const { sign = '', scale = '', per = '' } = MONEY.exec(unit)?.groups ?? {};
  if (sign !== '') return [name, cell.replace(/\d/, (digit) => sign + digit) + (LETTER.test(scale) ? scale : scale && ` ${scale}`) + per];
  const counted = SCALE.exec(unit)?.[1];
  if (counted !== undefined) return [name, `${cell} ${counted.toLowerCase()}`];
  const [first = ''] = unit.split('/');
  const isKnown = unitOf(first) !== null && (!AMBIGUOUS.test(unit) || OF_MEASURE.test(name));
  return isKnown ? [name, `${cell} ${unit}`] : [head, cell];
}

/** A number, or an interval of two. */
const BARE = /^[~≈<>≤≥±+−–-]?\s*\d[\d,]*(?:\.\d+)?(?:\s*[–-]\s*\d[\d,]*(?:\.\d+)?)?$/;
/** A space before the bracket tells a unit from the plural of “Award(s)”. */
const UNIT_IN_HEAD = /^(?<name>.*\S)\s+[([](?:in )?(?<unit>[^()[\]]{1,16})[)\]]$/;
const MONEY = /^(?:US)?(?<sign>[$€£¥])\s*(?<scale>k|m|mn|bn|tn|thousand|million|billion|trillion)?(?<per>\/\p{L}{1,6})?$/iu;
const LETTER = /^(?:k|mn?|bn|tn)$/i;
const SCALE = /^(thousand|million|billion|trillion)s?$/i;
/** Letters and words that are units only of what is measured so. */
const AMBIGUOUS = /^(?:[a-z]|min|in|day|days|year|years)$/i;
const OF_MEASURE =
  /\b(?:length|height|depth|width|distance|span|range|elevation|altitude|diameter|radius|size|time|duration|latency|delay|age|period|weight|mass|load|payload|volume|capacity|tank|boot|luggage|dose|temperature)\b/i;
