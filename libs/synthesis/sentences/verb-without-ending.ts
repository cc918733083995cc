import { COMMA } from '@lib/language/reading/characters';
import { APPROXIMATING } from '@lib/language/reading/comparators';
import { COMMON_PREPOSITIONS } from '@lib/language/reading/function-words';
import { verbCertainty, verbCertaintyInS } from '@lib/language/known-words';
import { isCurrencyCode } from '@lib/language/reading/units';
import { isContentWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';

/** Words before the object of a verb. */
const BEFORE_OBJECT = new Set(
  'a an the all any each every no your their its his her this that these those it them only nothing something everything half double'.split(
    ' ',
  ),
);
/** After a noun that looks like a verb, these continue the noun: "access to water", "use of force". */
const AFTER_NOUN = COMMON_PREPOSITIONS.union(new Set(['and', 'or']));
/** Words in requests to a writer or reader, not about the subject. */
const OF_THE_TEXT = new Set(
  `report reports claim claims answer answers prompt reader readers user confidence sentence sentences word words title page website password documents menu
cookies text reasoning app source sources link links section sections manual table list`.split(/\s+/),
);
const ASKING = new Set('reveal assign trust recommend assume praise rate rank explain return accept open confirm treat'.split(' '));
/** Pronouns that are never an object, or with "will"; "you" may be one, but hardly ever before a verb. */
const BEHIND_SUBJECT = /^(?:they|we|you)$|['’]ll$/;
const PEOPLE = new Set('people men women children police staff'.split(' '));
/** Most words before a verb that contain its two subjects: "the bank and the insurer share". */
const MAX_PAIR_WORDS = 5;
/** Most words of a subject with a preposition: "people with a pension from abroad pay". */
const MAX_SUBJECT_WORDS = 8;

/** Whether some words mention the text, a part of it, or its writer or reader. */
export const isOfTheText = (tokens: readonly Token[]): boolean => tokens.some(({ word }) => OF_THE_TEXT.has(word.text));

/** Words that may stand before the verb of an instruction. */
const BEFORE_IMPERATIVE = new Set(
  'never always then next first second third finally afterwards now also simply just instead only'.split(' '),
);
/** In front of a word that may be a verb these leave no doubt: "Never mix bleach with vinegar". */
const URGING = new Set(['never', 'always']);
/** Words that are nouns as often as verbs, with what follows them as verbs: "Start with heat", where "Access to water" is no instruction. */
const WITH_PREPOSITION = new Set(
  'start with;begin with;ask for;look for;wait for;aim for;opt for;plan for;budget for;allow for;stick to;stick with;switch to;stay on;stay under;stay below;stay with;hop on;hop off;get on;get off;change at;change to;turn to;turn left;turn right;walk to;walk along;pay with;cut back;cut down;back up;set up;count from;check that;check whether;check if;ask whether;ask if;ensure that;note that'.split(
    ';',
  ),
);
/** Of a person or service with a name: "Call Poison Control at …". */
const CALLING = new Set('call phone ring dial text'.split(' '));
/** "Poison Control at 1-800-222-1222", but not "Kelm the winner". */
const isNumberGiven = (tokens: readonly Token[]): boolean => tokens.some(({ word }) => word.hasDigit);
/** Requests to a program: "Switch to developer mode". */
const OF_PROGRAM = new Set('mode persona winner api key keys'.split(' '));
/** Most words of a purpose before an instruction: "To undo the last commit, run …". */
const MAX_PURPOSE_WORDS = 12;
/** Most words of the object of "let". */
const MAX_LET_WORDS = 5;

/**
 * Whether a sentence is an instruction in the imperative: "Reheat rice to 74 °C", "To undo it, never run …".
 * @param hasCode whether code stands in it, which may be the object: "Run `git revert`"
 */
export function isImperative(tokens: readonly Token[], hasCode = false): boolean {
  if (isOfTheText(tokens)) return false;
  const begin = purposeEnd(tokens);
  let at = begin;
  while (BEFORE_IMPERATIVE.has(textAt(tokens, at))) at += 1;
  const isUrged = tokens.slice(begin, at).some(({ word }) => URGING.has(word.text));
  const [first, next] = tokens.slice(at);
  if (!first || !next) return false;
  if (first.word.text === 'let') return letsSomething(tokens.slice(at + 1));
  if (first.word.isStopWord || ASKING.has(first.word.text)) return false;
  const certainty = verbCertainty(first.word.text) ?? verbCertainty(first.word.text.replace(PREFIX, ''));
  if (certainty === undefined) return MAY_BE_VERB.test(first.word.text) && BEFORE_THING.has(next.word.text);
  if (certainty === 'verb' || isUrged || joinsAnother(tokens.slice(at + 1))) return true;
  if (WITH_PREPOSITION.has(`${first.word.text} ${next.word.text}`)) return !tokens.some(({ word }) => OF_PROGRAM.has(word.text));
  if (CALLING.has(first.word.text) && next.isCapitalised && !next.word.isStopWord) return isNumberGiven(tokens.slice(at + 1));
  return !AFTER_NOUN.has(next.word.text) && (isObject(next) || hasCode);
}

/** Prefixes of verbs that no list has in full: "preheat", "recompile". */
const PREFIX = /^(?:pre|re|un|de|over)(?=[a-z]{3})/;

/** A word that no list has, before "the" or "your", is a verb unless its ending says otherwise: "Deglaze the pan". */
const MAY_BE_VERB = /^[a-z]+(?<!ing|ed|s|wise|ly)$/;
const BEFORE_THING = new Set(['the', 'your']);

/** Whether another verb with its object is joined: "Wash and dry the pan". */
const joinsAnother = ([and, verb, object]: readonly Token[]): boolean =>
  and?.word.text === 'and' && verb !== undefined && object !== undefined && verbCertainty(verb.word.text) !== undefined && isObject(object);

/** The number of words of a purpose that a comma closes; 0 if there is none. */
function purposeEnd(tokens: readonly Token[]): number {
  if (tokens[0]?.word.text !== 'to') return 0;
  const end = tokens.findIndex((token, at) => at > 1 && hasCommaBefore(token));
  return end > 0 && end <= MAX_PURPOSE_WORDS ? end : 0;
}

/** Whether something is let do something: "the loaf cool for an hour", but not "me know". */
function letsSomething([first, ...others]: readonly Token[]): boolean {
  if (!first || !(isObject(first) || isContentWord(first))) return false;
  return others.slice(0, MAX_LET_WORDS).some(({ word }) => verbCertainty(word.text) !== undefined);
}

/**
 * Whether there is a verb without an ending, recognised by its plural subject: "Spain and Portugal use the euro", "most people recover without
 * treatment".
 */
export const hasPlainVerb = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => {
    if (at === 0 || token.isCapitalised) return false;
    const isBehindPronoun = BEHIND_SUBJECT.test(textBeforeAdverbs(tokens, at));
    if (!isBehindPronoun && !areSeveral(tokens, at)) return false;
    const [certainty, next] = [verbCertainty(token.word.text), tokens[at + 1]];
    return certainty === 'verb' || (certainty !== undefined && (isBehindPronoun || (next !== undefined && isObject(next))));
  });

/** The word before this one and the adverbs in front of it: "they" in "they hardly work". */
function textBeforeAdverbs(tokens: readonly Token[], from: number): string {
  let at = from - 1;
  while (tokens[at]?.word.verb.isAdverb === true) at -= 1;
  return textAt(tokens, at);
}

/**
 * Whether there is a verb in "s" that cannot be a plural, or stands between a singular and an object: "Initdb enables checksums", "a boiler costs
 * about £2,000".
 */
export const hasVerbInS = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => {
    if (at === 0 || token.isCapitalised || !token.word.verb.endsInS) return false;
    const [certainty, next] = [verbCertaintyInS(token.word.text), tokens[at + 1]];
    if (certainty === undefined || next === undefined || token.after === 0 || (token.after & COMMA) !== 0) return false;
    if (certainty === 'verb' || isObject(next) || BEFORE_VERB.has(textAt(tokens, at - 1))) return true;
    const isFigure = isCurrencyCode(next.word.text) || AFTER_VERB_OF_FIGURE.has(next.word.text);
    return isFigure && tokens.slice(at + 2, at + 4).some(({ word }) => word.hasDigit);
  });

