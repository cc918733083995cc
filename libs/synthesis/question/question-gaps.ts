import { withoutAskedMeasures } from '@lib/language/asked-measures';
import { readingOf } from '@lib/language/reading/read-text';
import type { Word } from '@lib/language/reading/word';
import type { Claim } from '../claims/claim-table';
import { isQuoted } from '../claims/who-says';

/** Words that ask for a kind of answer, not for a subject. */
export const REQUESTS = new Set(
  `answer biography bio brief briefly compare comparison describe detail details difference differences differ discuss example examples
  explain explanation find give good best information kind kinds know known list look looking regarding rule rules versus main mean means overview please question show summarise
  perform performs performed performing fare fared happen happens happened buy choose pick recommend recommended worth
  tried try tries worked working key moment moments
  summarize summary tell thing things use used using want way ways work works write`.split(/\s+/),
);
/** “I'm”, “what’s”, “they'll”. */
const CONTRACTED = /^(?:i|you|he|she|it|we|they|that|there|here|this|who|what|how|where|when|why)['’]/u;
const MAX_GAPS = 5;
const NO_WORD = /[^\p{L}\p{N}]+/u;

/** With this many claims, an answer words most of the subject in its own way. */
const MANY_CLAIMS = 10;

/** The first few words of the question that no claim mentions, in order. */
export const questionGaps = (query: string, claims: readonly Claim[]): string[] =>
  uncoveredIn(query, claims)
    .map(({ word }) => word.text)
    .slice(0, MAX_GAPS);

/**
 * The gaps worth asking about: words that stand nowhere in the reports and, if there are many claims, only names, numbers and identifiers. An answer
 * on how many died in a collapse need not contain the word "collapse".
 */
export function gapsToPursue(query: string, claims: readonly Claim[], reports: readonly string[]): string[] {
  const mayBeReworded = claims.length >= MANY_CLAIMS && !claims.every(isQuoted);
  const open = uncoveredIn(query, claims).filter(({ isSpecific }) => isSpecific || !mayBeReworded);
  const texts = reports.map((report) => report.toLowerCase());
  let words: ReadonlySet<string> | undefined;
  // Most words occur in no report, and then the reports need not be split into words.
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
  /** Part of a name, or contains a digit. */
  isSpecific: boolean;
}

/** The uncovered words, without duplicates. */
function uncoveredIn(query: string, claims: readonly Claim[]): Uncovered[] {
  const asked = readingOf(withoutAskedMeasures(query).replace(/\bhttps?:\/\/\S+/gi, ' ')).tokens.filter(
    ({ word: { text, isStopWord } }) => !isStopWord && !REQUESTS.has(text) && !/^.$/u.test(text) && !CONTRACTED.test(text),
  );
  const uncovered = new Set(asked.map(({ word }) => word.stem));
  for (const { reading } of claims) {
    if (uncovered.size === 0) return [];
    for (const { word } of reading.tokens) uncovered.delete(word.stem);
  }
  if (uncovered.size === 0) return [];
  // The reading of a claim has the long form in place of an abbreviation, so its text is searched as well.
  const texts = claims.map(({ text }) => text.toLowerCase());
  const isWritten = (word: string): boolean => texts.some((text) => isWordOf(text, word));
  const missing = asked.filter(({ word: { stem, text } }) => uncovered.has(stem) && !isWritten(text));
  const byWord = new Map(missing.map((token) => [token.word.text, token]));
  return [...byWord.values()].map(({ word, isCapitalised, start }) => ({
    word,
    isSpecific: word.hasDigit || (isCapitalised && start > 0),
  }));
}

/** Most texts do not contain the word, and then need not be split. */
const isWordOf = (text: string, word: string): boolean => text.includes(word) && text.split(NO_WORD).includes(word);
