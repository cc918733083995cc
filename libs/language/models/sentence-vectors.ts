import { ComputedOnce } from './computed-once';
import { modelFolder, runModel } from './model-thread';

/** Numbers in a vector. */
const DIMENSIONS = 384;
/** In characters; the model reads no more than the beginning anyway, and what is kept has a bound. */
const MAX_LENGTH = 1_300;
/** At most 25 MB. The bytes are those of a vector and its text, of two bytes a character. */
const LIMITS = { kept: 6_000, bytes: DIMENSIONS * 4 + 2 * MAX_LENGTH, atOnce: 64 };

/**
 * What whole sentences mean, as directions: a question and a sentence that answers it have a high cosine, also in quite different words. By
 * all-MiniLM-L6-v2 (see `models`).
 */
export class SentenceVectors {
  private readonly vectors: ComputedOnce<Float32Array>;

  /** @param folder has the model */
  constructor(folder: string) {
    this.vectors = new ComputedOnce('sentences', LIMITS, (texts, signal) => runModel('vectorsOf', { folder, texts }, signal));
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
