import type { Store } from '@lib/store/store';

/** What a store has committed, to be awaited event by event. */
export class Commits {
  private readonly types = new Map<string, string[]>();
  private waiting: (() => boolean)[] = [];

  constructor(store: Store) {
    store.onCommit(({ appended }) => {
      for (const { record } of appended) this.of(record.streamId).push(record.type);
      this.waiting = this.waiting.filter((isOver) => !isOver());
    });
  }

  /** The types of a stream's events so far. */
  of(streamId: string): string[] {
    const known = this.types.get(streamId) ?? [];
    this.types.set(streamId, known);
    return known;
  }

  /** Resolves once the stream has so many events of the type. */
  until(streamId: string, type: string, times = 1): Promise<void> {
    const isOver = () => this.of(streamId).filter((other) => other === type).length >= times;
    return new Promise((resolve) => {
      const settle = () => {
        if (isOver()) resolve();
        return isOver();
      };
      if (!settle()) this.waiting.push(settle);
    });
  }
}
