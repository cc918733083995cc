import type { Enumeration } from '@lib/language/reading/enumerations';
import type { ListItem } from '@lib/language/reading/list-items';
import { wordsAlone } from '@lib/language/reading/parts';
import { COLON, COMMA, OPENING } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import { NARROWING } from '../alignment/edit-kinds';
import { closedAt, openedAt } from './marks';

/** A list of one statement, with one or more of its items that another statement also lists. */
export interface CommonItems {
  first: ListItem;
  last: ListItem;
  common: readonly ListItem[];
}

/** The lists of `mine` that share items with a list of `yours`, with these items. */
export function commonItemsOf(mine: Reading, listed: readonly Enumeration[], yours: Reading): CommonItems[] {
  const lists = listed.filter((list) => !list.isClosed && !isOfAlternatives(mine, list));
  if (lists.length === 0) return [];
  const theirs = yours.enumerations.flatMap(({ items }) =>
    items.flatMap((item) => [...new Set([item, coreOf(yours, item)])].map(({ from, to }) => wordsAlone(yours, from, to))),
  );
  if (theirs.length === 0) return [];
  return lists.flatMap((list) => {
    const common = commonItems(mine, list, theirs);
    const [first, last] = [list.items[0], list.items.at(-1)];
    const isCounted = common.length < list.items.length && countsBefore(mine, first);
    return first && last && common.length > 0 && !isCounted ? [{ first, last, common }] : [];
  });
}

/** Whether only one of the items need hold: "a visa or a passport". */
const isOfAlternatives = ({ tokens }: Reading, { items }: Enumeration): boolean =>
  tokens[(items.at(-1)?.from ?? 0) - 1]?.word.text === 'or';

/** Whether the list is counted before it, so that no item may be left out: "Two are in use: A and B". */
const countsBefore = ({ tokens }: Reading, first: ListItem | undefined): boolean =>
  first !== undefined &&
  ((tokens[first.from]?.before ?? 0) & COLON) !== 0 &&
  tokens.slice(0, first.from).some(({ word }) => word.isAmount && !word.hasDigit);

function commonItems(reading: Reading, { items, keepsFirst }: Enumeration, theirs: readonly Reading[]): readonly ListItem[] {
  const isSaid = ({ from, to }: ListItem): boolean => {
    const own = wordsAlone(reading, from, to);
    return theirs.some((other) => namesSame(own, other));
  };
  const needsFirst = keepsFirst && !isNamed(reading, items[0]);
  const common = items.flatMap((item, place) => {
    const core = isSaid(item) ? item : coreOf(reading, item, needsFirst && place === 0);
    return isSaid(core) ? [{ place, core }] : [];
  });
  if (haveOneNoun(reading, items) && common.at(-1)?.place !== items.length - 1) return [];
  return needsFirst && common[0]?.place !== 0 ? [] : common.map(({ core }) => core);
}

/** Whether the items share the noun of the last one: "The British, Commonwealth and international champion". */
const haveOneNoun = ({ tokens }: Reading, items: readonly ListItem[]): boolean =>
  tokens[(items.at(-1)?.to ?? 0) - 1]?.isCapitalised === false &&
  items.slice(0, -1).every(({ to }) => tokens[to - 1]?.isCapitalised === true);

/** Whether the words before a name only describe that item: "The rock supergroup Hail!". */
const isNamed = ({ tokens }: Reading, item: ListItem | undefined): boolean =>
  item !== undefined && LEADING.has(textAt(tokens, item.from)) && tokens[item.to - 1]?.isCapitalised === true;

/** The core of an item: the name in "the rock supergroup Hail! (2008)", the noun in "producer best known for her roles". */
function coreOf({ text, tokens }: Reading, item: ListItem, keepsBeginning = false): ListItem {
  let { to } = item;
  for (let at = item.from + 1; at < to; at += 1) {
    const token = tokens[at];
    if (token && ((token.before & OPENING) !== 0 || endsItem(tokens, at))) to = at;
  }
  const name = tokens.findIndex(({ isCapitalised }, at) => at >= item.from && at < to && isCapitalised);
  const describes = name > item.from && tokens[to - 1]?.isCapitalised === true && tokens.slice(item.from, name).every(isDescribing);
  const from = describes && !keepsBeginning ? name : item.from;
  if (from === item.from && to === item.to) return item;
  const start = from === item.from ? item.start : openedAt(text, tokens[from]?.start ?? 0);
  const end = to === item.to ? item.end : closedAt(text, tokens[to - 1], tokens[to]);
  return { from, to, start, end };
}

/** Whether an addition begins here: "best known for", "founded in". */
function endsItem(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || token.isCapitalised) return false;
  const { text, verb } = token.word;
  return (
    ((text === 'best' || text === 'well') && next?.word.text === 'known') ||
    text === 'known' ||
    text === 'born' ||
    (verb.endsInEd && next?.word.isStopWord === true && !next.isCapitalised)
  );
}

const isDescribing = ({ word, isCapitalised, before }: Token): boolean =>
  !isCapitalised &&
  (LEADING.has(word.text) || !word.isStopWord || word.verb.isAdverb) &&
  !word.hasDigit &&
  !NARROWING.has(word.text) &&
  (before & COMMA) === 0;

const LEADING = new Set(['a', 'an', 'the', 'more', 'most']);

/** Whether the other item says the same of the same kind of thing: "director" and "theatre director". */
function namesSame(mine: Reading, yours: Reading): boolean {
  const [last, other] = [mine, yours].map(({ tokens }) => tokens.findLast(({ word }) => !word.hasDigit) ?? tokens.at(-1));
  if (mine.stems.size === 0) return mine.wording !== '' && mine.wording === yours.wording;
  if (!mine.stems.isSubsetOf(yours.stems)) return false;
  // A part number means another work: "Kick 2" is not "Kick".
  if (yours.tokens.some(({ word }) => word.hasDigit && !mine.stems.has(word.stem))) return false;
  if (mine.tokens[0]?.isCapitalised && last?.isCapitalised)
    return yours.tokens.every(({ word, isCapitalised }) => !isCapitalised || word.isStopWord || mine.stems.has(word.stem));
  return mine.tokens.some(({ isCapitalised }) => isCapitalised) || last?.word.stem === other?.word.stem;
}

/** The text up to the list, followed by only the common items. */
export function withItems(text: string, { first, common }: CommonItems): string {
  const items = common.map(({ start, end }) => text.slice(start, end));
  const listed = items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
  return text.slice(0, first.start) + listed;
}
