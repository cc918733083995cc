import { isValue } from '../difference/restatement';
import { isWithin } from '@lib/language/sets';
import type { ContradictionCue } from '@lib/domain/vocabulary';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import type { NameRun } from '@lib/language/reading/names';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { exchangesObjects, exchangesSides } from '../agreement/sides-of-verb';
import { contentWordsOf } from '../difference/content-words';
import { isSame } from '../alignment/same-word';
import { denyAlike } from '../difference/denials';
import { areOfOneCase, holdEquallyFar, mayReserve } from '../difference/scope';
import { standAgainstEachOther } from '../difference/opposed-words';
import { turnOfNames } from './exchanged-names';
import { differInAmounts, differInTime, valuesOnlyIn } from '../difference/values';

/** So many words that bear on what is said have to stand in both, one of them a name or a number, or more. */
const MIN_SHARED = 2;
const MIN_SHARED_WORDS = 3;

/**
 * Whether a program sees nothing against the second saying what the first does in other words: it has every amount, date and name of the first,
 * holds as far, affirms or denies the same, and exchanges nobody. That the words mean the same is for whoever proposed it to say.
 * @param asked stems of the question, whose names need not be said again
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

/** In what two statements about the same thing differ that are told in other words; null where a program sees no difference, or one that explains another. */
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
  // Another year or another place explains another amount.
  if (cues.length > 0) return cues.length === 1 ? (cues[0] ?? null) : null;
  return standAgainst(left, right) ? 'direction' : null;
}

/** Versions and names of models. */
const identifiersIn = ({ tokens }: Reading): ReadonlySet<string> =>
  new Set(tokens.flatMap(({ word }) => (word.isIdentifier ? [word.text] : [])));

/** By who does what to whom, or by words of opposite sense that no exchange of the two makes one. */
function standAgainst(one: Reading, other: Reading): boolean {
  const turn = turnOfNames(one, other);
  if (turn === 'converse') return false;
  if (turn === 'exchanged' || standAgainstEachOther(one, other, null)) return true;
  return exchangesSides(one.tokens, other.tokens) || exchangesObjects(one.tokens, other.tokens);
}

function speakOfTheSame(one: Reading, other: Reading): boolean {
  const theirs = contentWordsOf(other);
  const shared = contentWordsOf(one).filter(({ token }) => theirs.some((item) => isSame(token.word, item.token.word)));
  return shared.length >= MIN_SHARED_WORDS || (shared.length >= MIN_SHARED && shared.some(isValue));
}

/** Without what it tells between commas of something else, and that. */
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
