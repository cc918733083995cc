/** A text as the terms it has, each once. */
export type Terms = ReadonlySet<string>;

interface Vector {
  /** Term numbers, ascending. */
  terms: Uint32Array;
  /** Sum of the weights, and the square root of the sum of their squares. */
  mass: number;
  norm: number;
}

/** The texts of one origin that have a term. */
interface Posting {
  origin: string;
  positions: number[];
}

/** Compares texts by their terms, the rarer the heavier (inverse document frequency over the texts given). Texts go by their position. */
export class Similarity {
  /** By term number, as `squares` of them and `frequencies` are. */
  private readonly weights: readonly number[];
  private readonly squares: readonly number[];
  private readonly frequencies: number[] = [];
  private readonly vectors: readonly Vector[];

  constructor(texts: readonly Terms[]) {
    const numbers = new Map<string, number>();
    const documents = texts.map((terms) => Uint32Array.from([...terms].map((term) => this.count(term, numbers))).sort());
    this.weights = this.frequencies.map((frequency) => Math.log(1 + texts.length / frequency));
    this.squares = this.weights.map((weight) => weight * weight);
    this.vectors = documents.map((terms) => ({ terms, mass: sumOf(terms, this.weights), norm: Math.sqrt(sumOf(terms, this.squares)) }));
  }

  /** Cosine of the two weighted term vectors, 0 to 1. */
  cosine(left: number, right: number): number {
    const norms = this.vector(left).norm * this.vector(right).norm;
    return norms === 0 ? 0 : this.sumOfShared(left, right, this.squares) / norms;
  }

  /** The share of `inner`'s weight that `outer` has too, 0 to 1. */
  containment(inner: number, outer: number): number {
    const { mass } = this.vector(inner);
    return mass === 0 ? 0 : this.sumOfShared(inner, outer, this.weights) / mass;
  }

  termCount(text: number): number {
    return this.vector(text).terms.length;
  }

  /**
   * Pairs of texts of different origins, lower position first, that share one of the `rarest` rarest terms of each. A term pairs a text
   * with at most `most` texts of each other origin, so that a term that all have does not make all pairs.
   */
  candidates(origins: readonly string[], rarest: number, most: number): [number, number][] {
    const postings: Posting[][] = [];
    const pairs: [number, number][] = [];
    /** For each text the last one that it was paired with. */
    const pairedWith: number[] = [];
    for (const [position, { terms }] of this.vectors.entries()) {
      const origin = origins[position] ?? '';
      for (const term of this.rarestOf(terms, rarest)) {
        const ofTerm = (postings[term] ??= []);
        for (const posting of ofTerm) {
          if (posting.origin === origin) continue;
          for (const earlier of posting.positions) {
            if (pairedWith[earlier] !== position) pairs.push([earlier, position]);
            pairedWith[earlier] = position;
          }
        }
        const own = ofTerm.find((posting) => posting.origin === origin);
        if (!own) ofTerm.push({ origin, positions: [position] });
        else if (own.positions.length < most) own.positions.push(position);
      }
    }
    return pairs;
  }

  private rarestOf(terms: Uint32Array, most: number): Uint32Array {
    if (terms.length <= most) return terms;
    return terms.toSorted((a, b) => this.frequency(a) - this.frequency(b) || a - b).subarray(0, most);
  }

  private count(term: string, numbers: Map<string, number>): number {
    const number = numbers.get(term) ?? numbers.size;
    numbers.set(term, number);
    this.frequencies[number] = this.frequency(number) + 1;
    return number;
  }

  private sumOfShared(left: number, right: number, weights: readonly number[]): number {
    const [mine, yours] = [this.vector(left).terms, this.vector(right).terms];
    let sum = 0;
    for (let i = 0, j = 0; i < mine.length && j < yours.length;) {
      const [a = 0, b = 0] = [mine[i], yours[j]];
      if (a === b) sum += weights[a] ?? 0;
      if (a <= b) i += 1;
      if (b <= a) j += 1;
    }
    return sum;
  }

  private vector(text: number): Vector {
    return this.vectors[text] ?? { terms: new Uint32Array(), mass: 0, norm: 0 };
  }

  private frequency(term: number): number {
    return this.frequencies[term] ?? 0;
  }
}

function sumOf(terms: Uint32Array, weights: readonly number[]): number {
  let sum = 0;
  for (const term of terms) sum += weights[term] ?? 0;
  return sum;
}
