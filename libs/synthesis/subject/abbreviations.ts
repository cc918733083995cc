import { readingOf } from '@lib/language/reading/read-text';
import { rewording } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { longFormsIn, SMALL_IN_LONG_FORM, wordRunsIn, type WordRun } from './long-forms';

/** An abbreviation in brackets after its long form: "(OSA)"; or before it: "OSA (obstructive sleep apnea)". */
const IN_BRACKETS = /\((\p{Lu}[\p{L}\p{N}]{2,7})\)/gu;
/** Anchored at the bracket, since a report has only a few. */
const BEFORE_BRACKETS = /(?<=(?<![\p{L}\p{N}])(\p{Lu}[\p{L}\p{N}]{2,7}) )\(([^()\n]{4,80})\)/gu;
const SHORT = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]{1,7}(?![\p{L}\p{N}])/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const MAX_LENGTH_BEFORE = 100;
/** Limit per report. */
const MAX_EXPLAINED = 500;
/** Two letters could stand for too much. */
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{3,6}(?=s?(?![\p{L}\p{N}]))/gu;
/** Of two letters, but known without an explanation. Only where a report has the long form. */
const WELL_KNOWN: readonly (readonly [string, string])[] = [
  ['US', 'United States'],
  ['USA', 'United States'],
  ['UK', 'United Kingdom'],
  ['EU', 'European Union'],
  ['UN', 'United Nations'],
];
/** Limited because each is searched for in all reports. */
const MAX_UNEXPLAINED = 20;

/**
 * The abbreviations in the reports of a job. A long form is accepted if a report explains the letters and none contradicts, or if only one thing with
 * these initials is named in full. English.
 */
export class Abbreviations {
  /** By the abbreviation in lower case without a plural "s"; null if it has several meanings. */
  private readonly meanings = new Map<string, Reading | null>();
  private readonly known = new Map<Reading, Reading>();

  /** Pass whole reports, in a fixed order: the first spelling of a long form counts. */
  constructor(reports: readonly string[]) {
    for (const report of reports) {
      if (!report.includes('(')) continue;
      for (const { 1: short = '', index } of report.matchAll(IN_BRACKETS).take(MAX_EXPLAINED))
        this.learn(short, longFormAtEnd(short, report.slice(Math.max(0, index - MAX_LENGTH_BEFORE), index)));
      for (const [, short = '', long = ''] of report.matchAll(BEFORE_BRACKETS).take(MAX_EXPLAINED))
        if (longFormAtEnd(short, long) === long) this.learn(short, long);
    }
    for (const [short, long] of WELL_KNOWN)
      if (!this.meanings.has(short.toLowerCase()) && reports.some((report) => report.includes(long))) this.learn(short, long);
    const unexplained = new Set(reports.flatMap((report) => report.match(CAPITALS) ?? []).map(keyOf));
    const sought = [...unexplained].filter((short) => short !== '' && !this.meanings.has(short)).sort();
    const runs = sought.length === 0 ? [] : reports.flatMap(wordRunsIn);
    for (const key of sought.slice(0, MAX_UNEXPLAINED)) {
      const long = onlyLongForm(key, runs);
      if (long !== null) this.meanings.set(key, readingOf(long));
    }
  }

  /** The abbreviations for one report: its own explanations take precedence over those of others. */
  of(report: string): Abbreviations {
    if (![...this.meanings.values()].includes(null)) return this;
    const own = new Abbreviations([report]);
    for (const [key, meaning] of this.meanings) if (!own.meanings.has(key)) own.meanings.set(key, meaning);
    return own;
  }

  /** Replaces abbreviations by their long forms; an abbreviation right after its long form is left out. */
  inFull(reading: Reading): Reading {
    if (this.meanings.size === 0) return reading;
    const known = this.known.get(reading);
    if (known) return known;
    const full = this.withLongForms(reading);
    if (full !== reading) this.known.set(reading, full);
    return full;
  }

  /** Puts the long form before each abbreviation, because texts compared with this one may use either. */
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

/** Empty for a word with fewer than two capitals: "Kelm", "Ii". */
function keyOf(short: string): string {
  const letters = short.replace(/s$/, '').replace(/[’']s$/, '');
  return /\p{Lu}.*\p{Lu}/u.test(letters) ? letters.toLowerCase() : '';
}

/** The words at the end of a text with the abbreviation's initials; null if they do not match. */
function longFormAtEnd(short: string, text: string): string | null {
  const letters = keyOf(short);
  const words = [...text.trimEnd().matchAll(WORD)];
  let letter = letters.length - 1;
  for (let at = words.length - 1; at >= 0 && letter >= 0 && letters !== ''; at -= 1) {
    const word = words[at]?.[0].toLowerCase() ?? '';
    if (word.charAt(0) === letters.charAt(letter)) letter -= 1;
    else if (!SMALL_IN_LONG_FORM.has(word)) return null;
    // Each word has only one of the letters, and there are at least two words.
    if (letter < 0) return words.length - at < 2 ? null : text.trimEnd().slice(words[at]?.index);
  }
  return null;
}

/** The single long form for some initials; null if there is none, several, or only one that is no name and occurs once. */
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
