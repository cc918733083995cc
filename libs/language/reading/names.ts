import { BRACKET, DASH, OTHER, SPACE, STOP } from './characters';
import { SUBJECT_PRONOUNS } from './function-words';
import { isNameWord, textAt, type Token } from './token';

/** Consecutive capitalised words: "Anna May Wong", "University of Hawaii". */
export interface NameRun {
  tokens: readonly Token[];
  /** Lower-cased. */
  parts: ReadonlySet<string>;
}

/** Words that join two parts of a name, optionally followed by "the". */
export const NAME_LINKS: ReadonlySet<string> = new Set('of de da del van von der al the'.split(' '));
/** Before such characters a capital may only mark the beginning of a sentence. */
const BEFORE_SENTENCE = STOP | DASH | BRACKET | OTHER;

const NO_NAMES: readonly NameRun[] = [];
const NO_WORDS: ReadonlySet<string> = new Set();

/** Whether a word has a capital without beginning a sentence. */
function isInnerName({ isCapitalised, before }: Token): boolean {
  return isCapitalised && (before & SPACE) !== 0 && (before & BEFORE_SENTENCE) === 0;
}

/** The names of a sentence, without the words marked in `leftOut` (dates and amounts). A stop word at the beginning is not a name. */
export function namesOf(tokens: readonly Token[], leftOut: Uint8Array): readonly NameRun[] {
  let runs: Token[][] | undefined;
  let last = -1;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || leftOut[at] === 1 || !mayBeInName(token, at) || token.word.effect === 'filler') continue;
    const run = runs?.at(-1);
    if (run && last >= 0 && areJoined(tokens, last, at)) run.push(token);
    else (runs ??= []).push([token]);
    last = at;
  }
  return runs?.map((run) => ({ tokens: run, parts: new Set(run.map(({ word }) => word.text)) })) ?? NO_NAMES;
}

/** Whether a capitalised word that could be a pronoun is the first of a name: "He Jiankui", "It Ends with Us". */
export function beginsNameLikePronoun(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return token?.isCapitalised === true && SUBJECT_PRONOUNS.has(token.word.text) && next?.before === SPACE && isNameWord(next);
}

/** The stems of all words in the names, in order. */
export const stemsOfNames = (names: readonly NameRun[]): string[] => names.flatMap(({ tokens }) => tokens.map(({ word }) => word.stem));

/** Whether a word has a capital that is not just that of a stop word at the beginning of a sentence. */
export function mayBeInName({ isCapitalised, word }: Token, at: number): boolean {
  return isCapitalised && (at > 0 || !word.isStopWord);
}

function areJoined(tokens: readonly Token[], left: number, right: number): boolean {
  for (let at = left + 1; at <= right; at += 1) if (((tokens[at]?.before ?? 0) & ~(SPACE | STOP | BRACKET)) !== 0) return false;
  if (right - left === 1) return true;
  const first = textAt(tokens, left + 1);
  return NAME_LINKS.has(first) && (right - left === 2 || (right - left === 3 && first === 'of' && tokens[left + 2]?.word.text === 'the'));
}

/** The capitalised words inside a sentence, lower-cased. */
export function properWordsOf(tokens: readonly Token[]): ReadonlySet<string> {
  let proper: Set<string> | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token && isInnerName(token)) (proper ??= new Set()).add(token.word.text);
  }
  return proper ?? NO_WORDS;
}

/** Whether one name is a short form of the other: "Wong" for "Anna May Wong", "B. Baker" for "Benjamin Baker". */
export function sameName(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one];
  let areAlike = false;
  for (const part of short) {
    if (long.has(part)) areAlike ||= part.length > 1;
    else if (part.length !== 1 || !beginsOneOf(long, part)) return false;
  }
  return areAlike;
}

function beginsOneOf(words: ReadonlySet<string>, letter: string): boolean {
  for (const word of words) if (word.startsWith(letter)) return true;
  return false;
}
