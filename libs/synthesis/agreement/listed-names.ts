import { SPACE } from '@lib/language/reading/characters';
import type { ListItem } from '@lib/language/reading/list-items';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { haveCommon } from '@lib/language/sets';
import { meanTheSame } from '../alignment/same-word';
import { NONE, type Statement } from '../statement/statement';

/**
 * Whether the outer statement names each thing that the inner one lists by name: "Secret and The Closer" are not among "Secret Love and The Closer".
 */
export function namesItemsOf(inner: Reading, { tokens: outer }: Reading): boolean {
  const { enumerations, tokens } = inner;
  if (!enumerations.every(({ items }) => items.every((item) => isNamedIn(tokens, item, outer)))) return false;
  const example = tokens.findLastIndex(
    ({ word }, at) => word.text === 'including' || (word.text === 'as' && tokens[at - 1]?.word.text === 'such'),
  );
  return example < 0 || isNamedIn(tokens, { from: example + 1, to: tokens.length }, outer);
}

function isNamedIn(tokens: readonly Token[], { from, to }: Pick<ListItem, 'from' | 'to'>, outer: readonly Token[]): boolean {
  const digit = tokens.findIndex(({ word }, at) => at > from && at < to && word.hasDigit);
  const end = digit < 0 ? to : digit;
  let start = end;
  while (start > from && tokens[start - 1]?.isCapitalised) start -= 1;
  if (start === end) return true;
  const name = tokens.slice(start, end);
  let isPartOnly = false;
  for (let at = 0; at + name.length <= outer.length; at += 1) {
    if (!name.every((token, place) => isSameWord(token, outer[at + place]))) continue;
    if (!goesOn(outer[at - 1], outer[at]) && !goesOn(outer[at + name.length - 1], outer[at + name.length])) return true;
    isPartOnly = true;
  }
  return !isPartOnly;
}

const isSameWord = ({ word, isCapitalised }: Token, other: Token | undefined): boolean =>
  other?.isCapitalised === isCapitalised && meanTheSame(word, other.word);

/** Two capitalised words with nothing but a space between them are parts of one name. */
const goesOn = (one: Token | undefined, next: Token | undefined): boolean =>
  one?.isCapitalised === true && next?.isCapitalised === true && next.before === SPACE;

/** Two statements that share at least this many listed names are about the same list. */
const MIN_LISTED = 2;

/** Stems that the other statement gives as a synonym, if both list the same things: "appeared in A and B", "starred in A, B and C". */
export function saidInOtherWords(
  { reading: { tokens, enumerations }, stems }: Statement,
  { stems: theirs }: Statement,
): ReadonlySet<string> {
  if (enumerations.length === 0) return NONE;
  const isListed = ({ from, to }: ListItem): boolean =>
    tokens[from]?.isCapitalised === true && tokens.slice(from, to).every(({ word }) => word.isStopWord || theirs.has(word.stem));
  if (!enumerations.some(({ items }) => items.filter(isListed).length >= MIN_LISTED)) return NONE;
  const found = new Set<string>();
  for (const { word } of tokens)
    if (word.synonyms !== null && stems.has(word.stem) && !theirs.has(word.stem) && haveCommon(word.synonyms, theirs)) found.add(word.stem);
  return found;
}
