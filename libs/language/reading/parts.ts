import { BRACKET, SPACE } from './characters';
import { Reading } from './reading';
import type { Token } from './token';

/** The words from `from` to `to`, exclusive, with offsets as in a text that begins with them. */
export function wordsOf({ tokens }: Reading, from: number, to: number): Token[] {
  return shifted(tokens.slice(from, to), -(tokens[from]?.start ?? 0));
}

/** The words from `from` to `to`, exclusive, for rules that only need words: there is no text, and so no copying as in `partOf`. */
export function wordsAlone({ tokens }: Reading, from: number, to: number): Reading {
  return new Reading('', tokens.slice(from, to));
}

/** The words from `from` to `to`, exclusive, with the text between them: a part of a sentence, read as a sentence of its own. */
export function partOf({ text, tokens }: Reading, from: number, to: number): Reading {
  const first = tokens[from];
  const last = tokens[to - 1];
  if (!first || !last) return new Reading('', []);
  return new Reading(text.slice(first.start, to === tokens.length ? text.length : last.end), shifted(tokens.slice(from, to), -first.start));
}

/** The reading with a subject put before it. */
export function after(subject: Reading, { text, tokens }: Reading): Reading {
  const lead = `${subject.text} `;
  const own = shifted(tokens, lead.length);
  if (own[0]) own[0].before = SPACE | BRACKET;
  return new Reading(lead + text, [...subject.tokens, ...own], subject.tokens.length);
}

/** The reading with the word at `at` replaced by other words in brackets. */
export const replacing = (reading: Reading, at: number, by: Reading): Reading => inPlaceOf(reading, at, by, BRACKET);

/** The reading with the word at `at` replaced by words of the same meaning. */
export const rewording = (reading: Reading, at: number, by: Reading): Reading => inPlaceOf(reading, at, by, 0);

/** @param mark additional marks around the inserted words */
function inPlaceOf({ text, tokens, inserted }: Reading, at: number, { text: words, tokens: others }: Reading, mark: number): Reading {
  const replaced = tokens[at];
  if (!replaced) return new Reading(text, tokens);
  const put = shifted(others, replaced.start);
  const rest = shifted(tokens.slice(at + 1), words.length - (replaced.end - replaced.start));
  if (put[0]) put[0].before = replaced.before | mark;
  if (rest[0]) rest[0].before |= mark;
  return new Reading(
    text.slice(0, replaced.start) + words + text.slice(replaced.end),
    [...tokens.slice(0, at), ...put, ...rest],
    at < inserted ? inserted + others.length - 1 : inserted,
  );
}

function shifted(tokens: readonly Token[], by: number): Token[] {
  // The fields are in the same order as in tokens from a text, because objects of a single shape are the fastest.
  return tokens.map((token) => ({
    word: token.word,
    start: token.start + by,
    end: token.end + by,
    isCapitalised: token.isCapitalised,
    before: token.before,
    after: token.after,
  }));
}
