import { SPACE } from './characters';
import type { Token } from './token';

const NONE: ReadonlySet<string> = new Set();

/** Every number, year and identifier among the words. Numbers include their scale: "2 million" is 2000000. */
export function numbersOf(tokens: readonly Token[]): ReadonlySet<string> {
  let numbers: Set<string> | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at]?.word;
    if (!word?.isAmount || (!word.hasDigit && !word.numeral)) continue;
    numbers ??= new Set();
    if (word.isIdentifier) numbers.add(word.text);
    if (!word.numeral) continue;
    const next = tokens[at]?.after === SPACE ? tokens[at + 1]?.word : undefined;
    const scale = next && next.text.length > 1 ? next.scale : 1;
    numbers.add(String(word.numeral.value * scale));
  }
  return numbers ?? NONE;
}
