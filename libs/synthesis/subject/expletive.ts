import { ARTICLES_AND_POSSESSIVES } from '@lib/language/reading/function-words';
import { textAt, type Token } from '@lib/language/reading/token';
import { copulaBehindIt, isCleft } from '../sentences/cleft';

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

/** The same, but only before "to": in "it is legal in Spain" it refers to something. */
const JUDGING_DEEDS = new Set(
  'illegal unlawful legal lawful usual unusual normal wise unwise worthwhile customary reasonable sensible prudent premature fair'.split(
    ' ',
  ),
);

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
  if (JUDGING_DEEDS.has(next[0] ?? '') && next[1] === 'to') return true;
  // As in "It is a good idea to soak them".
  if (next[0] === 'a' && next.some((word, place) => JUDGED.has(word) && text(copula + place + 2) === 'to')) return true;
  const that = next.findIndex((word) => BEFORE_THAT.has(word));
  return that >= 0 && (!next.slice(0, that).some((word) => DETERMINERS.has(word)) || CLAIMED.has(next[that - 1] ?? ''));
}
