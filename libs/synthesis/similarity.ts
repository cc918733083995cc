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

  /** Pairs of texts (lower position first) that share one of their `rarest` rarest terms; a term in more than `most` texts pairs only neighbours. */
  candidates(rarest: number, most: number): [number, number][] {
    const postings = new Map<number, number[]>();
    const seen = new Set<number>();
    const pairs: [number, number][] = [];
    for (const [position, { terms }] of this.vectors.entries()) {
      for (const term of terms.toSorted((a, b) => this.frequency(a) - this.frequency(b) || a - b).slice(0, rarest)) {
        const earlier = postings.get(term) ?? [];
        for (const other of earlier.slice(-most)) {
          const pair = other * this.vectors.length + position;
          if (!seen.has(pair)) pairs.push([other, position]);
          seen.add(pair);
        }
        earlier.push(position);
        postings.set(term, earlier);
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
