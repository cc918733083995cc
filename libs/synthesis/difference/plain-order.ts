import { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { doerOf } from './content-words';

const INTRODUCING = new Set('in on at by during since after before until from with under despite following'.split(' '));
/** Most words of an introduction before the subject. */
const MAX_INTRODUCTION_WORDS = 10;

/**
 * The statement with its introduction at the end and its agent first: "In 1990, the dam was built by Kelm" becomes "Kelm built the dam in 1990".
 * Returns the same object if nothing changes.
 */
export function inPlainOrder(reading: Reading): Reading {
  const tokens = withDoerFirst(withIntroductionLast(reading));
  return tokens === reading.tokens ? reading : new Reading(reading.text, tokens);
}

function withIntroductionLast({ tokens, dates }: Reading): readonly Token[] {
  if (!INTRODUCING.has(textAt(tokens, 0))) return tokens;
  const comma = tokens.findIndex((token, at) => at > 1 && hasCommaBefore(token) && !dates.some(({ from, to }) => at > from && at < to));
  const end = comma > 0 && comma <= MAX_INTRODUCTION_WORDS ? comma : dates[0]?.from === 1 ? dates[0].to : 0;
  return end === 0 || end >= tokens.length ? tokens : [...tokens.slice(end), ...tokens.slice(0, end)];
}

function withDoerFirst(tokens: readonly Token[]): readonly Token[] {
  const doer = doerOf(tokens);
  if (!doer) return tokens;
  const { copula, by, end } = doer;
  return [...tokens.slice(by + 1, end), ...tokens.slice(copula + 1, by), ...tokens.slice(0, copula), ...tokens.slice(end)];
}
