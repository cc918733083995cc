import { COMMA, DASH, SPACE } from '@lib/language/reading/characters';
import { isPeriodAt } from '@lib/language/reading/periods';
import type { Reading } from '@lib/language/reading/reading';
import { isPastVerb, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { differInPeriod } from '../difference/figures-stated-otherwise';
import { meanTheSame } from '../alignment/same-word';
import { isSuperlative } from '../difference/superlatives';

/** Words that cast doubt on the noun after them: "a suspected spy". */
const DOUBTED = new Set('suspected alleged accused supposed purported putative presumed aspiring fake mock wannabe pretended'.split(' '));
/** Words for a role held in the past: "a former spy". */
const FORMER = new Set('former erstwhile onetime'.split(' '));
/** The name before such a word is only imitated: "a Queen tribute band". */
const IMITATING = new Set('tribute lookalike impersonator imitator parody'.split(' '));
/** Words that exclude everything else. */
const RESTRICTING = new Set('only just solely exclusively merely'.split(' '));
const JOINING = new Set(['and', 'but']);

/**
 * Whether the outer statement has the inner one's words without saying the same: it doubts or imitates the thing named, has other content in its
 * parentheses, names a longer title, tells of an action on somebody else, or lacks a restriction of the inner one.
 */
export function isSaidOtherwise(inner: Reading, outer: Reading): boolean {
  const mine = marksOf(inner);
  const theirs = marksOf(outer);
  const both = mine & theirs;
  return (
    ((theirs & DOUBTS) !== 0 && isDoubted(inner, outer)) ||
    ((theirs & FORMERLY) !== 0 && inner.tense !== 'past' && isFormer(inner, outer)) ||
    ((mine & RESTRICTS) !== 0 && (theirs & RESTRICTS) === 0) ||
    ((both & MAY_HAVE_TITLE) !== 0 && hasLongerTitle(inner, outer)) ||
    ((both & HAS_PARENTHESES) !== 0 && swapsParentheses(inner, outer)) ||
    ((theirs & JOINS) !== 0 && isDoneToAnother(inner, outer)) ||
    ((theirs & HAS_PART_NUMBER) !== 0 && isSequel(inner, outer)) ||
    ((theirs & RANKS) !== 0 && isRankedLower(inner, outer)) ||
    ((both & HAS_PERIOD) !== 0 && differInPeriod(inner, outer)) ||
    ((both & RANKS_SEVERAL) !== 0 && ranksMore(inner, outer)) ||
    (((mine ^ theirs) & LEAVES_OPEN) !== 0 && (isLeftOpen(inner, outer) || isLeftOpen(outer, inner)))
  );
}

/**
 * Features by which one statement may differ in meaning from another, as bits. Computed once, because most statements have none and each is compared
 * with many others.
 */
const DOUBTS = 1;
const RESTRICTS = 1 << 1;
const MAY_HAVE_TITLE = 1 << 2;
const HAS_PARENTHESES = 1 << 3;
const JOINS = 1 << 4;
const HAS_PART_NUMBER = 1 << 5;
const RANKS = 1 << 6;
const FORMERLY = 1 << 7;
const HAS_PERIOD = 1 << 8;
const RANKS_SEVERAL = 1 << 9;
const LEAVES_OPEN = 1 << 10;

const marksOf = (reading: Reading): number => (reading.waysToBeSaidOtherwise ??= readMarks(reading));

function readMarks({ text, tokens }: Reading): number {
  let marks = (OPENS_TITLE.test(text) ? MAY_HAVE_TITLE : 0) | (text.includes('(') ? HAS_PARENTHESES : 0);
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at]?.word;
    if (!word) continue;
    if (DOUBTED.has(word.text) || IMITATING.has(word.text)) marks |= DOUBTS;
    if (FORMER.has(word.text)) marks |= FORMERLY;
    if (RESTRICTING.has(word.text) && !isOfQuantity(tokens, at)) marks |= RESTRICTS;
    if (JOINING.has(word.text)) marks |= JOINS;
    if (word.hasDigit && isPartNumber(tokens, at)) marks |= HAS_PART_NUMBER;
    if (isRanked(tokens, at)) marks |= RANKS;
    if (isPeriodAt(tokens, at)) marks |= HAS_PERIOD;
    if (FOREMOST.has(word.text)) marks |= RANKS_SEVERAL;
    if (word.text === 'whether') marks |= LEAVES_OPEN;
  }
  return marks;
}

