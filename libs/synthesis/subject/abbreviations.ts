import { readingOf } from '@lib/language/reading/read-text';
import { rewording } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { longFormsIn, SMALL_IN_LONG_FORM, wordRunsIn, type WordRun } from './long-forms';

/** "(OSA)" behind what it is short for, and "OSA (obstructive sleep apnea)". */
const IN_BRACKETS = /\((\p{Lu}[\p{L}\p{N}]{2,7})\)/gu;
/** It begins with the bracket, of which a report has few. */
const BEFORE_BRACKETS = /(?<=(?<![\p{L}\p{N}])(\p{Lu}[\p{L}\p{N}]{2,7}) )\(([^()\n]{4,80})\)/gu;
const SHORT = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]{1,7}(?![\p{L}\p{N}])/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const MAX_LENGTH_BEFORE = 100;
/** In each report. */
const MAX_EXPLAINED = 500;
/** Two letters are those of too much. */
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{3,6}(?=s?(?![\p{L}\p{N}]))/gu;
/** Each is looked for in all reports. */
const MAX_UNEXPLAINED = 20;

/**
 * What the reports of a job call by its first letters. Either one of them says what the letters stand for and none says otherwise, or only one thing
 * is named at length that begins with them. English.
 */
export class Abbreviations {
  /** By the short form in small letters, without a plural's "s"; null where it stands for several things. */
  private readonly meanings = new Map<string, Reading | null>();
  private readonly known = new Map<Reading, Reading>();

  /** Give whole reports, in a fixed order: of two ways to write a long form the first counts. */
  constructor(reports: readonly string[]) {
    for (const report of reports) {
      if (!report.includes('(')) continue;
      for (const { 1: short = '', index } of report.matchAll(IN_BRACKETS).take(MAX_EXPLAINED))
        this.learn(short, longFormAtEnd(short, report.slice(Math.max(0, index - MAX_LENGTH_BEFORE), index)));
      for (const [, short = '', long = ''] of report.matchAll(BEFORE_BRACKETS).take(MAX_EXPLAINED))
        if (longFormAtEnd(short, long) === long) this.learn(short, long);
    }
    const unexplained = new Set(reports.flatMap((report) => report.match(CAPITALS) ?? []).map(keyOf));
    const sought = [...unexplained].filter((short) => short !== '' && !this.meanings.has(short)).sort();
    const runs = sought.length === 0 ? [] : reports.flatMap(wordRunsIn);
    for (const key of sought.slice(0, MAX_UNEXPLAINED)) {
      const long = onlyLongForm(key, runs);
      if (long !== null) this.meanings.set(key, readingOf(long));
    }
  }

  /** For the sentences of one report: what it explains itself goes before what others say. */
  of(report: string): Abbreviations {
    if (![...this.meanings.values()].includes(null)) return this;
    const own = new Abbreviations([report]);
    for (const [key, meaning] of this.meanings) if (!own.meanings.has(key)) own.meanings.set(key, meaning);
    return own;
  }

  /** With the long form in the place of the short one; a short form behind its long form is left out. */
  inFull(reading: Reading): Reading {
    if (this.meanings.size === 0) return reading;
    const known = this.known.get(reading);
    if (known) return known;
    const full = this.withLongForms(reading);
    if (full !== reading) this.known.set(reading, full);
    return full;
  }

  /** A text with the long form before each short one: what is held against it may have either. */
  explained(text: string): string {
    if (this.meanings.size === 0) return text;
    return text.replace(SHORT, (short) => {
      const meaning = this.meanings.get(keyOf(short));
      return !meaning || text.toLowerCase().includes(meaning.text.toLowerCase()) ? short : `${meaning.text} (${short})`;
    });
  }

  private withLongForms(reading: Reading): Reading {
    let full = reading;
    for (let at = reading.tokens.length - 1; at >= 0; at -= 1) {
      const meaning = this.meaningOf(reading, reading.tokens[at]);
      if (!meaning) continue;
      const isExplained = meaning.stems.isSubsetOf(reading.stems);
      full = isExplained
        ? new Reading(full.text, full.tokens.toSpliced(at, 1), at < full.inserted ? full.inserted - 1 : full.inserted)
        : rewording(full, at, meaning);
    }
    return full;
  }

  private meaningOf({ text }: Reading, token: Token | undefined): Reading | null {
    if (!token?.isCapitalised) return null;
    return this.meanings.get(keyOf(text.slice(token.start, token.end))) ?? null;
  }

  private learn(short: string, long: string | null): void {
    const key = keyOf(short);
    if (long === null || key === '') return;
    const known = this.meanings.get(key);
    const meaning = readingOf(long);
    if (known === undefined) this.meanings.set(key, meaning);
    else if (known && known.wording !== meaning.wording && known.stems.symmetricDifference(meaning.stems).size > 0)
      this.meanings.set(key, null);
  }
}

/** Empty for what has fewer than two capitals: "Kelm", "Ii". */
function keyOf(short: string): string {
  const letters = short.replace(/s$/, '').replace(/[’']s$/, '');
  return /\p{Lu}.*\p{Lu}/u.test(letters) ? letters.toLowerCase() : '';
}

/** The last words of a text whose first letters are those of a short form; null where they are not. */
function longFormAtEnd(short: string, text: string): string | null {
  const letters = keyOf(short);
  const words = [...text.trimEnd().matchAll(WORD)];
  let letter = letters.length - 1;
  for (let at = words.length - 1; at >= 0 && letter >= 0 && letters !== ''; at -= 1) {
    const word = words[at]?.[0].toLowerCase() ?? '';
    if (word.charAt(0) === letters.charAt(letter)) letter -= 1;
    else if (!SMALL_IN_LONG_FORM.has(word)) return null;
    // A word has but one letter of it, and there are two words at least.
    if (letter < 0) return words.length - at < 2 ? null : text.trimEnd().slice(words[at]?.index);
  }
  return null;
}

/** What all that begins with some letters, word by word, is: null where that is nothing, several things, or no name and said once. */
function onlyLongForm(letters: string, runs: readonly WordRun[]): string | null {
  const found = runs.flatMap((run) => longFormsIn(run, letters));
  const [first] = found;
  if (first === undefined || (found.length < 2 && !isWrittenAsName(first))) return null;
  const meaning = readingOf(first);
  if (meaning.tokens.some(({ word: { isStopWord, text } }) => isStopWord && !SMALL_IN_LONG_FORM.has(text))) return null;
  return found.every((other) => readingOf(other).stems.symmetricDifference(meaning.stems).size === 0) ? first : null;
}

const isWrittenAsName = (words: string): boolean =>
  words.split(/[ -]/).every((word) => SMALL_IN_LONG_FORM.has(word) || /^\p{Lu}/u.test(word));
