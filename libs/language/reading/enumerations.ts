import { ARTICLES } from './articles';
import { COMMA, OPENING, SEMICOLON } from './characters';
import { itemOf, type ListItem } from './list-items';
import { isAnd, isTitle, joinsTitle, withoutDivided } from './listed-titles';
import { isOneOf, hasCommaBefore, type Token } from './token';
import { isFiniteVerbAt } from './verbs';
import { ARTICLES_AND_POSSESSIVES, CONTINUING } from './function-words';

/** A list such as "…, such as A, B and C", where the sentence holds for each item alone. */
export interface Enumeration {
  /** Two or more. */
  items: readonly ListItem[];
  /** The words before belong to the first item as well as to others, or only to it: "is an American actor and singer". */
  keepsFirst: boolean;
  /** The list is counted or denied as a whole, so the sentence does not hold for single items. */
  isClosed: boolean;
}

const MAX_ITEM_WORDS = 10;
/** With at least this many words before it, a list has the context that it needs. */
const MIN_BEFORE = 2;

/** Words before a list that belongs together. */
const CLOSING = new Set(
  `between both either neither only alone solely exclusively all total combination mixture blend compound merger marriage pair duo trio couple among amongst
consists consist consisting comprises comprise comprising composed equal together unlike not no without never`.split(/\s+/),
);
/** Words right before the first item. */
const INTRODUCING = new Set(
  'as including like of in for with on by to at from against include includes included was is were are also'.split(' '),
);
/** After these, capitalised words up to the end of an item belong to it: "such as Hunt for the Wilderpeople and Boy". */
const BEFORE_EXAMPLES = new Set(['as', 'including', 'like', 'include', 'includes', 'included']);
const DETERMINERS = ARTICLES_AND_POSSESSIVES.union(new Set(['several', 'many', 'some', 'various', 'other']));
/** Words that continue the sentence after the list. */
const AFTER_LIST = CONTINUING.difference(new Set(['and', 'of'])).union(
  new Set('whose whom because although though if unless than'.split(' ')),
);

/** The lists joined by "and" after the verb, among the words from `from` to `to`, exclusive. English. */
export function enumerationsIn({ text, tokens }: { text: string; tokens: readonly Token[] }, from: number, to: number): Enumeration[] {
  const found: Enumeration[] = [];
  // A quick check, because most statements have none.
  if (!tokens.some((token) => isAnd(token) || isOneOf(BEFORE_EXAMPLES, token))) return found;
  const finite = firstVerb(tokens, from + 1, to);
  // A clause without its subject may have only a participle.
  const verb = finite < 0 && from > 0 ? from : finite;
  if (verb < 0) return found;
  let earliest = verb + 1;
  for (let at = verb + 1; at < to - 1; at += 1) {
    const list = listAt(text, tokens, at, { earliest, to });
    if (!list) continue;
    found.push(list);
    earliest = list.items.at(-1)?.to ?? to;
    at = earliest - 1;
  }
  return found;
}

interface Bounds {
  earliest: number;
  to: number;
}

function listAt(text: string, tokens: readonly Token[], at: number, bounds: Bounds): Enumeration | null {
  const token = tokens[at];
  if (!token) return null;
  if (isOneOf(BEFORE_EXAMPLES, token)) return examplesAfter(text, tokens, at, bounds);
  if (!isAnd(token) || at < bounds.earliest - 1 + MIN_BEFORE || joinsTitle(tokens, at, bounds.to)) return null;
  return listAround(text, tokens, at, bounds);
}

/** A list of titles, which needs no "and": "such as Jeet (1996), Judwaa (1997), Baaghi (2016)". */
function examplesAfter(text: string, tokens: readonly Token[], at: number, { earliest, to }: Bounds): Enumeration | null {
  const items: ListItem[] = [];
  for (let from = at + 1; from < to;) {
    const next = tokens.findIndex((token, place) => place > from && place < to && (hasCommaBefore(token) || isAnd(token)));
    const end = next < 0 ? to : next;
    if (!isTitle(tokens, from, end)) break;
    items.push(itemOf(text, tokens, from, end));
    const isLast = next < 0 || (tokens[next] !== undefined && isAnd(tokens[next]));
    if (isLast) break;
    from = end;
  }
  if (items.length < MIN_EXAMPLES || tokens.slice(earliest - 1, at).some(closes)) return null;
  return { items: withoutDivided(text, tokens, items), keepsFirst: false, isClosed: false };
}

/** With fewer items it may be a place with its region and country. */
const MIN_EXAMPLES = 4;

