import { withoutAskedMeasures } from '@lib/language/asked-measures';
import { readingOf } from '@lib/language/reading/parts';
import type { Claim } from './claims/claim-table';

/** They say what kind of answer is wanted, not what about. */
const REQUESTS = new Set(
  `answer biography bio brief briefly compare comparison describe detail details difference differences differ discuss example examples
  explain explanation find give good best information kind kinds know known list look looking regarding rule rules versus main mean means overview please question show summarise
  perform performs performed performing fare fared happen happens happened buy choose pick recommend recommended worth
  tried try tries worked working key moment moments
  summarize summary tell thing things use used using want way ways work works write`.split(/\s+/),
);
const MOST = 5;
const NO_WORD = /[^\p{L}\p{N}]+/u;

/** Words of the question that no claim mentions, in their order, at most a few. */
export function questionGaps(query: string, claims: readonly Claim[]): string[] {
  const asked = readingOf(withoutAskedMeasures(query).replace(/\bhttps?:\/\/\S+/gi, ' '))
    .tokens.map(({ word }) => word)
    .filter(({ text, isStopWord }) => !isStopWord && !REQUESTS.has(text) && !/^.$/u.test(text));
  const uncovered = new Set(asked.map(({ stem }) => stem));
  for (const { reading } of claims) {
    if (uncovered.size === 0) return [];
    for (const { word } of reading.tokens) uncovered.delete(word.stem);
  }
  // A claim is read with the long form in the place of a short one.
  const isWritten = (word: string): boolean => claims.some(({ text }) => isWordOf(text.toLowerCase(), word));
  const missing = asked.filter(({ stem, text }) => uncovered.has(stem) && !isWritten(text)).map(({ text }) => text);
  return [...new Set(missing)].slice(0, MOST);
}

/** Most texts do not have it at all, which spares taking them apart. */
const isWordOf = (text: string, word: string): boolean => text.includes(word) && text.split(NO_WORD).includes(word);
