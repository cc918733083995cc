import { COMMA, SEMICOLON, STOP } from '@lib/language/reading/characters';
import { isNegationAt } from '@lib/language/reading/polarity';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { areOfOtherYears, clausesOf } from './clauses';
import { denies, denyAlike } from '../difference/denials';
import { countSharedContentWords, isAmong, placesOf } from '../alignment/same-word';

const NONE = new Set('no none nobody neither'.split(' '));
/** After "no" these deny nothing, or only compare. */
const IDLE_AFTER_NO = new Set('longer more less fewer later sooner earlier doubt matter one better worse'.split(' '));
/** These name nothing after "no", as in "no part of it" and "no use"; "no difference" says that two things are alike. */
const EMPTY = new Set(
  'part role use way time case point thing sign reason need evidence difference differences cause causes factor factors'.split(' '),
);
/** Most words between a figure and what it counts. */
const MAX_WORDS_TO_COUNTED = 2;
/** Words for a condition, a possibility, an expectation, a small amount or a comparison: what stands with them is not stated as fact. */
const OPEN = new Set(
  `if unless until whether when where should may might could would little few limited absence free than unlike over versus against instead from
expect expected predicted forecast feared hoped`.split(/\s+/),
);

/**
 * Whether one of two claims rules out what the other states. The thing ruled out must occur in the other, with a number or with further shared words.
 * - "No trees have been cut down" and "420 mature trees were felled".
 * - "Strengthened rather than replaced" and "torn down and replaced".
 * - "Buried without being identified" and "all were identified".
 */
export const ruleOut = (one: Reading, other: Reading, asked: Reading): boolean =>
  rulesOut(one, other, asked) || rulesOut(other, one, asked) || leavesOut(one, other, asked) || leavesOut(other, one, asked);

function rulesOut(ruling: Reading, told: Reading, asked: Reading): boolean {
  const things = thingsRuledOut(ruling, told);
  if (things.length === 0) return false;
  const without = told.contrasted;
  const affirmed = clausesOf(told.tokens.filter((_, at) => !without?.has(at)))
    .filter((clause) => !clause.some((token, at) => isNegationAt(clause, at) || denies(token) || OPEN.has(token.word.text)))
    .flat();
  const isStatedToo = (token: Token): boolean => isContentWord(token) && !asked.stems.has(token.word.stem) && isAmong(token, affirmed);
  return things.some((thing) => {
    if (EMPTY.has(thing.word.text) || !isAmong(thing, affirmed)) return false;
    return isCountedIn(told, thing) || ruling.tokens.some((token) => token.word.stem !== thing.word.stem && isStatedToo(token));
  });
}

/** Whether a thing has a number: "420 mature trees". */
const isCountedIn = ({ amounts, tokens }: Reading, thing: Token): boolean =>
  placesOf(thing, tokens).some((place) =>
    amounts.some(({ from, to, high }) => high > 0 && from < place && place - to <= MAX_WORDS_TO_COUNTED),
  );

/** Each thing is represented by its last word. */
function thingsRuledOut(ruling: Reading, told: Reading): Token[] {
  const denied = denyAlike(ruling, told)
    ? []
    : clausesOf(ruling.tokens)
        .filter((clause) => !areOfOtherYears(clause, told.tokens))
        .flatMap((clause) => [...thingsDeniedIn(clause), deedLeftOutIn(clause)]);
  return [...denied, thingContrastedIn(ruling, told.tokens)].filter((thing) => thing !== undefined);
}

/** The alternative that is ruled out: "replaced" in "strengthened rather than replaced", unless the other claim has both. */
function thingContrastedIn({ tokens, contrasted }: Reading, told: readonly Token[]): Token | undefined {
  if (contrasted === null) return undefined;
  const begin = tokens.findIndex((_, at) => contrasted.has(at));
  const end = tokens.findIndex((_, at) => at > begin && !contrasted.has(at));
  // The thing ruled out follows the comma: "Not a reason for a healthy, rested person to …".
  if (end > 0 && tokens[end] && hasCommaBefore(tokens[end]) && !tokens[end].word.isStopWord) return undefined;
  const held = tokens.slice(0, Math.max(begin, 0)).findLast(isContentWord);
  return held && !isAmong(held, told) ? tokens.findLast((token, at) => contrasted.has(at) && isContentWord(token)) : undefined;
}

/**
 * The noun after "no", up to a verb or preposition: "credit insurer" in "no credit insurer is writing new cover". It is represented by its last word
 * or, with three words, also by the second: a claim that warns of a going concern need not contain "warning".
 */
function thingsDeniedIn(clause: readonly Token[]): Token[] {
  const at = clause.findIndex(({ word }) => NONE.has(word.text));
  const begin = clause[at]?.word.text === 'none' ? at + 2 : at + 1;
  const start = clause[begin]?.word.isStopWord && begin > at + 1 ? begin + 1 : begin;
  if (at < 0 || IDLE_AFTER_NO.has(textAt(clause, start)) || clause.slice(0, at).some(({ word }) => OPEN.has(word.text))) return [];
  const end = clause.findIndex(
    (token, place) => place >= start && (token.word.isStopWord || (place > start && isFiniteVerbAt(clause, place))),
  );
  const words = clause.slice(start, end < 0 ? clause.length : end).filter(isContentWord);
  return words.slice(words.length > 2 ? -2 : -1);
}

/** Whether one says "without" and the other "with", and they share more: "Banned without exceptions" and "barred with narrow exceptions". */
function leavesOut(ruling: Reading, told: Reading, asked: Reading): boolean {
  const [thing, their] = [thingBehind('without', ruling.tokens), thingBehind('with', told.tokens)];
  return (
    thing !== undefined &&
    EXCEPTED.has(thing.word.text) &&
    isAmong(thing, their ? [their] : []) &&
    countSharedContentWords(ruling, told, asked) >= MIN_SHARED
  );
}
const MIN_SHARED = 4;
/** Things that a rule has or lacks. Treatments are left out: some patients are treated with, others without something. */
const EXCEPTED = new Set('exception exceptions exemption exemptions condition conditions restriction restrictions delay delays'.split(' '));

/** The last content word of the phrase after a preposition. */
function thingBehind(preposition: string, tokens: readonly Token[]): Token | undefined {
  const begin = tokens.findIndex(({ word }) => word.text === preposition) + 1;
  if (begin === 0) return undefined;
  const start = ARTICLES.has(textAt(tokens, begin)) ? begin + 1 : begin;
  const end = tokens.findIndex(({ word, before }, at) => at > start && (word.isStopWord || (before & MARKS) !== 0));
  return tokens.slice(start, end < 0 ? tokens.length : end).findLast(isContentWord);
}
const ARTICLES = new Set('a an any the'.split(' '));
const MARKS = COMMA | SEMICOLON | STOP;

/** The deed that was not done: "without being identified". */
function deedLeftOutIn(clause: readonly Token[]): Token | undefined {
  const at = clause.findIndex(({ word }, place) => word.text === 'without' && clause[place + 1]?.word.text === 'being');
  return at < 0 ? undefined : clause.slice(at + 2).find(isContentWord);
}