/** In "only about 2 %" the word qualifies a quantity; in "the only two" it restricts. */
const isOfQuantity = (tokens: readonly Token[], at: number): boolean =>
  isQuantity(tokens[at + 1]) && !tokens[at - 1]?.word.verb.isDeterminer;

/** Whether a token begins an amount: a number, or a word such as "about". */
export const isQuantity = (token: Token | undefined): boolean =>
  token !== undefined && (token.word.hasDigit || token.word.isAmount || ABOUT.has(token.word.text));
const ABOUT = new Set('about around approximately roughly some'.split(' '));

/**
 * Whether the inner statement leaves out items of a ranking: "Nausea and constipation were the most common side effects" omits the third of three.
 */
const ranksMore = (inner: Reading, { enumerations, tokens }: Reading): boolean =>
  PLURAL.some((copula) => inner.tokens.some(({ word }) => word.text === copula)) &&
  enumerations.some(({ items }) => {
    const said = items.filter(({ from, to }) => tokens.slice(from, to).every((token) => token.word.isStopWord || has(inner, token)));
    return said.length >= SEVERAL && said.length < items.length;
  });
const FOREMOST = new Set('most main leading top'.split(' '));
const PLURAL = ['are', 'were'];
const SEVERAL = 2;

const has = ({ tokens }: Reading, { word }: Token): boolean => tokens.some((token) => meanTheSame(token.word, word));

/** "Asked them to leave it off" is not said by "asked them whether to leave it off". */
const isLeftOpen = (inner: Reading, { tokens }: Reading): boolean =>
  tokens.some((token, at) => {
    if (token.word.text !== 'whether') return false;
    const asked = tokens.slice(at + 1).find(({ word }) => !word.isStopWord);
    return asked !== undefined && has(inner, asked);
  });

function isDoubted(inner: Reading, outer: Reading): boolean {
  return outer.tokens.some((token, at) => {
    const { text } = token.word;
    if (!(DOUBTED.has(text) || IMITATING.has(text)) || has(inner, token)) return false;
    const named = IMITATING.has(text) ? outer.tokens[at - 1] : nounAfter(outer, at);
    return named !== undefined && has(inner, named);
  });
}

/** Whether `outer` calls somebody a former holder of a role that `inner` gives without "former". */
const isFormer = (inner: Reading, { tokens }: Reading): boolean =>
  tokens.some((token, at) => {
    const named = FORMER.has(token.word.text) && !has(inner, token) ? roleAfter(tokens, at) : undefined;
    return named !== undefined && has(inner, named);
  });

/**
 * The role after "former": "sprinter" in "former sprinter Koen Visser", "captain" in "former England captain Karl Weil". None in "former President
 * Roth", where the noun may be part of the name.
 */
function roleAfter(tokens: readonly Token[], at: number): Token | undefined {
  const role = tokens.findIndex(({ isCapitalised }, place) => place > at && !isCapitalised);
  const token = tokens[role];
  if (!token || token.word.isStopWord || token.word.verb.isFinite || hasCommaBefore(token)) return undefined;
  return role === at + 1 || tokens[role + 1]?.isCapitalised ? token : undefined;
}

/** The noun after a doubting word: "spy" in "suspected Russian spy". */
function nounAfter({ tokens }: Reading, at: number): Token | undefined {
  const end = tokens.findIndex(({ word, before }, place) => place > at && (word.isStopWord || (before & COMMA) !== 0));
  return tokens.slice(at + 1, end < 0 ? tokens.length : end).at(-1);
}

/** Whether a title is longer in the outer statement: "‘Death in Kelm’" is not "‘Death in Kelm and Ulm’". */
function hasLongerTitle(inner: Reading, outer: Reading): boolean {
  const mine = titlesIn(inner.text);
  const theirs = titlesIn(outer.text);
  return mine.some((title) => !theirs.includes(title) && theirs.some((other) => ` ${other} `.includes(` ${title} `)));
}

