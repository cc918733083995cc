import type { Amount } from './amount';
import { MOVING } from './movements';
import { textAt, type Token } from './token';

/** Who writes a temperature in the other unit rounds it, ovens to five degrees: the share that this is off. */
const CONVERTED = 0.012;
/** Most words from a word such as "rise" to its figure. */
const MAX_WORDS_TO_FIGURE = 4;
const COMPARING = new Set('warmer cooler hotter colder higher lower apart difference range'.split(' '));

/** A temperature in Fahrenheit as one in Celsius, so that the two are comparable. A change, as in "warmed by 3 °F", keeps its unit. */
export function inCelsius(amount: Amount, tokens: readonly Token[]): Amount {
  if (amount.unit !== 'fahrenheit' || isChange(amount, tokens)) return amount;
  const [low, high] = [celsius(amount.low), celsius(amount.high)];
  const rounding = Math.max((amount.rounding * 5) / 9, CONVERTED * Math.abs(Number.isFinite(high) ? high : low));
  return { ...amount, low, high, rounding, tolerance: Math.max(rounding, (amount.tolerance * 5) / 9), unit: 'celsius' };
}

const celsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9;

function isChange({ relation, from, to }: Amount, tokens: readonly Token[]): boolean {
  if (relation === 'to' || relation === 'from') return false;
  const before = tokens.slice(Math.max(0, from - MAX_WORDS_TO_FIGURE), from);
  return relation === 'by' || COMPARING.has(textAt(tokens, to)) || before.some(({ word }) => tellsChange(word.text, word.stem));
}

const tellsChange = (text: string, stem: string): boolean =>
  MOVING.has(stem) || COMPARING.has(text) || /^(?:warm|cool|heat)(?:ing|ed)$/.test(text);
