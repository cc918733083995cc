/** Longest time that callers may use of one turn of the event loop, so that other requests are answered in between. */
const TURN_MS = 0.25;

/**
 * Lets many callers act one after another, only briefly in each turn of the event loop, so that other requests are answered in between. A
 * caller's work up to its first `await` is done before the next one's turn begins.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isComing = false;

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.push(resolve);
    if (!this.isComing) this.goOnLater();
    return promise;
  }

  private goOnLater(): void {
    this.isComing = true;
    setImmediate(() => this.give(performance.now() + TURN_MS));
  }

  private give(until: number): void {
    this.waiting.shift()?.();
    // A tick that is asked for in a microtask comes once no microtask is left: by then this turn is over.
    queueMicrotask(() => process.nextTick(() => this.goOn(until)));
  }

  private goOn(until: number): void {
    if (this.waiting.length === 0) this.isComing = false;
    else if (performance.now() < until) this.give(until);
    else this.goOnLater();
  }
}
