import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';

import { tellHolding } from '@lib/memory/holdings';

/** Numbers in a vector. */
const DIMENSIONS = 384;
const NAME = 'all-minilm-l6-v2';
/** Beside the sources, or beside the folder of the built code. */
const [BESIDE_SOURCES, BESIDE_BUILT] = ['../../models', '../../../models'].map((path) => join(__dirname, path, NAME)) as [string, string];
/** A thread idle for this long is ended, to free 120 MB. */
const IDLE_MS = 60_000;
/** At most 25 MB. */
const MAX_KEPT = 6_000;
/** How many texts the thread is given at once: about a third of a second's work, so that an abandoned question does not hold it. */
const AT_ONCE = 64;
/** In characters; the model reads no more than the beginning anyway, and what is kept has a bound. */
const MAX_LENGTH = 1_300;
/** With the text, of two bytes a character. */
const KEPT_BYTES = DIMENSIONS * 4 + 2 * MAX_LENGTH;

/**
 * What whole sentences mean, as directions: a question and a sentence that answers it have a high cosine, also in quite different words. By
 * all-MiniLM-L6-v2 (see `models`), in a thread that is started on demand.
 */
export class SentenceVectors {
  private readonly kept = new LRUCache<string, Float32Array>({ max: MAX_KEPT });
  private turn: Promise<unknown> = Promise.resolve();
  private readonly pool: Piscina<{ folder: string; texts: readonly string[] }, Float32Array>;

  constructor(private readonly folder: string) {
    this.pool = new Piscina({
      filename: require.resolve('./sentence-tasks'),
      ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS, recordTiming: false },
    });
    // The thread failed while nobody waited for it; the next question gets a new one.
    this.pool.on('error', () => undefined);
    tellHolding(this.kept, 'sentences', MAX_KEPT * KEPT_BYTES, ({ size }) => ({ items: size, bytes: size * KEPT_BYTES }));
  }

  /**
   * A vector of length 1 for each text, by its beginning.
   * @throws Error if the model cannot be loaded or run, or `signal` is aborted
   */
  async of(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const read = texts.map((text) => text.slice(0, MAX_LENGTH));
    const known = new Map<string, Float32Array>();
    let unknown = [...new Set(read)];
    while (unknown.length > 0) {
      unknown = unknown.filter((text) => {
        const vector = this.kept.get(text);
        if (vector) known.set(text, vector);
        return vector === undefined;
      });
      if (unknown.length > 0) await this.compute(unknown, signal);
    }
    return read.map((text) => known.get(text) ?? new Float32Array(DIMENSIONS));
  }

  /** Some of them, and only one caller at a time, since others mostly ask for the same. */
  private async compute(texts: readonly string[], signal: AbortSignal): Promise<void> {
    const before = this.turn;
    const done = Promise.withResolvers<undefined>();
    this.turn = done.promise;
    try {
      await before;
      const unknown = texts.filter((text) => !this.kept.has(text)).slice(0, AT_ONCE);
      if (unknown.length === 0) return;
      const vectors = await this.pool.run({ folder: this.folder, texts: unknown }, { signal });
      for (const [at, text] of unknown.entries()) this.kept.set(text, vectors.slice(at * DIMENSIONS, (at + 1) * DIMENSIONS));
    } finally {
      done.resolve(undefined);
    }
  }
}

let opened: SentenceVectors | undefined;

/** One per process. Its thread is started by the first question. */
export function sentenceVectors(): SentenceVectors {
  return (opened ??= new SentenceVectors(existsSync(BESIDE_SOURCES) ? BESIDE_SOURCES : BESIDE_BUILT));
}
