import { COMMA } from '@lib/language/reading/characters';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { doerOf } from './content-words';

const INTRODUCING = new Set('in on at by during since after before until from with under despite following'.split(' '));
/** Words of what stands before the subject. */
const MAX_INTRODUCTION_WORDS = 10;

/**
 * The same statement with what introduces it at its end, and with who did it before what was done: "In 1990, the dam was built by Kelm" as
 * "Kelm built the dam in 1990". The statement itself where it is in that order already.
 */
export function inPlainOrder(reading: Reading): Reading {
  const tokens = withDoerFirst(withIntroductionLast(reading));
  return tokens === reading.tokens ? reading : new Reading(reading.text, tokens);
}

function withIntroductionLast({ tokens, dates }: Reading): readonly Token[] {
  if (!INTRODUCING.has(tokens[0]?.word.text ?? '')) return tokens;
  const comma = tokens.findIndex(
    ({ before }, at) => at > 1 && (before & COMMA) !== 0 && !dates.some(({ from, to }) => at > from && at < to),
  );
  const end = comma > 0 && comma <= MAX_INTRODUCTION_WORDS ? comma : dates[0]?.from === 1 ? dates[0].to : 0;
  return end === 0 || end >= tokens.length ? tokens : [...tokens.slice(end), ...tokens.slice(0, end)];
}

function withDoerFirst(tokens: readonly Token[]): readonly Token[] {
  const doer = doerOf(tokens);
  if (!doer) return tokens;
  const { copula, by, end } = doer;
  return [...tokens.slice(by + 1, end), ...tokens.slice(copula + 1, by), ...tokens.slice(0, copula), ...tokens.slice(end)];
}
