import { boundedCache, type Cache, type CacheBounds } from '@lib/memory/bounded-cache';

/** What is computed of texts at some expense, and kept for whoever asks for the same. */
export class ComputedOnce<Value extends object | number> {
  private readonly kept: Cache<Value>;
  private turn: Promise<unknown> = Promise.resolve();

  /** @param atOnce how many are computed together: about a third of a second's work, so that an abandoned question does not hold others up */
  constructor(
    bounds: CacheBounds<Value>,
    private readonly atOnce: number,
    private readonly compute: (texts: readonly string[], signal: AbortSignal) => Promise<readonly Value[]>,
  ) {
    this.kept = boundedCache(bounds);
  }

  /**
   * A value for each text, in their order.
   * @throws Error if they cannot be computed, or `signal` is aborted
   */
  async of(texts: readonly string[], signal: AbortSignal): Promise<Value[]> {
    const known = new Map<string, Value>();
    let unknown = [...new Set(texts)];
    while (unknown.length > 0) {
      unknown = unknown.filter((text) => {
        const value = this.kept.get(text);
        if (value !== undefined) known.set(text, value);
        return value === undefined;
      });
      if (unknown.length > 0) await this.computeSome(unknown, signal);
    }
    return texts.map((text) => known.get(text) as Value);
  }

  /** Only one caller at a time, since others mostly ask for the same. */
  private async computeSome(texts: readonly string[], signal: AbortSignal): Promise<void> {
    const before = this.turn;
    const done = Promise.withResolvers<undefined>();
    this.turn = done.promise;
    try {
      await before;
      const unknown = texts.filter((text) => !this.kept.has(text)).slice(0, this.atOnce);
      if (unknown.length === 0) return;
      const values = await this.compute(unknown, signal);
      for (const [at, text] of unknown.entries()) this.kept.set(text, values[at]);
    } finally {
      done.resolve(undefined);
    }
  }
}
