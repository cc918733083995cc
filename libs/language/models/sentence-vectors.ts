import { ComputedOnce } from './computed-once';
import { modelFolder, runModel } from './model-thread';

/** Numbers in a vector. */
const DIMENSIONS = 384;
/** In characters; the model reads no more than the beginning anyway, and what is kept has a bound. */
const MAX_LENGTH = 1_300;
/** About 7,000 of them. The text counts two bytes a character, one of which the cache adds. */
const BOUNDS = { name: 'sentences', maxBytes: 25_000_000, bytesOf: () => DIMENSIONS * 4 + MAX_LENGTH };
const AT_ONCE = 64;

/**
 * What whole sentences mean, as directions: a question and a sentence that answers it have a high cosine, also in quite different words. By
 * all-MiniLM-L6-v2 (see `models`).
 */
export class SentenceVectors {
  private readonly vectors: ComputedOnce<Float32Array>;

  /** @param folder has the model */
  constructor(folder: string) {
    this.vectors = new ComputedOnce(BOUNDS, AT_ONCE, (texts, signal) => runModel('vectorsOf', { folder, texts }, signal));
  }

  /**
   * A vector of length 1 for each text, by its beginning.
   * @throws Error if the model cannot be loaded or run, or `signal` is aborted
   */
  of(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    return this.vectors.of(
      texts.map((text) => text.slice(0, MAX_LENGTH)),
      signal,
    );
  }
}

let opened: SentenceVectors | undefined;

/** One per process. */
export const sentenceVectors = (): SentenceVectors => (opened ??= new SentenceVectors(modelFolder('all-minilm-l6-v2')));
