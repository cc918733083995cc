import { Piscina } from 'piscina';
import { batch, type BatchLimits } from '@lib/batching/batch';
import type { Answer, Call } from './answer-calls';
import { PoolTimeout } from './pool-timeout';

export interface PoolLimits {
  /** A thread that needs more memory is ended; the process lives on. */
  heapMb: number;
  /** Size of the young generation of its heap. A larger one is faster, but its memory is kept. */
  youngMb: number;
  /** A thread that takes longer than this for a message is ended. */
  timeMs: number;
  /** A thread idle for this long is ended, to free its memory. */
  idleMs: number;
}

/** A thread that is started on demand. If a call ends it, only that call fails, and the next one gets a new thread. */
export class PoolLane {
  readonly answer: (call: Call) => Promise<Answer>;
  private readonly pool: Piscina<readonly Call[], Answer[]>;
  private closed = false;

  constructor(
    /** The module that a thread loads to answer a call. */
    private readonly moduleOf: (call: Call) => string,
    private readonly limits: PoolLimits,
    together: BatchLimits<Call>,
    /** Called when a thread ended by itself while no call waited for it. */
    failed: (error: unknown) => void,
  ) {
    const { heapMb, youngMb, idleMs } = limits;
    this.pool = new Piscina({
      ...{ minThreads: 0, maxThreads: 1, idleTimeout: idleMs, recordTiming: false },
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
    });
    this.pool.on('error', failed);
    this.answer = batch((calls) => this.send(calls), together);
  }

  /** Ends the thread; running calls fail. */
  async close(): Promise<void> {
    this.closed = true;
    await this.pool.destroy();
  }

  private async send(calls: readonly Call[]): Promise<Answer[]> {
    try {
      return await this.inThread(calls);
    } catch (error) {
      if (calls.length === 1) return [{ error }];
      // Sent one by one, so that only the call that ends the thread fails and not the others.
      const answers: Answer[] = [];
      for (const call of calls) answers.push(...(await this.send([call])));
      return answers;
    }
  }

  private async inThread(calls: readonly Call[]): Promise<Answer[]> {
    if (this.closed) throw new Error('the threads for reports are closed');
    const [first] = calls as [Call];
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.limits.timeMs);
    try {
      return await this.pool.run(calls, { filename: this.moduleOf(first), signal: late.signal });
    } catch (error) {
      if (!late.signal.aborted) throw error;
      throw new PoolTimeout(this.limits.timeMs, error);
    } finally {
      clearTimeout(timer);
    }
  }
}
