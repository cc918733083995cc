import { conditionIn, type Condition } from '@lib/language/reading/condition';
import { isTelling, textAt, type Token } from '@lib/language/reading/token';

const CONDITIONS = new Set('if unless when whenever'.split(' '));

/** The condition under which a sentence says something; null if there is none. */
export const conditionOf = (tokens: readonly Token[]): Condition | null => conditionIn(tokens, ({ word }) => CONDITIONS.has(word.text));

/**
 * Whether a sentence says only under which condition something holds, and the rest in small words: "If you have no emergency fund, do neither yet". A
 * sentence with the same content words may say anything about it, so only an equal one says as much.
 */
export function isSaidInCondition(tokens: readonly Token[]): boolean {
  const condition = conditionOf(tokens);
  if (condition === null) return false;
  const { from, to } = condition;
  return !tokens.some((token, at) => (at < from || at >= to) && isTelling(token) && !SMALL.has(textAt(tokens, at)));
}
/** Adverbs that the list of stop words does not have. */
const SMALL = new Set('yet still either neither also always never'.split(' '));
