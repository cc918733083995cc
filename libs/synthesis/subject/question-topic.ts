import { DASH, SPACE } from '@lib/language/reading/characters';
import { partOf } from '@lib/language/reading/parts';
import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { splitSentences } from '@lib/language/sentences';
import { isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { collapseWhiteSpace } from '@lib/language/white-space';
import { BASES } from '@lib/language/reading/verb-forms';
import { isInNounPhrase } from './stated-kind';
import { isPossessive } from './put-in';

/** The topic of a question: the only thing it names. */
export interface Topic {
  name: readonly Token[];
  /** The word that the question uses for its kind: "database" in "the Quillstore database"; null if there is none. */
  kind: { word: string; name: Reading } | null;
}

/** Null if a question names nothing or several things. */
export function topicOf(question: Reading): Topic | null {
  const { tokens } = question;
  // As in "History of Enron", "Describe Enron".
  const begins = tokens[1]?.word.text === 'of' || BASES.has(textAt(tokens, 0)) ? 1 : 0;
  const starts = new Set(splitSentences(question.text).map(({ start }) => start));
  const isName = (at: number): boolean => at >= begins && isNameWord(tokens[at]) && !isOnlyFirstWord(question, at, starts);
  const from = tokens.findIndex((_, at) => isName(at));
  if (from < 0) return null;
  let to = from + 1;
  while (isName(to) && isInOnePhrase(question, to)) to += 1;
  if (tokens.some((_, at) => at >= to && isName(at))) return null;
  // "The king Charles’s wife" does not ask about the king.
  const kind = kindAfter(question, from, to) ?? kindBefore(question, from, to);
  return { name: tokens.slice(from, to), kind: kind && isPossessive(kind.name.text) ? null : kind };
}

/** The kind after the name: "The Quillstore database". */
function kindAfter(question: Reading, from: number, to: number): Topic['kind'] {
  let end = to;
  while (isNoun(question.tokens, end) && isInOnePhrase(question, end)) end += 1;
  const word = question.tokens[end - 1]?.word.text;
  if (end === to || word === undefined || !isThe(question.tokens[from - 1])) return null;
  return { word, name: nameFrom(question, from - 1, end) };
}

/** The kind before the name: "The drug Velotamib". */
function kindBefore(question: Reading, from: number, to: number): Topic['kind'] {
  let begin = from;
  while (isNoun(question.tokens, begin - 1) && isInOnePhrase(question, begin)) begin -= 1;
  const word = question.tokens[from - 1]?.word.text;
  if (begin === from || word === undefined || !isThe(question.tokens[begin - 1]) || isOwner(question, from - 1)) return null;
  return { word, name: nameFrom(question, from, to) };
}

const isNoun = (tokens: readonly Token[], at: number): boolean => tokens[at]?.isCapitalised === false && isInNounPhrase(tokens, at);
const isThe = (token: Token | undefined): boolean => token?.word.text === 'the';

/** Whether a word belongs to the same phrase as the one before it: a hyphen or space stands between them, and no blank line. */
function isInOnePhrase(question: Reading, at: number): boolean {
  const before = question.tokens[at]?.before;
  return before === DASH || (before === SPACE && !BLANK_LINE.test(textBefore(question, at)));
}
const BLANK_LINE = /\n\s*\n/;

/**
 * Whether a word begins a later sentence of the message and no name goes on behind it, so that its capital may tell nothing: "Please answer briefly",
 * "Thanks!".
 * @param starts where the sentences of the message begin
 */
function isOnlyFirstWord(question: Reading, at: number, starts: ReadonlySet<number>): boolean {
  const isFirst = at > 0 && (starts.has(question.tokens[at]?.start ?? 0) || BLANK_LINE.test(textBefore(question, at)));
  return isFirst && !(isNameWord(question.tokens[at + 1]) && isInOnePhrase(question, at + 1));
}

/** Whether a word is in the possessive: "the company’s Berlin office" asks about no company called Berlin. */
const isOwner = ({ text, tokens }: Reading, at: number): boolean =>
  isPossessive(text.slice(tokens[at]?.start, tokens[at + 1]?.start).trim());

const textBefore = ({ text, tokens }: Reading, at: number): string => text.slice(tokens[at - 1]?.end, tokens[at]?.start);

const nameFrom = (question: Reading, from: number, to: number): Reading => {
  const { text, tokens } = partOf(question, from, to);
  return readingOf(collapseWhiteSpace(text.slice(0, tokens.at(-1)?.end)));
};
