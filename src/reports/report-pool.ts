import type { Logger } from 'pino';
import { tellHolding, type Held } from '@lib/memory/holdings';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { Call } from './answer-calls';
import type { EXPLORATION_TASKS } from './exploration-tasks';
import type { SYNTHESIS_TASKS } from './synthesis-tasks';
import { PoolLane, type PoolLimits } from './pool-lane';
import { PoolBusy } from './pool-busy';
import { TwoLanes } from './two-lanes';

type Citations = SynthesisInput['steps'][number]['citations'];

export type Tasks = typeof SYNTHESIS_TASKS & typeof EXPLORATION_TASKS;

/** Runs a task on a job's reports. Rejects if it throws, if its thread ends, and with `PoolBusy` if too many calls wait already. */
export type RunTask = <Task extends keyof Tasks>(task: Task, ...given: Parameters<Tasks[Task]>) => Promise<ReturnType<Tasks[Task]>>;

/** A small call that exceeds this time (100 times the usual) moves to the other thread, so that it does not delay the rest. */
const SMALL: PoolLimits = { heapMb: 256, youngMb: 48, timeMs: 5_000, idleMs: 60_000 };
/** Ended soon when idle: it leaves much memory behind, and starting it again takes less time than one of its calls. */
const LARGE: PoolLimits = { heapMb: 1024, youngMb: 16, timeMs: 60_000, idleMs: 5_000 };
/** Limit on waiting and running calls; more are refused. Queue consumers have fewer slots than that. */
const MAX_CALLS = 64;
/**
 * With more calls than this, briefs are refused: there is no limit on claims, and a claim works without a brief, but a job needs its report.
 */
const MAX_CALLS_WITH_BRIEFS = 32;
/** Limit on the total size of these calls' inputs. A larger input is accepted if it is the only one. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Estimated overhead of a call beside its reports, and of a citation beside its texts. */
const CALL_BYTES = 4 * 1024;
const CITATION_BYTES = 300;

/** Work of this weight takes tens of milliseconds; with eight times the weight, a second (`make bench-synthesis`). */
const LARGE_WEIGHT = 64 * 1024;
/** A citation takes about as much time as this many characters of a report, beside its texts. */
const CITATION_WEIGHT = 20;
/** Small calls that are sent to the thread in one message, which costs a fifth of separate messages. */
const MAX_TOGETHER = 16;

const SYNTHESIS_MODULE = require.resolve('./synthesis-tasks');
const EXPLORATION_MODULE = require.resolve('./exploration-tasks');
const moduleOf = ({ task }: Call): string => (task === 'topics' ? EXPLORATION_MODULE : SYNTHESIS_MODULE);

/**
 * The threads in which a process reads and compares reports, to keep its event loop free: one for small inputs and one for large ones, so that a
 * small job does not wait for a large one.
 */
export class ReportPool {
  private readonly small: PoolLane;
  private readonly large: PoolLane;
  private readonly lanes: TwoLanes;
  private calls = 0;
  private bytes = 0;

  constructor(logger: Logger) {
    const failed = (error: unknown) => logger.error({ reason: 'idle_thread_failed', err: error }, 'a thread for reports ended by itself');
    this.small = new PoolLane(moduleOf, SMALL, { maxItems: MAX_TOGETHER, maxBytes: LARGE_WEIGHT, sizeOf: weightOf }, failed);
    this.large = new PoolLane(moduleOf, LARGE, { maxItems: 1 }, failed);
    this.lanes = new TwoLanes(this.small, this.large);
    tellHolding(this, 'calls of report threads', MAX_BYTES, ReportPool.heldBy);
  }

  readonly run: RunTask = async (task, ...given) => {
    if (this.calls >= (task === 'brief' ? MAX_CALLS_WITH_BRIEFS : MAX_CALLS))
      throw new PoolBusy(`${String(this.calls)} calls wait for the threads for reports; no more are taken`);
    const call: Call = { task, given };
    const bytes = bytesOf(call);
    if (this.calls > 0 && this.bytes + bytes > MAX_BYTES)
      throw new PoolBusy(`calls of ${String(this.bytes)} bytes wait for the threads for reports; ${String(bytes)} more are not taken`);
    const isLarge = task === 'topics' || weightOf(call) > LARGE_WEIGHT;
    this.calls += 1;
    this.bytes += bytes;
    try {
      const answer = await this.lanes.answer(call, !isLarge);
      if ('error' in answer) throw answer.error;
      return answer.value as ReturnType<Tasks[typeof task]>;
    } finally {
      this.calls -= 1;
      this.bytes -= bytes;
    }
  };

  private static heldBy({ calls, bytes }: ReportPool): Held {
    return { items: calls, bytes };
  }

  /** Ends the threads; running calls fail. */
  async close(): Promise<void> {
    await Promise.all([this.small.close(), this.large.close()]);
  }
}

function bytesOf({ given: [first] }: Call): number {
  const { steps = [] } = first as Partial<SynthesisInput>;
  const citations = steps.flatMap((step) => step.citations);
  const reports = steps.reduce((sum, { reportMarkdown }) => sum + reportMarkdown.length, 0);
  return CALL_BYTES + citations.length * CITATION_BYTES + 2 * (lettersOf(citations) + reports);
}

function weightOf({ given: [first] }: Call): number {
  const { steps = [] } = first as Partial<SynthesisInput>;
  return steps.reduce((sum, { reportMarkdown, citations }) => sum + reportMarkdown.length + weightOfCitations(citations), 0);
}

const weightOfCitations = (citations: Citations): number => CITATION_WEIGHT * citations.length + lettersOf(citations);

function lettersOf(citations: Citations): number {
  return citations.reduce((sum, { url, title, snippet }) => sum + url.length + (title?.length ?? 0) + (snippet?.length ?? 0), 0);
}
