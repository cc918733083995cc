import type { Token } from '@lib/language/reading/token';
import { verbCertainty } from '@lib/language/known-words';

/** Behind a noun that looks like a verb these go on from the noun: "access to water", "use of force". */
const AFTER_NOUN = new Set('of to on in for by from and or at with as'.split(' '));
/** What stands before the object of a verb. */
const BEFORE_OBJECT = new Set('a an the all any each every no your my their its his her our this that these those it them only'.split(' '));
/** Before a noun, whatever else its form may be. */
const BEFORE_NOUN = new Set('a an the of its his her their our your my no each every'.split(' '));
/** "Reheat rice to 74 °C": what somebody should do, told in the imperative. */
export function isImperative([first, next]: readonly Token[]): boolean {
  if (!first || !next || first.word.isStopWord) return false;
  return isVerb(first, next);
}

/** "Spain and Portugal use the euro", "most people recover without treatment": a verb whose form tells nothing of that, behind its subject. */
export const hasPlainVerb = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (!before || at < 2 || token.isCapitalised || BEFORE_NOUN.has(before.word.text) || before.word.isAmount) return false;
    if (before.word.isStopWord && before.word.text !== 'both') return false;
    return next ? isVerbBehind(token, next) : verbCertainty(token.word.text) === 'verb';
  });

const isVerbBehind = (token: Token, next: Token): boolean =>
  verbCertainty(token.word.text) === 'verb' || (verbCertainty(token.word.text) !== undefined && isObject(next));

function isVerb(token: Token, next: Token): boolean {
  const certainty = verbCertainty(token.word.text);
  if (certainty === undefined || AFTER_NOUN.has(next.word.text)) return false;
  return certainty === 'verb' || isObject(next);
}

const isObject = ({ word }: Token): boolean => BEFORE_OBJECT.has(word.text) || word.hasDigit;
