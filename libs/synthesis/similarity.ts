/** A text as the terms it has, each once. */
export type Terms = ReadonlySet<string>;

const FAINT = 0.1;
const NO_TERMS: readonly number[] = [];

/** Pairs of texts by their positions, those with the same higher one together: its lower ones are `lefts` from `begins[higher]` to `begins[higher + 1]`. */
export interface Pairs {
  lefts: readonly number[];
  begins: Int32Array;
}

/**
 * Compares texts by their terms, the rarer the heavier (inverse document frequency over the texts given). Texts go by their position. What is
 * known of each is kept in one array for all: a job has many texts, and an object for each would be most of what it allocates.
 */
export class Similarity {
  private readonly numbers = new Map<string, number>();
  /** By term number. */
  private readonly frequencies: number[] = [];
  private readonly weights: Float64Array;
  private readonly squares: Float64Array;
  private readonly isFaint: Uint8Array;
  /** By text: its term numbers, ascending, and how many of them are not faint. */
  private readonly terms: number[][] = [];
  private readonly tellingCounts: number[] = [];
  /** By text: the sum of its weights, and the square root of the sum of their squares. */
  private readonly masses: number[] = [];
  private readonly norms: number[] = [];
  /** By term number the text, counted from 1, that was compared last and has it; and that text. */
  private readonly marks: Int32Array;
  private marked = -1;

  /** Terms that are `faint` weigh a tenth: what all texts speak of tells none from another. */
  constructor(texts: readonly Terms[], faint?: Terms) {
    const known = new Map<Terms, number[]>();
    const documents = texts.map((terms) => this.counted(terms, known));
    const size = this.frequencies.length;
    this.weights = new Float64Array(size);
    this.squares = new Float64Array(size);
    this.isFaint = new Uint8Array(size);
    this.marks = new Int32Array(size);
    for (const term of faint ?? []) this.isFaint[this.numbers.get(term) ?? size] = 1;
    for (let term = 0; term < size; term += 1) {
      const weight = Math.log(1 + texts.length / this.frequency(term));
      const counted = this.isFaint[term] === 1 ? FAINT * weight : weight;
      this.weights[term] = counted;
      this.squares[term] = counted * counted;
    }
    for (const terms of documents) this.keep(terms);
  }

  /** Takes in a part of one of the texts, which changes no weight; returns its position. */
  add(part: Terms): number {
    const terms: number[] = [];
    for (const term of part) {
      const number = this.numbers.get(term);
      if (number !== undefined) insertAscending(terms, number);
    }
    return this.keep(terms);
  }

  /** Cosine of the two weighted term vectors, 0 to 1. */
  cosine(left: number, right: number): number {
    const norms = (this.norms[left] ?? 0) * (this.norms[right] ?? 0);
    return norms === 0 ? 0 : this.sumOfShared(left, right, this.squares) / norms;
  }

  /** The share of `inner`'s weight that `outer` has too, 0 to 1. */
  containment(inner: number, outer: number): number {
    const mass = this.mass(inner);
    return mass === 0 ? 0 : this.sharedMass(inner, outer) / mass;
  }

  /** How many terms it has that are not faint. */
  tellingTermCount(text: number): number {
    return this.tellingCounts[text] ?? 0;
  }

  /** The weight of the terms that both have, and the weight of all terms of one. */
  sharedMass(left: number, right: number): number {
    return this.sumOfShared(left, right, this.weights);
  }

  mass(text: number): number {
    return this.masses[text] ?? 0;
  }

