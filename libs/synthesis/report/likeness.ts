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
  /** Cosine of two claims over TF-IDF, by the positions of both. */
  cosines: readonly (readonly number[])[];
  /** The same without numbers, found when it is asked for: two that tell different figures are no less alike. */
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
  const terms = all.map((stems) => new Set([...stems.difference(ignored)].map(standingForAll)));
  const words = terms.map((own) => (own.values().some(isNumber) ? new Set([...own].filter((term) => !isNumber(term))) : own));
  const similarity = new Similarity(words);
  const frequencies = frequenciesOf(words);
  let meanings: Likeness['cosineOfMeanings'] | undefined;
  return {
    claims,
    ignored,
    cosines: cosinesOf(terms),
    cosineOfWords: (left, right) => similarity.cosine(left, right),
    cosineOfMeanings: (left, right) => (meanings ??= meaningsOf(claims.map((claim) => wordsOf(claim, question))))(left, right),
    shareWords(left, right) {
      const shared = words[left]?.intersection(words[right] ?? new Set()) ?? new Set();
      return shared.size > 1 || shared.values().some((term) => (frequencies.get(term) ?? 0) <= FEW);
    },
  };
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

function cosinesOf(all: readonly ReadonlySet<string>[]): number[][] {
  const similarity = new Similarity(all);
  // Arrays of the language: there are many, and a typed one is allocated outside of the heap.
  const cosines = all.map(() => new Array<number>(all.length).fill(0));
  // The later one in the outer loop: its terms are looked up once for all others.
  for (const [right, ofRight] of cosines.entries()) {
    for (const [left, ofLeft] of cosines.entries()) {
      if (left === right) break;
      ofLeft[right] = ofRight[left] = similarity.cosine(left, right);
    }
  }
  return cosines;
}
