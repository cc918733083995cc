import type { Logger } from 'pino';
import { endsWithin } from '../runtime/in-time';

/**
 * Takes no new work from now on. Resolves once the running work has ended; work that takes longer than `withinMs` is left to other processes, to
 * the next start, or to a lease.
 */
export type StopIntake = (withinMs: number) => Promise<unknown>;

/** Additional time in which the parts hand back or release work that they could not finish. */
const LEAVING_MS = 1_000;

/** The parts of a process that take in work: requests, wake-ups, due entries. */
export class Intakes {
  private readonly stops = new Map<string, StopIntake>();

  constructor(private readonly logger: Logger) {}

  add(name: string, stop: StopIntake): void {
    this.stops.set(name, stop);
  }

  /** Stops all parts before waiting for any, and resolves in time even if one hangs. */
  async drain(withinMs: number): Promise<void> {
    const busy = new Set(this.stops.keys());
    const ends = [...this.stops].map(async ([name, stop]) => {
      try {
        await stop(withinMs);
      } catch (error) {
        this.logger.error({ reason: 'stop_failed', part: name, err: error });
      }
      busy.delete(name);
    });
    this.stops.clear();
    if (!(await endsWithin(Promise.all(ends), withinMs + LEAVING_MS)))
      this.logger.warn({ reason: 'drain_over', parts: [...busy], withinMs }, 'a stopping process leaves what it had in hand');
  }
}