  /**
   * Pairs of the first texts, one for each of `origins`, that are of different origins and share one of the `rarest` rarest terms of each,
   * lower position first. Texts of one origin stand together. A term pairs a text with at most `most` texts of each other origin, so that a
   * term that all have does not make all pairs.
   */
  candidates(origins: readonly string[], rarest: number, most: number): Pairs {
    const lefts: number[] = [];
    const begins = new Int32Array(origins.length + 1);
    /** By term the texts that have it, and how many of them are of the last one's origin. */
    const postings: number[][] = [];
    const ownCounts = new Uint32Array(this.frequencies.length);
    /** For each text the last one that it was paired with. */
    const pairedWith = new Int32Array(origins.length).fill(-1);
    let begin = 0;
    for (let position = 0; position < origins.length; position += 1) {
      if (origins[position] !== origins[begin]) begin = position;
      const terms = this.rarestOf(this.terms[position] ?? NO_TERMS, rarest);
      for (let rank = 0; rank < terms.length; rank += 1) {
        const term = terms[rank] ?? 0;
        const posting = (postings[term] ??= []);
        for (let place = 0; place < posting.length; place += 1) {
          const earlier = posting[place] ?? 0;
          if (earlier >= begin) break;
          if (pairedWith[earlier] === position) continue;
          pairedWith[earlier] = position;
          lefts.push(earlier);
        }
        const own = (posting.at(-1) ?? -1) >= begin ? (ownCounts[term] ?? 0) : 0;
        if (own >= most) continue;
        posting.push(position);
        ownCounts[term] = own + 1;
      }
      begins[position + 1] = lefts.length;
    }
    return { lefts, begins };
  }

  /** The rarest first, of equals the lower number. */
  private rarestOf(terms: readonly number[], most: number): readonly number[] {
    if (terms.length <= most) return terms;
    const rarest: number[] = [];
    for (let next = 0; next < terms.length; next += 1) {
      const term = terms[next] ?? 0;
      const frequency = this.frequency(term);
      let place = rarest.length;
      while (place > 0 && this.frequency(rarest[place - 1] ?? 0) > frequency) place -= 1;
      if (place >= most) continue;
      if (rarest.length < most) rarest.push(term);
      for (let at = rarest.length - 1; at > place; at -= 1) rarest[at] = rarest[at - 1] ?? 0;
      rarest[place] = term;
    }
    return rarest;
  }

  /** The numbers of a text's terms, ascending, which are counted. Texts with the very same terms share them. */
  private counted(terms: Terms, known: Map<Terms, number[]>): number[] {
    const shared = known.get(terms);
    if (shared) {
      for (let at = 0; at < shared.length; at += 1) this.frequencies[shared[at] ?? 0] = this.frequency(shared[at] ?? 0) + 1;
      return shared;
    }
    const numbers: number[] = [];
    known.set(terms, numbers);
    for (const term of terms) {
      const number = this.numbers.get(term);
      if (number === undefined) {
        numbers.push(this.frequencies.length);
        this.numbers.set(term, this.frequencies.push(1) - 1);
      } else {
        this.frequencies[number] = this.frequency(number) + 1;
        insertAscending(numbers, number);
      }
    }
    return numbers;
  }

  private keep(terms: number[]): number {
    let telling = 0;
    let mass = 0;
    let squares = 0;
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms[at] ?? 0;
      if (this.isFaint[term] === 0) telling += 1;
      mass += this.weights[term] ?? 0;
      squares += this.squares[term] ?? 0;
    }
    this.tellingCounts.push(telling);
    this.masses.push(mass);
    this.norms.push(Math.sqrt(squares));
    return this.terms.push(terms) - 1;
  }

  /** Pairs mostly come with the same right text many times in a row, whose terms are marked once. */
  private sumOfShared(left: number, right: number, weights: Float64Array): number {
    const mark = right + 1;
    const mine = this.terms[left] ?? NO_TERMS;
    const yours = this.terms[right] ?? NO_TERMS;
    // By their places: what goes through an array otherwise makes an object for each element until it is optimised.
    if (this.marked !== right) for (let at = 0; at < yours.length; at += 1) this.marks[yours[at] ?? 0] = mark;
    this.marked = right;
    let sum = 0;
    for (let at = 0; at < mine.length; at += 1) {
      const term = mine[at] ?? 0;
      if (this.marks[term] === mark) sum += weights[term] ?? 0;
    }
    return sum;
  }

  private frequency(term: number): number {
    return this.frequencies[term] ?? 0;
  }
}

/** Terms come nearly in order, since most are new. */
function insertAscending(numbers: number[], number: number): void {
  let at = numbers.length;
  numbers.push(number);
  for (; at > 0 && (numbers[at - 1] ?? 0) > number; at -= 1) numbers[at] = numbers[at - 1] ?? 0;
  numbers[at] = number;
}
