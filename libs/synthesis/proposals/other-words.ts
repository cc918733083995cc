import { isValue } from '../difference/restatement';
import { isWithin } from '@lib/language/sets';
import type { ContradictionCue } from '@lib/domain/vocabulary';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import type { NameRun } from '@lib/language/reading/names';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { exchangesObjects } from '../roles/objects-of-verbs';
import { exchangesSidesOfVerb } from '../roles/sides-of-verb';
import { turnOfNames } from '../roles/turn-of-names';
import { contentWordsOf } from '../difference/content-words';
import { isSame } from '../alignment/same-word';
import { denyAlike } from '../difference/denials';
import { areOfOneCase, holdEquallyFar, mayReserve } from '../difference/scope';
import { standAgainstEachOther } from '../difference/opposed-words';
import { differInAmounts, differInTime, valuesOnlyIn } from '../difference/values';

/** Least number of content words in both, if one is a name or number, or in general. */
const MIN_SHARED = 2;
const MIN_SHARED_WORDS = 3;

/**
 * Whether the program finds nothing against the second statement saying the first in other words: it has all amounts, dates and names of the first,
 * the same scope and polarity, and no exchanged roles. Whether the words mean the same is left to the model that proposed it.
 * @param asked stems of the question, whose names need not be repeated
 */
export function mayBeSaidBy(first: Reading, second: Reading, asked: ReadonlySet<string>): boolean {
  if (!speakOfTheSame(first, second)) return false;
  const { amounts, dates, names } = valuesOnlyIn(first, second);
  const isAsked = ({ tokens }: NameRun): boolean => tokens.every(({ word }) => asked.has(word.stem));
  if (amounts.length + dates.length > 0 || !names.every(isAsked) || !isWithin(identifiersIn(first), second.numbers)) return false;
  const { kept, added } = withoutAdded(second, first);
  if (mayReserve(added) || !holdEquallyFar(first.tokens, kept.tokens) || !denyAlike(first, kept)) return false;
  return !standAgainst(first, kept);
}

/** The difference between two statements about the same thing in different words; null if the program finds none, or one that explains another. */
export function differenceInOtherWords(one: Reading, other: Reading): ContradictionCue | null {
  if (!speakOfTheSame(one, other)) return null;
  const [{ kept: left, added: onLeft }, { kept: right, added: onRight }] = [withoutAdded(one, other), withoutAdded(other, one)];
  if (mayReserve(onLeft) || mayReserve(onRight) || !areOfOneCase(left.tokens, right.tokens)) return null;
  const [mine, yours] = [valuesOnlyIn(one, other), valuesOnlyIn(other, one)];
  const cues: ContradictionCue[] = [];
  if (differInAmounts(mine, yours)) cues.push('quantity');
  if (differInTime(mine, yours)) cues.push('value');
  if (mine.names.length > 0 && yours.names.length > 0) cues.push('value');
  if (!denyAlike(left, right)) cues.push('polarity');
  // A different year or place explains a different amount.
  if (cues.length > 0) return cues.length === 1 ? (cues[0] ?? null) : null;
  return standAgainst(left, right) ? 'direction' : null;
}

/** Versions and names of models. */
const identifiersIn = ({ tokens }: Reading): ReadonlySet<string> =>
  new Set(tokens.flatMap(({ word }) => (word.isIdentifier ? [word.text] : [])));

/** Whether the roles are exchanged, or there are opposite words without such an exchange to cancel them. */
function standAgainst(one: Reading, other: Reading): boolean {
  const turn = turnOfNames(one, other);
  if (turn === 'converse') return false;
  if (turn === 'exchanged' || standAgainstEachOther(one, other, null)) return true;
  return exchangesSidesOfVerb(one.tokens, other.tokens) || exchangesObjects(one.tokens, other.tokens);
}

/**
 * Whether two statements share enough. The name of what they are about is not enough, since all that is said of Ada Brandt has it; two names are, or
 * an amount in both.
 */
function speakOfTheSame(one: Reading, other: Reading): boolean {
  const theirs = contentWordsOf(other);
  const shared = contentWordsOf(one).filter(({ token }) => theirs.some((item) => isSame(token.word, item.token.word)));
  const named = one.names.filter(({ tokens }) => shared.some(({ token }) => tokens.includes(token)));
  const shareOneName = named.length < 2 && shared.every(({ token }) => token.isCapitalised && !token.word.isAmount);
  if (shareOneName && (one.amounts.length === 0 || other.amounts.length === 0)) return false;
  return shared.length >= MIN_SHARED_WORDS || (shared.length >= MIN_SHARED && shared.some(isValue));
}

/** Separates the parts between commas that share nothing with the other statement. */
function withoutAdded(reading: Reading, ground: Reading): { kept: Reading; added: readonly Token[] } {
  const theirs = contentWordsOf(ground);
  const isShared = ({ word }: Token): boolean => !word.isStopWord && theirs.some((item) => isSame(word, item.token.word));
  const parts = partsOf(reading.tokens);
  const kept = parts.filter((part) => part.some(isShared));
  if (kept.length === parts.length || kept.length === 0) return { kept: reading, added: [] };
  return { kept: new Reading(reading.text, kept.flat()), added: parts.filter((part) => !part.some(isShared)).flat() };
}

function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [];
  for (const token of tokens)
    if (parts.length === 0 || (token.before & (COMMA | SEMICOLON)) !== 0) parts.push([token]);
    else parts.at(-1)?.push(token);
  return parts;
}
