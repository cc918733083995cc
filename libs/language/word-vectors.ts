import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { remembering } from './remembering';
import { DIMENSIONS, readShippedVectors, readVectors, readVectorsAtOnce, writeVectors, type VectorTable } from './word-vector-file';

/** The weight of a word in the vector of a text. */
export type WordWeight = (word: string) => number;

/** Smooths the weight of the most frequent words; Arora and others (2017) found 0.001 to 0.0001 best. */
const SMOOTHING = 1e-3;
const FILE = 'word-vectors.bin';
/** Beside the built code. `npm run build` creates it, so that a process in production needs neither the time nor the package of 300 MB. */
const BUILT = join(__dirname, FILE);
/** The build output, when running from the sources. */
const BUILT_OF_SOURCES = join(__dirname, '../../dist/libs/language');

/** The meaning of English words, as directions: words used alike have a high cosine. */
export class WordVectors {
  private readonly rows: ReadonlyMap<string, number>;
  /** The sum of 1/rank over all words, which normalizes Zipf's law to a probability. */
  private readonly harmonic: number;

  constructor(private readonly table: VectorTable) {
    this.rows = new Map(table.words.map((word, row) => [word, row]));
    this.harmonic = Math.log(Math.max(2, table.words.length)) + 0.5772;
  }

  /** All words, most frequent first. */
  get words(): readonly string[] {
    return this.table.words;
  }

  /** Expects a lower-cased word. */
  has(word: string): boolean {
    return this.rows.has(word);
  }

  /** The number of words more frequent than a lower-cased one; undefined for an unknown word. */
  rankOf(word: string): number | undefined {
    return this.rows.get(word);
  }

  /** The vector of a lower-cased word, of length 1; null for an unknown word. */
  vectorOf(word: string): Float32Array | null {
    if (!this.has(word)) return null;
    const vector = new Float32Array(DIMENSIONS);
    this.add(word, 1, vector);
    return vector;
  }

  /**
   * The weighted sum of the words' vectors, scaled to length 1; null if there is none. An unknown word has a direction of its own: names and
   * identifiers resemble only themselves.
   * @param weight by default `frequencyWeight`; pass the inverse document frequency if it is known
   */
  sentenceVector(words: Iterable<string>, weight: WordWeight = this.frequencyWeight): Float32Array | null {
    const sum = new Float32Array(DIMENSIONS);
    for (const word of words) this.add(word, weight(word), sum);
    return unit(sum);
  }

  /** Adds a word's vector, multiplied by a weight, to `sum`. */
  add(word: string, weight: number, sum: Float32Array): void {
    if (weight !== 0) this.adding(word, weight)(sum, 0);
  }

  /** Returns a function that adds the vector at an offset, so that a word in many texts is looked up once. */
  adding(word: string, weight: number): (sum: Float32Array | Float64Array, at: number) => void {
    const row = this.rows.get(word);
    if (row !== undefined) return (sum, at) => addRow(sum, this.table, row, weight, at);
    const direction = ownDirection(word);
    return (sum, at) => addScaled(sum, direction, weight, at);
  }

  /** Higher for rarer words: a / (a + p), where p is the word's frequency by its rank (Zipf's law). 1 for an unknown word. */
  readonly frequencyWeight: WordWeight = (word) => {
    const row = this.rows.get(word);
    return row === undefined ? 1 : SMOOTHING / (SMOOTHING + 1 / ((row + 1) * this.harmonic));
  };
}

/** The cosine of the angle between two vectors: 1 for the same direction, 0 for nothing in common. */
export function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let [product, leftSquare, rightSquare] = [0, 0, 0];
  for (let at = 0; at < left.length; at += 1) {
    const [one, other] = [left[at] ?? 0, right[at] ?? 0];
    product += one * other;
    leftSquare += one * one;
    rightSquare += other * other;
  }
  return product / (Math.sqrt(leftSquare * rightSquare) || 1);
}

/** Includes the buffer. */
const DIRECTION_BYTES = 4 * DIMENSIONS + 400;

/** Derived from the word alone, so it is the same in every process; pseudo-random, so that two of them have almost nothing in common. */
const ownDirection = remembering((word): Float32Array => {
  const vector = new Float32Array(DIMENSIONS);
  let state = crc32(word) || 1;
  for (let at = 0; at < DIMENSIONS; at += 1) {
    // A step of xorshift32 (Marsaglia 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[at] = state / 2 ** 31;
  }
  return unit(vector) ?? vector;
}, DIRECTION_BYTES);

function addScaled(sum: Float32Array | Float64Array, vector: Float32Array, factor: number, start: number): void {
  for (let at = 0; at < DIMENSIONS; at += 1) sum[start + at] = (sum[start + at] ?? 0) + factor * (vector[at] ?? 0);
}

function addRow(sum: Float32Array | Float64Array, { scales, components }: VectorTable, row: number, weight: number, start: number): void {
  const factor = weight * (scales[row] ?? 0);
  const from = row * DIMENSIONS;
  for (let at = 0; at < DIMENSIONS; at += 1) sum[start + at] = (sum[start + at] ?? 0) + factor * (components[from + at] ?? 0);
}

function unit(vector: Float32Array): Float32Array | null {
  const length = Math.hypot(...vector);
  return length === 0 ? null : vector.map((value) => value / length);
}

let opened: Promise<WordVectors> | undefined;

/**
 * The vectors, loaded once per process. If the build's file is missing, the package's vectors are converted, which takes seconds, and the result is
 * kept in the cache folder.
 * @param cacheFolder null, or not writable: the conversion serves this process only
 */
export function openWordVectors(cacheFolder: string | null): Promise<WordVectors> {
  opened ??= load(cacheFolder).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** Size of the smaller table. The other words of 100,000 hardly improve similarity, but take a thread eight times the memory. */
export const FREQUENT_WORDS = 20_000;
export const FREQUENT_FILE = 'frequent-word-vectors.bin';
let frequent: WordVectors | undefined;

/**
 * The vectors of the most frequent words, once per thread and without waiting.
 * @throws Error if nothing was built, or the file was damaged
 */
export function frequentWordVectors(): WordVectors {
  return (frequent ??= new WordVectors(
    readVectorsAtOnce(join(__dirname, FREQUENT_FILE)) ?? readVectorsAtOnce(join(BUILT_OF_SOURCES, FREQUENT_FILE)) ?? notBuilt(),
  ));
}

function notBuilt(): never {
  throw new Error(`${join(__dirname, FREQUENT_FILE)} is missing or damaged: build with make build`);
}

async function load(cacheFolder: string | null): Promise<WordVectors> {
  const file = cacheFolder === null ? null : join(cacheFolder, FILE);
  const kept = (await readVectors(BUILT)) ?? (file && (await readVectors(file)));
  if (kept) return new WordVectors(kept);
  const shipped = await readShippedVectors();
  if (file) await writeVectors(file, shipped).catch(() => undefined);
  return new WordVectors(shipped);
}
