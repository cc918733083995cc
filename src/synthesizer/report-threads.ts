import { Piscina } from 'piscina';
import type { Logger } from 'pino';
import { batch } from '@lib/batching/batch';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { Answer, Call } from './answer-calls';
import type { EXPLORATION_TASKS } from './exploration-thread';
import type { REPORT_TASKS } from './report-tasks';

export type Tasks = typeof REPORT_TASKS & typeof EXPLORATION_TASKS;

/** Runs a task on what the reports of a job say. Rejects if it throws, or if its thread is ended. */
export type RunTask = <Task extends keyof Tasks>(task: Task, ...given: Parameters<Tasks[Task]>) => Promise<ReturnType<Tasks[Task]>>;

export interface ThreadLimits {
  /** A thread that needs more memory is ended as out of memory; the process lives on. */
  heapMb: number;
  /** A thread that takes longer is ended. */
  timeMs: number;
  /** Calls that are waiting or under way; more are refused. Who consumes a queue has fewer slots than that. */
  calls: number;
  /** An idle thread is ended after so long, and its memory is given back. */
  idleMs: number;
}

const LIMITS: ThreadLimits = { heapMb: 1024, timeMs: 60_000, calls: 64, idleMs: 60_000 };
const SYNTHESIS_THREAD = require.resolve('./synthesis-thread');
const EXPLORATION_THREAD = require.resolve('./exploration-thread');
/** One for small calls and one for large ones, so that a small job never waits for a large one. */
const THREADS = 2;
/** Work of this weight takes tens of milliseconds; eight times as much a second (`make bench-synthesis`). */
const LARGE = 64 * 1024;
/** A citation costs about as much time as so many characters of a report. */
const CITATION_WEIGHT = 20;
/** Small calls that travel to a thread in one message, which costs a fifth of what as many messages do. */
const MOST_TOGETHER = 16;

/**
 * The threads of a process in which reports are read and compared, so that its event loop never does that. They are started when they are
 * needed. A call that ends its thread fails alone, and the next one gets a new thread.
 */
export class ReportThreads {
  private readonly pool: Piscina<Call[], Answer[]>;
  private readonly small: (call: Call) => Promise<Answer>;
  private readonly large: (call: Call) => Promise<Answer>;
  private calls = 0;
  private closed = false;

  constructor(
    logger: Logger,
    private readonly limits = LIMITS,
    private readonly threadOf = (task: string) => (task === 'topics' ? EXPLORATION_THREAD : SYNTHESIS_THREAD),
  ) {
    this.pool = new Piscina({
      ...{ minThreads: 0, maxThreads: THREADS, idleTimeout: limits.idleMs },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      recordTiming: false,
    });
    this.pool.on('error', (error) => logger.error({ reason: 'idle_thread_failed', err: error }, 'a thread for reports ended by itself'));
    const send = (calls: Call[]) => this.send(calls);
    this.small = batch(send, { maxItems: MOST_TOGETHER, maxBytes: LARGE, sizeOf: weightOf });
    this.large = batch(send, { maxItems: 1 });
  }

  readonly run: RunTask = async (task, ...given) => {
    if (this.calls >= this.limits.calls)
      throw new Error(`${String(this.calls)} calls wait for the threads of the reports; no more are taken`);
    const call: Call = { task, given };
    this.calls += 1;
    try {
      const answer = await (task === 'topics' || weightOf(call) > LARGE ? this.large(call) : this.small(call));
      if ('error' in answer) throw answer.error;
      return answer.value as ReturnType<Tasks[typeof task]>;
    } finally {
      this.calls -= 1;
    }
  };

  /** Ends the threads; what is under way fails. */
  async close(): Promise<void> {
    this.closed = true;
    await this.pool.destroy();
  }

  private async send(calls: Call[]): Promise<Answer[]> {
    try {
      return await this.inThread(calls);
    } catch (error) {
      if (calls.length === 1) return [{ error }];
      // Each for itself, so that the others do not fail with the one that ended the thread.
      const answers: Answer[] = [];
      for (const call of calls) answers.push(...(await this.send([call])));
      return answers;
    }
  }

  private async inThread(calls: Call[]): Promise<Answer[]> {
    if (this.closed) throw new Error('the threads for reports are closed');
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.limits.timeMs);
    try {
      return await this.pool.run(calls, { filename: this.threadOf(calls[0]?.task ?? ''), signal: late.signal });
    } catch (error) {
      if (!late.signal.aborted) throw error;
      throw new Error(`the thread did not finish within ${String(this.limits.timeMs)} ms and was ended`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

function weightOf({ given: [first] }: Call): number {
  const { steps = [] } = first as Partial<SynthesisInput>;
  return steps.reduce((sum, { reportMarkdown, citations }) => sum + reportMarkdown.length + CITATION_WEIGHT * citations.length, 0);
}
