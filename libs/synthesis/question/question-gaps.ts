import { withoutAskedMeasures } from '@lib/language/asked-measures';
import { readingOf } from '@lib/language/reading/read-text';
import type { Word } from '@lib/language/reading/word';
import type { Claim } from '../claims/claim-table';
import { isQuoted } from '../claims/who-says';

/** They say what kind of answer is wanted, not what about. */
export const REQUESTS = new Set(
  `answer biography bio brief briefly compare comparison describe detail details difference differences differ discuss example examples
  explain explanation find give good best information kind kinds know known list look looking regarding rule rules versus main mean means overview please question show summarise
  perform performs performed performing fare fared happen happens happened buy choose pick recommend recommended worth
  tried try tries worked working key moment moments
  summarize summary tell thing things use used using want way ways work works write`.split(/\s+/),
);
const MAX_GAPS = 5;
const NO_WORD = /[^\p{L}\p{N}]+/u;

/** Whose claims answer at such length say most of what is asked in words of their own. */
const MANY_CLAIMS = 10;

/** Words of the question that no claim mentions, in their order, at most a few. */
export const questionGaps = (query: string, claims: readonly Claim[]): string[] =>
  uncoveredIn(query, claims)
    .map(({ word }) => word.text)
    .slice(0, MAX_GAPS);

/**
 * Those of them that are worth asking about: none that a report has in a heading or elsewhere, and where many claims were made only names,
 * numbers and identifiers. Nobody who is asked how many died in a collapse has to say "collapse".
 */
export function gapsToPursue(query: string, claims: readonly Claim[], reports: readonly string[]): string[] {
  const mayBeReworded = claims.length >= MANY_CLAIMS && !claims.every(isQuoted);
  const open = uncoveredIn(query, claims).filter(({ isSpecific }) => isSpecific || !mayBeReworded);
  const texts = reports.map((report) => report.toLowerCase());
  let words: ReadonlySet<string> | undefined;
  // Most words stand in no report at all, which spares taking the reports apart.
  const isWritten = (word: string): boolean =>
    texts.some((text) => text.includes(word)) && (words ??= new Set(texts.flatMap((text) => text.split(NO_WORD)))).has(word);
  return open
    .values()
    .map(({ word }) => word.text)
    .filter((word) => !isWritten(word))
    .take(MAX_GAPS)
    .toArray();
}

/** A word of the question that no claim mentions. */
interface Uncovered {
  word: Word;
  /** It is a part of a name, or has a digit. */
  isSpecific: boolean;
}

/** Each once. */
function uncoveredIn(query: string, claims: readonly Claim[]): Uncovered[] {
  const asked = readingOf(withoutAskedMeasures(query).replace(/\bhttps?:\/\/\S+/gi, ' ')).tokens.filter(
    ({ word: { text, isStopWord } }) => !isStopWord && !REQUESTS.has(text) && !/^.$/u.test(text),
  );
  const uncovered = new Set(asked.map(({ word }) => word.stem));
  for (const { reading } of claims) {
    if (uncovered.size === 0) return [];
    for (const { word } of reading.tokens) uncovered.delete(word.stem);
  }
  if (uncovered.size === 0) return [];
  // A claim is read with the long form in the place of a short one.
  const texts = claims.map(({ text }) => text.toLowerCase());
  const isWritten = (word: string): boolean => texts.some((text) => isWordOf(text, word));
  const missing = asked.filter(({ word: { stem, text } }) => uncovered.has(stem) && !isWritten(text));
  const byWord = new Map(missing.map((token) => [token.word.text, token]));
  return [...byWord.values()].map(({ word, isCapitalised, start }) => ({
    word,
    isSpecific: word.hasDigit || (isCapitalised && start > 0),
  }));
}

/** Most texts do not have it at all, which spares taking them apart. */
const isWordOf = (text: string, word: string): boolean => text.includes(word) && text.split(NO_WORD).includes(word);
