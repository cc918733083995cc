import { ARTICLES_AND_POSSESSIVES } from '@lib/language/reading/function-words';
import { textAt, type Token } from '@lib/language/reading/token';
import { verbCertainty } from '@lib/language/known-words';
import { copulaBehindIt, isCleft } from '../sentences/cleft';
import { isObject } from '../sentences/verb-without-ending';

/** "It" is empty in "it is known that", but refers to something in "it is a company that". */
const BEFORE_THAT = new Set(['that', 'whether']);
const DETERMINERS = ARTICLES_AND_POSSESSIVES.union(new Set(['one']));
const CLAIMED = new Set('fact myth misconception pity shame surprise coincidence'.split(' '));
/** Adjectives of judgement after an empty "it": "it is important to", "it is common for". In "it is able to" it refers to something. */
const JUDGING = new Set(
  'important possible impossible necessary difficult hard best better advisable recommended common essential crucial vital unclear rare'.split(
    ' ',
  ),
);

/** The same before "to", whatever follows: in "it is legal in Spain" it refers to something. */
const JUDGING_DEEDS = new Set(
  'illegal unlawful legal lawful usual unusual normal wise unwise worthwhile customary reasonable sensible prudent premature fair'.split(
    ' ',
  ),
);
/** Before "to" and a verb with its object these are said of a thing: "It is ready to use the network". */
const OF_THINGS = new Set(
  'able unable likely unlikely ready about set due going free eager willing prone subject sure certain bound slow quick keen close'.split(
    ' ',
  ),
);
const SKIPPED = new Set('not therefore thus also often always still now then quite very more less most least rarely hardly'.split(' '));

/** "It is therefore sensible to charge phones elsewhere", "it is rarely worth hiring a guide": what is judged is the deed. */
function judgesDeed(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (SKIPPED.has(textAt(tokens, at)) || tokens[at]?.word.verb.isAdverb) at += 1;
  const [adjective, next, verb] = [tokens[at]?.word, tokens[at + 1]?.word, tokens[at + 2]];
  const object = tokens[at + 3];
  if (!adjective || !next) return false;
  if (adjective.text === 'worth') return next.verb.endsInIng && verb !== undefined && (isObject(verb) || ASKING.has(verb.word.text));
  if (next.text !== 'to') return false;
  if (JUDGING_DEEDS.has(adjective.text)) return true;
  if (adjective.isStopWord || adjective.verb.isPastForm || OF_THINGS.has(adjective.text) || !verb || !object) return false;
  return verbCertainty(verb.word.text) !== undefined && (isObject(object) || !object.word.isStopWord);
}

const JUDGED = new Set(['idea', 'mistake']);

const MADE_SO = new Set('make makes made making'.split(' '));
const EASE = JUDGING.union(new Set('easy easier harder simple simpler safe safer cheap cheaper likely'.split(' ')));

/** Whether "it" only stands for what follows: "Corvid makes it easy to sail". */
export const isEmptyObject = (tokens: readonly Token[], at: number): boolean =>
  MADE_SO.has(textAt(tokens, at - 1)) &&
  [1, 2].some((place) => EASE.has(textAt(tokens, at + place)) && /^(?:to|for|that)$/.test(textAt(tokens, at + place + 1)));

const TAKING = new Set('take takes took'.split(' '));
const SPANS = new Set(
  'time long longer years decades centuries months weeks days hours minutes seconds year decade century month week day hour'.split(' '),
);
const MAX_SPAN_WORDS = 6;

const WEATHER = new Set('rained rains snowed snows hailed hails thundered drizzled'.split(' '));
const UNCERTAIN = new Set('known unknown unclear uncertain disputed debated clear obvious unsure undecided'.split(' '));
const ASKING = new Set('who what when where why how which whether if'.split(' '));
/** Whether a question holds what the empty "it" stands for. */
function isAskedAfter(tokens: readonly Token[], from: number): boolean {
  const uncertain = tokens.slice(from, from + 3).findIndex(({ word }) => UNCERTAIN.has(word.text));
  return uncertain >= 0 && ASKING.has(textAt(tokens, from + uncertain + 1));
}

/** Whether the word is an empty "it". */
export function isExpletive(tokens: readonly Token[], at: number): boolean {
  const text = (place: number): string => textAt(tokens, place);
  if (text(at) !== 'it') return false;
  if (isCleft(tokens, at)) return true;
  // As in "It took ten years until chips were cheap".
  if (TAKING.has(text(at + 1))) return tokens.slice(at + 2, at + 2 + MAX_SPAN_WORDS).some(({ word }) => SPANS.has(word.text));
  if (WEATHER.has(text(at + 1))) return true;
  const copula = copulaBehindIt(tokens, at);
  if (copula < 0) return false;
  // As in "It was 9–9 with three minutes to go".
  if (/^\d{1,3}$/.test(text(copula + 1)) && /^\d{1,3}$/.test(text(copula + 2))) return true;
  const next = [1, 2, 3].map((place) => text(copula + place));
  // As in "It is not known who built it".
  if (isAskedAfter(tokens, copula + 1)) return true;
  if (next.some((word) => JUDGING.has(word))) return next.some((word) => word === 'to' || word === 'for' || BEFORE_THAT.has(word));
  if (judgesDeed(tokens, copula + 1)) return true;
  // As in "It is a good idea to soak them".
  if (next[0] === 'a' && next.some((word, place) => JUDGED.has(word) && text(copula + place + 2) === 'to')) return true;
  const that = next.findIndex((word) => BEFORE_THAT.has(word));
  return that >= 0 && (!next.slice(0, that).some((word) => DETERMINERS.has(word)) || CLAIMED.has(next[that - 1] ?? ''));
}
