/** A text as the terms it has, each once. */
export type Terms = ReadonlySet<string>;

const FAINT = 0.1;

interface Vector {
  /** Term numbers, ascending. */
  terms: Uint32Array;
  /** Sum of the weights, and the square root of the sum of their squares. */
  mass: number;
  norm: number;
  /** How many of the terms are not faint. */
  telling: number;
}

const NOTHING: Vector = { terms: new Uint32Array(), mass: 0, norm: 0, telling: 0 };

/** The texts of one origin that have a term. */
interface Posting {
  origin: string;
  positions: number[];
}

/** Compares texts by their terms, the rarer the heavier (inverse document frequency over the texts given). Texts go by their position. */
export class Similarity {
  /** By term number, as `squares` of them and `frequencies` are. */
  private readonly weights: number[];
  private readonly squares: readonly number[];
  private readonly frequencies: number[] = [];
  private readonly vectors: Vector[];
  private readonly numbers = new Map<string, number>();
  private readonly faint = new Set<number>();

  /** Terms that are `faint` weigh a tenth: what all texts speak of tells none from another. */
  constructor(texts: readonly Terms[], faint: Terms = new Set()) {
    const documents = texts.map((terms) => ascending([...terms].map((term) => this.count(term))));
    this.weights = this.frequencies.map((frequency) => Math.log(1 + texts.length / frequency));
    for (const term of faint) {
      const number = this.numbers.get(term);
      if (number === undefined) continue;
      this.faint.add(number);
      this.weights[number] = FAINT * (this.weights[number] ?? 0);
    }
    this.squares = this.weights.map((weight) => weight * weight);
    this.vectors = documents.map((terms) => this.vectorOf(terms));
  }

  /** Takes in a part of one of the texts, which changes no weight; returns its position. */
  add(part: Terms): number {
    const terms = [...part].flatMap((term) => this.numbers.get(term) ?? []);
    return this.vectors.push(this.vectorOf(ascending(terms))) - 1;
  }

  /** Cosine of the two weighted term vectors, 0 to 1. */
  cosine(left: number, right: number): number {
    const norms = this.vector(left).norm * this.vector(right).norm;
    return norms === 0 ? 0 : this.sumOfShared(left, right, this.squares) / norms;
  }

  /** The share of `inner`'s weight that `outer` has too, 0 to 1. */
  containment(inner: number, outer: number): number {
    const mass = this.mass(inner);
    return mass === 0 ? 0 : this.sharedMass(inner, outer) / mass;
  }

  termCount(text: number): number {
    return this.vector(text).terms.length;
  }

  /** How many terms it has that are not faint. */
  tellingTermCount(text: number): number {
    return this.vector(text).telling;
  }

  /** The weight of the terms that both have, and the weight of all terms of one. */
  sharedMass(left: number, right: number): number {
    return this.sumOfShared(left, right, this.weights);
  }

  mass(text: number): number {
    return this.vector(text).mass;
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

  private vectorOf(terms: Uint32Array): Vector {
    let telling = terms.length;
    if (this.faint.size > 0) for (const term of terms) if (this.faint.has(term)) telling -= 1;
    return { terms, mass: sumOf(terms, this.weights), norm: Math.sqrt(sumOf(terms, this.squares)), telling };
  }

  private count(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) {
      this.frequencies[known] = this.frequency(known) + 1;
      return known;
    }
    this.numbers.set(term, this.numbers.size);
    return this.frequencies.push(1) - 1;
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
    return this.vectors[text] ?? NOTHING;
  }

  private frequency(term: number): number {
    return this.frequencies[term] ?? 0;
  }
}

function ascending(numbers: readonly number[]): Uint32Array {
  return new Uint32Array(numbers).sort();
}

function sumOf(terms: Uint32Array, weights: readonly number[]): number {
  let sum = 0;
  for (const term of terms) sum += weights[term] ?? 0;
  return sum;
}
