import { COMMA, OTHER, SEMICOLON, STOP } from '@lib/language/reading/characters';
import { COMMON_PREPOSITIONS } from '@lib/language/reading/function-words';
import type { Reading } from '@lib/language/reading/reading';
import { isNameWord, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

/** A figure with a unit, a class or a verb in a sentence, with the stems of the part of the sentence around it. */
interface Given {
  kind: 'class' | 'verb' | `in ${string}`;
  key: string;
  part: number;
  of: ReadonlySet<string>;
}
/** In words; the rest of a longer sentence is ignored. */
const MAX_GIVEN = 24;
/** Words that, like punctuation, begin the next part of a sentence. */
const JOINING = new Set('and while whereas but against versus vs'.split(' '));
const MARKS = COMMA | SEMICOLON | STOP | OTHER;

/**
 * Whether two sentences exchange the values of two things: "$1.77 billion for families and $500 million for airlines" and "$1.77 billion for airlines
 * and $500 million for families", "PFOA in Group 1 and PFOS in Group 2B", "Meta signed, Google declined" and "Google signed, while Meta declined".
 */
export function exchangeValues(one: Reading, other: Reading): 'figures differ' | 'names differ' | null {
  const theirs = givenIn(other);
  const mine = theirs.length < 2 ? [] : givenIn(one);
  const shared = mine.flatMap((given) => {
    const their = theirs.find(({ kind, key }) => kind === given.kind && key === given.key);
    return their ? [[given, their] as const] : [];
  });
  const exchanged = shared.find(([first, itsFirst], at) =>
    shared
      .slice(at + 1)
      .some(
        ([second, itsSecond]) =>
          first.kind === second.kind &&
          first.part !== second.part &&
          itsFirst.part !== itsSecond.part &&
          areExchanged(first.of, second.of, itsFirst.of, itsSecond.of),
      ),
  );
  if (!exchanged) return null;
  return exchanged[0].kind === 'verb' ? 'names differ' : 'figures differ';
}

/** Whether words have moved between the two parts, and no more of them stayed; words at the beginning apply to the whole sentence. */
function areExchanged(
  first: ReadonlySet<string>,
  second: ReadonlySet<string>,
  itsFirst: ReadonlySet<string>,
  itsSecond: ReadonlySet<string>,
): boolean {
  const [ones, others] = [first.difference(second), second.difference(first)];
  const [theirs, theirOthers] = [itsFirst.difference(itsSecond), itsSecond.difference(itsFirst)];
  const [gone, come] = [ones.intersection(theirOthers).size, others.intersection(theirs).size];
  const kept = Math.min(ones.intersection(theirs).size, others.intersection(theirOthers).size);
  return gone > 0 && come > 0 && gone + come > kept;
}

function givenIn(reading: Reading): Given[] {
  const { tokens, amounts } = reading;
  const values = new Map<number, Pick<Given, 'kind' | 'key'>>();
  for (const { unit, low, high, from, to } of amounts) {
    if (unit !== '' || isPrecise(low))
      for (let at = from; at < to; at += 1) values.set(at, { kind: `in ${unit}`, key: String(Number.isFinite(low) ? low : high) });
  }
  for (const [at, token] of tokens.entries()) {
    const label = textAt(tokens, at - 1);
    if (CLASSES.has(label) && !token.word.isStopWord && token.word.text.length <= MAX_CLASS_LENGTH)
      values.set(at, { kind: 'class', key: `${label} ${token.word.text}` });
    else if (isVerb(tokens, at)) values.set(at, { kind: 'verb', key: token.word.stem });
  }
  if (values.size < 2) return [];
  const { parts, words } = partsOf(tokens, values);
  const given = [...values]
    .slice(0, MAX_GIVEN)
    .map(([at, value]): Given => ({ ...value, part: parts[at] ?? 0, of: words[parts[at] ?? 0] ?? new Set() }));
  const once = given.filter(({ kind, key, part }) =>
    given.every((other) => other.kind !== kind || other.key !== key || other.part === part),
  );
  return once.filter(({ kind, key }, at) => once.findIndex((other) => other.kind === kind && other.key === key) === at);
}
const CLASSES = new Set('group class category grade tier level type'.split(' '));
/** In UTF-16 units, for classes such as "1", "2B", "III". */
const MAX_CLASS_LENGTH = 3;
/** Whether a number without a unit is specific enough; small whole numbers may be anything. */
const isPrecise = (value: number): boolean => !Number.isInteger(value) || Math.abs(value) >= MIN_BARE;
const MIN_BARE = 100;
/** Whether a word is a verb and not an adjective, as in "uninsured deposits". */
function isVerb(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || token.word.isStopWord || token.word.isLight) return false;
  if (isFiniteVerbAt(tokens, at)) return true;
  const begins = at === 0 || (token.before & MARKS) !== 0;
  return token.word.verb.isPastForm && (begins || !token.isCapitalised) && AFTER_VERB.has(textAt(tokens, at + 1));
}
const AFTER_VERB = COMMON_PREPOSITIONS.difference(new Set(['as']));

/**
 * The part that each word belongs to, and the words of each part. A part without a value belongs to the next one if it is a list of names, otherwise
 * to the previous one.
 */
function partsOf(tokens: readonly Token[], values: ReadonlyMap<number, unknown>): { parts: number[]; words: ReadonlySet<string>[] } {
  const pieces: number[][] = [];
  for (const [at, { word, before }] of tokens.entries()) {
    const piece = pieces.at(-1);
    if (piece && (before & MARKS) === 0 && !JOINING.has(word.text)) piece.push(at);
    else pieces.push([at]);
  }
  const has = (piece: readonly number[] | undefined): boolean => piece?.some((at) => values.has(at)) === true;
  const isList = (piece: readonly number[]): boolean => piece.every((at) => isNameWord(tokens[at]) || tokens[at]?.word.isStopWord === true);
  const parts: number[] = [];
  let part = 0;
  let isBegun = false;
  for (const piece of pieces) {
    if (isBegun && (has(piece) || isList(piece))) {
      part += 1;
      isBegun = false;
    }
    isBegun ||= has(piece);
    for (const at of piece) parts[at] = part;
  }
  const words = Array.from({ length: part + 1 }, () => new Set<string>());
  for (const [at, token] of tokens.entries())
    if (!values.has(at) && (isContentWord(token) || token.word.hasDigit)) words[parts[at] ?? 0]?.add(token.word.stem);
  return { parts, words };
}