const titlesIn = (text: string): string[] =>
  Array.from(text.matchAll(TITLE), ([, title = '']) => title.toLowerCase().replace(/^[\s,.]+|[\s,.]+$/g, ''));
const OPENS_TITLE = /[‘“"„«]/;
const TITLE = /(?<![\p{L}\p{N}])[‘“"„«]([^‘“"„«”»\n]{2,120}?)(?:$|[’”"“»](?![\p{L}\p{N}]))/gu;

/** "Rowing (gold) and judo (silver)" is not "rowing (silver) and judo (gold)". */
function swapsParentheses({ text: inner }: Reading, { text: outer }: Reading): boolean {
  const [mine, theirs] = [statedInParentheses(inner), statedInParentheses(outer)];
  const swapped = [...mine].filter(([word, told]) => theirs.has(word) && theirs.get(word) !== told);
  return swapped.some(([, told]) => [...theirs.values()].includes(told));
}

const statedInParentheses = (text: string): Map<string, string> =>
  new Map(
    Array.from(text.matchAll(/(?<![\p{L}\p{N}])([\p{L}\p{N}]+) \(([^()]{1,40})(?:\)|$)/gu), ([, word = '', told = '']) => [word, told]),
  );

const SAME_AGAIN = new Set('it him her them both'.split(' '));

/** "Convicted Ada" is not said by "acquitted Ada and convicted Bea", but it is said by "arrested Ada and convicted her". */
function isDoneToAnother(inner: Reading, { tokens: theirs }: Reading): boolean {
  const { tokens: mine, subjectEnd } = inner;
  const verb = mine[subjectEnd];
  if (!verb || !isPastVerb(verb)) return false;
  const place = theirs.findLastIndex(({ word }) => word.stem === verb.word.stem);
  if (place < 0 || theirs.slice(place + 1).some(({ word }) => SAME_AGAIN.has(word.text))) return false;
  return mine.slice(subjectEnd + 1).some(({ word, isCapitalised }) => {
    if (!isCapitalised || word.isStopWord) return false;
    const other = theirs.findLastIndex((token) => meanTheSame(token.word, word));
    if (other < 0 || other > place || !theirs.slice(other, place).some((token) => JOINING.has(token.word.text))) return false;
    return theirs.slice(1, other).some((token) => isPastVerb(token) && token.word.stem !== verb.word.stem);
  });
}

/** Whether a name has a part number in the outer statement only: "Kick" is not "Kick 2". Dates do not count: "May 2" is in May. */
function isSequel({ tokens: mine }: Reading, { tokens: theirs, dates }: Reading): boolean {
  return mine.some(({ word, isCapitalised }, at) => {
    if (!isCapitalised || word.isStopWord || mine[at + 1]?.word.hasDigit) return false;
    const places = theirs.flatMap((token, place) => (token.word.text === word.text && token.isCapitalised ? [place + 1] : []));
    return places.length > 0 && dates.length === 0 && places.every((place) => isPartNumber(theirs, place));
  });
}

/** Whether a number is that of a part, not of a score ("Kelm 3-1", "21 to 10") or a count ("Rome 20 people died"). */
function isPartNumber(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.before !== SPACE || !/^\d{1,2}$/.test(token.word.text) || (token.after & DASH) !== 0) return false;
  return !next || token.after !== SPACE || next.isCapitalised || (next.word.isStopWord ? next.word.text !== 'to' : isPastVerb(next));
}

const ORDINAL = /^(?:next|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))$/;

/** Before a superlative these weaken it: "one of the largest" may be the second. */
const AMONG = new Set(['of', 'among']);

/** "The largest" is not said by "the second-largest". */
function isRankedLower({ tokens: mine }: Reading, { tokens: theirs }: Reading): boolean {
  return theirs.some((token, at) => {
    if (!isRanked(theirs, at)) return false;
    const place = mine.findIndex(({ word }) => word.text === token.word.text);
    return place >= 0 && !isRanked(mine, place) && !AMONG.has(textAt(mine, place - 2));
  });
}

const isRanked = (tokens: readonly Token[], at: number): boolean => {
  const text = textAt(tokens, at);
  return (text === 'best' || isSuperlative(text)) && ORDINAL.test(textAt(tokens, at - 1));
};