function firstVerb(tokens: readonly Token[], from: number, to: number): number {
  for (let at = from; at < to; at += 1) if (isFiniteVerbAt(tokens, at)) return at;
  return -1;
}

function listAround(text: string, tokens: readonly Token[], and: number, bounds: Bounds): Enumeration | null {
  const begins = [and + 1];
  const ends = [lastItem(tokens, and + 1, bounds.to)];
  let [begin, end] = [and, and];
  do {
    end = begin;
    begin = itemBegin(tokens, end, bounds.earliest);
    begins.unshift(begin);
    ends.unshift(end);
  } while (begin > bounds.earliest && hasCommaBefore(tokens[begin]));
  const items = begins.map((from, place): ListItem => {
    return itemOf(text, tokens, from, ends[place] ?? from);
  });
  if (!items.every((item) => isItem(tokens, item)) || beginsInsideName(tokens, begin) || !areAlike(tokens, items)) return null;
  const first = tokens.slice(begin - 1, ends[0]);
  return {
    items: withoutDivided(text, tokens, items),
    keepsFirst: first.some((token) => isOneOf(ARTICLES, token)),
    isClosed: tokens.slice(bounds.earliest - 1, ends[0]).some(closes),
  };
}

/** The beginning of the item that ends before `end`: after a comma, or after the word that introduces the list. */
function itemBegin(tokens: readonly Token[], end: number, earliest: number): number {
  const comma = tokens.findLastIndex(({ before }, at) => at > earliest && at < end && (before & (COMMA | SEMICOLON)) !== 0);
  if (comma > 0 && isTitle(tokens, comma, end)) return comma;
  for (let begin = end - 1; begin > earliest; begin -= 1) {
    if (((tokens[begin]?.before ?? 0) & (COMMA | SEMICOLON)) !== 0) return begin;
    if (!isOneOf(INTRODUCING, tokens[begin - 1]) || isInsideName(tokens, begin - 1)) continue;
    const examples = tokens.findLastIndex((token, at) => at >= earliest - 1 && at < begin - 1 && isOneOf(BEFORE_EXAMPLES, token)) + 1;
    return examples > 0 && isTitle(tokens, examples, end) ? examples : begin;
  }
  return Math.min(earliest, end - 1);
}

/** Whether "of" is part of a name: "University of Hawaii". */
function isInsideName(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.word.text === 'of' && tokens[at - 1]?.isCapitalised === true && tokens[at + 1]?.isCapitalised === true;
}

function isItem(tokens: readonly Token[], { from, to }: ListItem): boolean {
  if (to <= from || to - from > MAX_ITEM_WORDS) return false;
  if (isTitle(tokens, from, to) && tokens[to - 1]?.isCapitalised === true) return true;
  for (let at = from; at < to; at += 1) if (isFiniteVerbAt(tokens, at)) return false;
  const first = tokens[from];
  return first === undefined || first.isCapitalised || !first.word.verb.isPastForm;
}

/**
 * Whether the items have the same form: "his degree from Rome" and "his doctorate", but not "Rome" and "his doctorate". Of three, which commas join,
 * one may have an article: "loops, classes and an interpreter".
 */
function areAlike(tokens: readonly Token[], items: readonly ListItem[]): boolean {
  const [first] = items;
  if (!first || items.length > 2 || isOneOf(DETERMINERS, tokens[first.from]) || isOneOf(DETERMINERS, tokens[first.from - 1])) return true;
  return !items.some(({ from }) => isOneOf(DETERMINERS, tokens[from]));
}

/** Whether an item would begin inside a name, such as "Get on Up", or in a phrase after another name: "met Ada in Rome and Paris". */
function beginsInsideName(tokens: readonly Token[], begin: number): boolean {
  const first = tokens[begin];
  if (first?.isCapitalised !== true && first?.word.hasDigit !== true) return false;
  return tokens[begin - 1]?.isCapitalised === false && tokens[begin - 2]?.isCapitalised === true;
}

/** Whether a word makes a list belong together: "three plants", but not "Kelm (1936)". */
const closes = ({ word, before, isCapitalised }: Token): boolean =>
  (CLOSING.has(word.text) && !isCapitalised) || word.isNegation || (word.isAmount && (before & OPENING) === 0);

/** The index after the last word of the item that begins at `from`; `from` itself if a verb follows. */
function lastItem(tokens: readonly Token[], from: number, to: number): number {
  let end = from;
  for (; end < to; end += 1) {
    if (isFiniteVerbAt(tokens, end)) return from;
    if (end === from) continue;
    if (((tokens[end]?.before ?? 0) & (COMMA | SEMICOLON)) !== 0 || isOneOf(AFTER_LIST, tokens[end])) break;
  }
  return end;
}
