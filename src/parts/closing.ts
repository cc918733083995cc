import { endsWithin } from '../runtime/in-time';

/** For all that is closed briefly, one after the other. */
const ALL_WITHIN_MS = 2_000;
const EACH_WITHIN_MS = 1_000;
/** Enough for what needs no server's answer. */
const LEAST_MS = 20;

/** What a process closes at its end, last first. */
export class Closing extends AsyncDisposableStack {
  private leftMs = ALL_WITHIN_MS;

  /** Waits only briefly: work left over by the drain may never end, nor may what is asked of a server that is silent. */
  deferBriefly(close: () => Promise<unknown>): void {
    this.defer(async () => {
      const began = performance.now();
      await endsWithin(close(), Math.min(EACH_WITHIN_MS, Math.max(LEAST_MS, this.leftMs)));
      this.leftMs -= performance.now() - began;
    });
  }
}
