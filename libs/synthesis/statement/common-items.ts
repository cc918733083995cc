import type { Enumeration } from '@lib/language/reading/enumerations';
import type { ListItem } from '@lib/language/reading/list-items';
import { wordsAlone } from '@lib/language/reading/parts';
import { COLON, COMMA, OPENING } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { NARROWING } from '../alignment/edit-kinds';
import { closedAt, openedAt } from './marks';

/** A list of one statement, and the items of it that another one lists too: one or more. */
export interface CommonItems {
  first: ListItem;
  last: ListItem;
  common: readonly ListItem[];
}

/** The lists of `mine` that share something with a list of `yours`, with what they share. */
export function commonItemsOf(mine: Reading, listed: readonly Enumeration[], yours: Reading): CommonItems[] {
  const lists = listed.filter(({ isClosed }) => !isClosed);
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

/** "Two are in use: A and B" does not become "Two are in use: A". */
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

/** "The British, Commonwealth and international champion": only the last item has the noun. */
const haveOneNoun = ({ tokens }: Reading, items: readonly ListItem[]): boolean =>
  tokens[(items.at(-1)?.to ?? 0) - 1]?.isCapitalised === false &&
  items.slice(0, -1).every(({ to }) => tokens[to - 1]?.isCapitalised === true);

/** "The rock supergroup Hail!" has the words before its name for itself. */
const isNamed = ({ tokens }: Reading, item: ListItem | undefined): boolean =>
  item !== undefined && LEADING.has(tokens[item.from]?.word.text ?? '') && tokens[item.to - 1]?.isCapitalised === true;

/** Of "the rock supergroup Hail! (2008)" the name, of "producer best known for her roles" the producer. */
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

/** "best known for", "founded in". */
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

/** What the one says the other says too, and both speak of the same: "director" and "theatre director". */
function namesSame(mine: Reading, yours: Reading): boolean {
  const [last, other] = [mine, yours].map(({ tokens }) => tokens.findLast(({ word }) => !word.hasDigit) ?? tokens.at(-1));
  if (mine.stems.size === 0) return mine.wording !== '' && mine.wording === yours.wording;
  if (!mine.stems.isSubsetOf(yours.stems)) return false;
  // "Kick 2" is another film than "Kick".
  if (yours.tokens.some(({ word }) => word.hasDigit && !mine.stems.has(word.stem))) return false;
  if (mine.tokens[0]?.isCapitalised && last?.isCapitalised)
    return yours.tokens.every(({ word, isCapitalised }) => !isCapitalised || word.isStopWord || mine.stems.has(word.stem));
  return mine.tokens.some(({ isCapitalised }) => isCapitalised) || last?.word.stem === other?.word.stem;
}

/** The text up to the list and the items as a list of their own. */
export function withItems(text: string, { first, common }: CommonItems): string {
  const items = common.map(({ start, end }) => text.slice(start, end));
  const listed = items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
  return text.slice(0, first.start) + listed;
}
