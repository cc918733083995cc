/** A text as the terms it has, each once. */
export type Terms = ReadonlySet<string>;

interface Vector {
  /** Term numbers, ascending. */
  terms: readonly number[];
  /** Sum of the weights, and the square root of the sum of their squares. */
  mass: number;
  norm: number;
}

/** Compares texts by their terms, the rarer the heavier (inverse document frequency over the texts given). Texts go by their position. */
export class Similarity {
  private readonly weights: number[] = [];
  private readonly frequencies: number[] = [];
  private readonly vectors: Vector[];

  constructor(texts: readonly Terms[]) {
    const numbers = new Map<string, number>();
    const documents = texts.map((terms) => [...terms].map((term) => this.count(term, numbers)).sort((a, b) => a - b));
    for (const frequency of this.frequencies) this.weights.push(Math.log(1 + texts.length / frequency));
    this.vectors = documents.map((terms) => ({
      terms,
      mass: terms.reduce((sum, term) => sum + this.weight(term), 0),
      norm: Math.sqrt(terms.reduce((sum, term) => sum + this.weight(term) ** 2, 0)),
    }));
  }

  /** Cosine of the two weighted term vectors, 0 to 1. */
  cosine(left: number, right: number): number {
    const norms = this.vector(left).norm * this.vector(right).norm;
    return norms === 0 ? 0 : this.sumOfShared(left, right, 2) / norms;
  }

  /** The share of `inner`'s weight that `outer` has too, 0 to 1. */
  containment(inner: number, outer: number): number {
    const { mass } = this.vector(inner);
    return mass === 0 ? 0 : this.sumOfShared(inner, outer, 1) / mass;
  }

  termCount(text: number): number {
    return this.vector(text).terms.length;
  }

  /**
   * Pairs of texts of different origins, lower position first, that share one of the `rarest` rarest terms of each. A term pairs a text
   * with at most `most` texts of each other origin, so that a term that all have does not make all pairs.
   */
  candidates(origins: readonly string[], rarest: number, most: number): [number, number][] {
    const postings = new Map<number, Map<string, number[]>>();
    const seen = new Set<number>();
    const pairs: [number, number][] = [];
    for (const [position, { terms }] of this.vectors.entries()) {
      const origin = origins[position] ?? '';
      for (const term of terms.toSorted((a, b) => this.frequency(a) - this.frequency(b) || a - b).slice(0, rarest)) {
        const byOrigin = postings.get(term) ?? new Map<string, number[]>();
        for (const [other, positions] of byOrigin) {
          if (other === origin) continue;
          for (const earlier of positions) {
            const pair = earlier * this.vectors.length + position;
            if (!seen.has(pair)) pairs.push([earlier, position]);
            seen.add(pair);
          }
        }
        const own = byOrigin.get(origin) ?? [];
        if (own.length < most) own.push(position);
        postings.set(term, byOrigin.set(origin, own));
      }
    }
    return pairs;
  }

  private count(term: string, numbers: Map<string, number>): number {
    const number = numbers.get(term) ?? numbers.size;
    numbers.set(term, number);
    this.frequencies[number] = this.frequency(number) + 1;
    return number;
  }

  private sumOfShared(left: number, right: number, power: 1 | 2): number {
    const [mine, yours] = [this.vector(left).terms, this.vector(right).terms];
    let sum = 0;
    for (let i = 0, j = 0; i < mine.length && j < yours.length;) {
      const [a = 0, b = 0] = [mine[i], yours[j]];
      if (a === b) sum += this.weight(a) ** power;
      if (a <= b) i += 1;
      if (b <= a) j += 1;
    }
    return sum;
  }

  private vector(text: number): Vector {
    return this.vectors[text] ?? { terms: [], mass: 0, norm: 0 };
  }

  private weight(term: number): number {
    return this.weights[term] ?? 0;
  }

  private frequency(term: number): number {
    return this.frequencies[term] ?? 0;
  }
}
