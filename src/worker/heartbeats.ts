/** A beat may come early by one such slice of the interval, so that many attempts beat together. */
const SLICES = 10;

/** An attempt, which keeps its lease only as long as it beats. */
export interface Beating {
  beat(): Promise<void>;
}

/**
 * One timer for all attempts of a worker. Each attempt beats once per interval. Attempts due in the same tenth of it beat together, so that thousands
 * share a few messages.
 */
export class Heartbeats {
  /** When each attempt is due, earliest first: insertion order suffices, since all have the same interval. */
  private readonly due = new Map<Beating, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly intervalMs: number) {}

  /** The first beat comes within one interval. */
  begin(attempt: Beating): void {
    this.due.set(attempt, performance.now() + this.intervalMs);
    this.timer ??= setInterval(() => this.tick(), this.intervalMs / SLICES);
  }

  end(attempt: Beating): void {
    this.due.delete(attempt);
    if (this.due.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(): void {
    const now = performance.now();
    for (const [attempt, dueAt] of this.due) {
      if (dueAt > now + this.intervalMs / SLICES) return;
      this.due.delete(attempt);
      this.due.set(attempt, now + this.intervalMs);
      void attempt.beat();
    }
  }
}
