import { standingForAll } from '@lib/language/reading/synonyms';
import type { Claim } from '../claims/claim-table';
import { meaningsOf } from '../comparison/meanings';
import { Similarity } from '../comparison/similarity';

/** How alike some claims are in what tells them apart: words of the question, and those that most of them share, do not count, and synonyms are one word. */
export interface Likeness {
  /** Those that are compared, the best first. */
  claims: readonly Claim[];
  /** The words that do not count. */
  ignored: ReadonlySet<string>;
  /** Cosine of two claims over TF-IDF, by the positions of both. Pairs with the same second one cost less in a row. */
  cosine: (left: number, right: number) => number;
  /** The same without numbers: two that tell different figures are no less alike. */
  cosineOfWords: (left: number, right: number) => number;
  /** How alike the meanings of their words are, found when it is asked for. */
  cosineOfMeanings: (left: number, right: number) => number;
  /** Whether two claims share several words, or one that hardly any other has. Numbers are none. */
  shareWords: (left: number, right: number) => boolean;
}

const NUMBER = /^[$€£¥]?\d/;
/** A word that no more claims have is enough to be shared alone. */
const FEW = 3;
const isNumber = (term: string): boolean => NUMBER.test(term);

/** As many as a job records at most: all pairs of them take square time. */
const MAX_CLAIMS = 200;
/** Share of all claims from which a word that they have tells none from another. */
const COMMON = 0.5;

export function likenessOf(ranked: readonly Claim[], question: ReadonlySet<string>): Likeness {
  const claims = ranked.slice(0, MAX_CLAIMS);
  const all = claims.map(({ reading }) => reading.stems);
  const ignored = question.union(commonOf(all));
  const terms = all.map((stems) => termsIn(stems, ignored));
  const similarity = new Similarity(terms);
  let meanings: Likeness['cosineOfMeanings'] | undefined;
  return {
    claims,
    ignored,
    cosine: (left, right) => similarity.cosine(left, right),
    cosineOfWords: similarity.cosineWithout(isNumber),
    cosineOfMeanings: (left, right) => (meanings ??= meaningsOf(claims.map((claim) => wordsOf(claim, question))))(left, right),
    shareWords(left, right) {
      let shared = 0;
      for (const term of terms[left] ?? []) {
        if (!terms[right]?.has(term) || isNumber(term)) continue;
        shared += 1;
        if (shared > 1 || similarity.frequencyOf(term) <= FEW) return true;
      }
      return false;
    },
  };
}

/** By hand: the sets' own methods take several times as long. */
function termsIn(stems: ReadonlySet<string>, ignored: ReadonlySet<string>): Set<string> {
  const terms = new Set<string>();
  for (const stem of stems) if (!ignored.has(stem)) terms.add(standingForAll(stem));
  return terms;
}

/** What it tells beside the question and figures, as it is written. */
const wordsOf = ({ reading }: Claim, question: ReadonlySet<string>): Set<string> =>
  new Set(reading.tokens.flatMap(({ word }) => (word.isStopWord || word.hasDigit || question.has(word.stem) ? [] : [word.text])));

function frequenciesOf(all: readonly ReadonlySet<string>[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const terms of all) for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return frequencies;
}

/** The terms of most of some texts; of two or three texts none, for what they share is their topic. */
function commonOf(all: readonly ReadonlySet<string>[]): Set<string> {
  const most = Math.max(3, COMMON * all.length);
  return new Set([...frequenciesOf(all)].flatMap(([term, frequency]) => (frequency > most ? [term] : [])));
}