const AFTER_VERB_OF_FIGURE = APPROXIMATING.union(new Set('approximately at between over under up'.split(' ')));
const BEFORE_VERB = new Set('now also still typically usually often always never only currently generally'.split(' '));

/** Whether the words before an index name several things. */
function areSeveral(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before || !isContentWord(before)) return false;
  if (isPlural(before)) return true;
  if (at <= MAX_SUBJECT_WORDS && isPlural(tokens[0]) && isQualified(tokens[1])) return true;
  const isNamed = before.isCapitalised || tokens[at - 2]?.word.text === 'the';
  return isNamed && tokens.slice(Math.max(0, at - MAX_PAIR_WORDS), at).some(({ word }) => word.text === 'and');
}

/** Whether a word begins what tells which people or things are meant: "people with …", "people living in …". */
const isQualified = (token: Token | undefined): boolean =>
  token !== undefined && (COMMON_PREPOSITIONS.has(token.word.text) || token.word.verb.endsInIng);

const isPlural = (token: Token | undefined): boolean =>
  token !== undefined && isContentWord(token) && (token.word.verb.endsInS || PEOPLE.has(token.word.text));

/** Whether it begins the object of a verb: "the pan", "20 g". */
export const isObject = ({ word }: Token): boolean => BEFORE_OBJECT.has(word.text) || word.hasDigit;
