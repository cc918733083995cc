/** Words allowed between those of a long form without a letter of their own. */
export const SMALL_IN_LONG_FORM = new Set('of the and for in on to a an'.split(' '));
const MAX_SMALL_BETWEEN = 2;
/** Least length of a word with a letter of the abbreviation. */
const MIN_WORD_LENGTH = 3;
const NONE = -1;

/** Words separated by single spaces or hyphens, and a hyphen before the first one. */
const RUN = /-?[\p{L}\p{N}]+(?:[ -][\p{L}\p{N}]+)*/gu;
const SEPARATOR = /[ -]/;

/** A run of words in a report, split once: every abbreviation is searched for in all runs, and a pattern for each would have to be compiled. */
export interface WordRun {
  text: string;
  words: readonly string[];
  /** The beginning of each word. */
  starts: readonly number[];
  /** The first letter of each word in lower case; empty for a word that is too short. */
  initials: readonly string[];
}

export function wordRunsIn(report: string): WordRun[] {
  return (report.match(RUN) ?? []).map((text) => {
    const words = text.split(SEPARATOR);
    let next = 0;
    const starts = words.map((word) => {
      const start = next;
      next += word.length + 1;
      return start;
    });
    return { text, words, starts, initials: words.map((word) => (word.length < MIN_WORD_LENGTH ? '' : word.charAt(0).toLowerCase())) };
  });
}

/** The long forms in a run whose words begin with the given lower-case letters. */
export function longFormsIn(run: WordRun, letters: string): string[] {
  const { text, words, starts, initials } = run;
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (initials[at] !== letters.charAt(0) || isBehindHyphen(run, at)) continue;
    const last = lastWordOf(run, letters, at, 1);
    if (last === NONE) continue;
    found.push(text.slice(starts[at], (starts[last] ?? 0) + (words[last]?.length ?? 0)));
    at = last;
  }
  return found;
}

/** The index of the word with the last letter, if the letters from `letter` on follow a word; prefers as many small words in between as possible. */
function lastWordOf(run: WordRun, letters: string, word: number, letter: number): number {
  if (letter === letters.length) return word;
  for (let small = MAX_SMALL_BETWEEN; small >= 0; small -= 1) {
    const next = word + small + 1;
    if (run.initials[next] !== letters.charAt(letter) || !areSmall(run, word + 1, next)) continue;
    const last = lastWordOf(run, letters, next, letter + 1);
    if (last !== NONE) return last;
  }
  return NONE;
}

function areSmall(run: WordRun, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1)
    if (!SMALL_IN_LONG_FORM.has(run.words[at]?.toLowerCase() ?? '') || isBehindHyphen(run, at + 1)) return false;
  return true;
}

const isBehindHyphen = ({ text, starts }: WordRun, word: number): boolean => text.charAt((starts[word] ?? 0) - 1) === '-';
