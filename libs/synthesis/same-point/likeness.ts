import { standingForAll } from '@lib/language/reading/synonyms';
import type { Claim } from '../claims/claim-table';
import { meaningsOf } from '../comparison/meanings';
import { Similarity } from '../comparison/similarity';

/**
 * How similar claims are in the words that distinguish them: words of the question and words that most claims share are ignored, and synonyms count
 * as one word.
 */
export interface Likeness {
  /** The claims that are compared, best first. */
  claims: readonly Claim[];
  /** The words that are ignored. */
  ignored: ReadonlySet<string>;
  /** TF-IDF cosine of two claims, by position. Cheaper for consecutive pairs with the same second claim. */
  cosine: (left: number, right: number) => number;
  /** The same without numbers, so that different figures do not reduce it. */
  cosineOfWords: (left: number, right: number) => number;
  /** Similarity in the meaning of their words, computed on first use. */
  cosineOfMeanings: (left: number, right: number) => number;
  /** Whether two claims share several words, or one rare word; numbers do not count. */
  shareWords: (left: number, right: number) => boolean;
}

const NUMBER = /^[$€£¥]?\d/;
/** A single shared word suffices if no more claims than this have it. */
const FEW = 3;
const isNumber = (term: string): boolean => NUMBER.test(term);

/** The most that a job records; comparing all pairs takes quadratic time. */
const MAX_CLAIMS = 200;
/** A word in more than this share of the claims does not distinguish them. */
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

/** A loop, because the sets' own methods take several times as long. */
function termsIn(stems: ReadonlySet<string>, ignored: ReadonlySet<string>): Set<string> {
  const terms = new Set<string>();
  for (const stem of stems) if (!ignored.has(stem)) terms.add(standingForAll(stem));
  return terms;
}

/** Its words as written, without those of the question and figures. */
const wordsOf = ({ reading }: Claim, question: ReadonlySet<string>): Set<string> =>
  new Set(reading.tokens.flatMap(({ word }) => (word.isStopWord || word.hasDigit || question.has(word.stem) ? [] : [word.text])));

function frequenciesOf(all: readonly ReadonlySet<string>[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const terms of all) for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return frequencies;
}

/** The terms of most texts; none for two or three texts, since what they share is their topic. */
function commonOf(all: readonly ReadonlySet<string>[]): Set<string> {
  const most = Math.max(3, COMMON * all.length);
  return new Set([...frequenciesOf(all)].flatMap(([term, frequency]) => (frequency > most ? [term] : [])));
}
