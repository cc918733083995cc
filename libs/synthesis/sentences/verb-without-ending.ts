import { COMMA } from '@lib/language/reading/characters';
import { COMMON_PREPOSITIONS } from '@lib/language/reading/function-words';
import { verbCertainty, verbCertaintyInS } from '@lib/language/known-words';
import { isCurrencyCode } from '@lib/language/reading/units';
import { isContentWord, type Token } from '@lib/language/reading/token';

/** What stands before the object of a verb. */
const BEFORE_OBJECT = new Set('a an the all any each every no your their its his her this that these those it them only'.split(' '));
/** Behind a noun that looks like a verb these go on from the noun: "access to water", "use of force". */
const AFTER_NOUN = COMMON_PREPOSITIONS.union(new Set(['and', 'or']));
/** What is asked of who writes or reads, and not of what the text is about. */
const OF_THE_TEXT = new Set(
  `report reports claim claims answer answers prompt reader readers user confidence sentence sentences word words title page website password documents menu
cookies text reasoning app source sources link links section sections manual table list`.split(/\s+/),
);
const ASKING = new Set('reveal assign trust recommend assume praise rate rank explain return accept open confirm treat give'.split(' '));
const PEOPLE = new Set('people men women children police staff'.split(' '));
/** Words before a verb in which two that do something together stand: "the bank and the insurer share". */
const MAX_PAIR_WORDS = 5;

/** It names the text, a part of it, or who writes or reads it. */
export const isOfTheText = (tokens: readonly Token[]): boolean => tokens.some(({ word }) => OF_THE_TEXT.has(word.text));

/** "Reheat rice to 74 °C": what somebody should do, told in the imperative. */
export function isImperative(tokens: readonly Token[]): boolean {
  const [first, next] = tokens;
  if (!first || !next || first.word.isStopWord || AFTER_NOUN.has(next.word.text)) return false;
  if (ASKING.has(first.word.text) || isOfTheText(tokens)) return false;
  const certainty = verbCertainty(first.word.text);
  return certainty === 'verb' || (certainty !== undefined && isObject(next));
}

/** "Spain and Portugal use the euro", "most people recover without treatment": a verb whose form tells nothing of that, behind several who do it. */
export const hasPlainVerb = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => {
    if (at < 2 || token.isCapitalised || !areSeveral(tokens, at)) return false;
    const [certainty, next] = [verbCertainty(token.word.text), tokens[at + 1]];
    return certainty === 'verb' || (certainty !== undefined && next !== undefined && isObject(next));
  });

/** "Initdb enables checksums", "a boiler costs about £2,000": a verb in "s" that is no plural, or behind one thing and before an object. */
export const hasVerbInS = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => {
    if (at === 0 || token.isCapitalised || !token.word.verb.endsInS) return false;
    const [certainty, next] = [verbCertaintyInS(token.word.text), tokens[at + 1]];
    if (certainty === undefined || next === undefined || token.after === 0 || (token.after & COMMA) !== 0) return false;
    if (certainty === 'verb' || isObject(next) || BEFORE_VERB.has(tokens[at - 1]?.word.text ?? '')) return true;
    const isFigure = isCurrencyCode(next.word.text) || APPROXIMATE.has(next.word.text);
    return isFigure && tokens.slice(at + 2, at + 4).some(({ word }) => word.hasDigit);
  });

const APPROXIMATE = new Set('about around approximately roughly nearly almost at between over under up'.split(' '));
const BEFORE_VERB = new Set('now also still typically usually often always never only currently generally'.split(' '));

/** The words before it name several. */
function areSeveral(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before || !isContentWord(before)) return false;
  if (before.word.verb.endsInS || PEOPLE.has(before.word.text)) return true;
  const isNamed = before.isCapitalised || tokens[at - 2]?.word.text === 'the';
  return isNamed && tokens.slice(Math.max(0, at - MAX_PAIR_WORDS), at).some(({ word }) => word.text === 'and');
}

const isObject = ({ word }: Token): boolean => BEFORE_OBJECT.has(word.text) || word.hasDigit;
