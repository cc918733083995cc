import type { Logger } from 'pino';
import type { PlanTopics } from '@lib/domain/job/commands';
import { MAX_TOPICS, providersOfTopic } from '@lib/domain/job/exploration';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { JobState } from '@lib/domain/job/state';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import { newId } from '@lib/store/new-id';
import { CorruptHistory } from '@lib/store/history/corrupt-history';
import { patiently } from '@lib/store/postgres/answer-within';
import type { Store } from '@lib/store/store';
import type { TopicToExplore } from '@lib/synthesis/exploration';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { oncePerJob } from './once-per-job';
import { recordedInput } from '../reports/recorded-input';
import type { RunTask } from '../reports/report-pool';
import { PoolBusy } from '../reports/pool-busy';
import { untilAborted } from './until-aborted';

/** Jobs explored at a time: the work is CPU-bound, so more would only wait for each other. */
const SLOTS = 4;
const AGAIN_MS = 5_000;

export interface ExplorerTools {
  store: Store;
  transport: Transport;
  /** Recorded with the topics that this process finds. */
  process: ProcessIdentity;
  runTask: RunTask;
  logger: Logger;
}

/** Topic spidering: finds the topics for an open round in the job's reports. The job decides which of them it can afford. */
export class Explorer {
  private subscription: Subscription | null = null;

  private readonly stopping = new AbortController();

  constructor(private readonly tools: ExplorerTools) {}

  async start(): Promise<void> {
    const handle = oncePerJob((delivery) => patiently(() => this.run(delivery)), AGAIN_MS);
    this.subscription = await this.tools.transport.consume({ kind: 'explore' }, SLOTS, handle);
  }

  /** Takes no new rounds and finishes its open ones within `graceMs`; a round that takes longer is left to another explorer. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(), graceMs);
    await this.subscription?.stop();
    clearTimeout(timer);
  }

  private async run(delivery: Delivery): Promise<void> {
    const { jobId } = delivery.work;
    try {
      await this.explore(delivery);
      delivery.ack();
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      // A backup may restore the history; the agenda brings the job back later.
      if (error instanceof CorruptHistory) return delivery.ack();
      this.tools.logger.error({ reason: 'exploration_failed', jobId, err: error }, 'topics could not be looked for; it is tried again');
      delivery.retryAfter(AGAIN_MS);
    }
  }

  private async explore({ work: { jobId }, trace }: Delivery): Promise<void> {
    const state = await this.tools.store.jobs.load(jobId);
    if (!state.exploration.open) return;
    const command = await this.topicsOf(jobId, state);
    if (!command) return;
    const meta = { actor: 'role:synthesizer', correlationId: jobId, trace };
    await this.tools.store.jobs.execute(jobId, { ...command, process: this.tools.process }, meta);
  }

  /** If the reports cannot be opened or explored, the job goes on without further topics. Null if its thread is being deleted. */
  private async topicsOf(jobId: string, state: JobState): Promise<PlanTopics | null> {
    const { store } = this.tools;
    let input: SynthesisInput | null;
    try {
      input = await recordedInput(store, jobId, state);
    } catch (error) {
      store.tellUnsealable(error);
      return withoutTopics(state);
    }
    return input && this.topicsIn(jobId, state, input);
  }

  private async topicsIn(jobId: string, state: JobState, input: SynthesisInput): Promise<PlanTopics> {
    const { round } = state.exploration;
    try {
      const explored = new Map(input.steps.flatMap(({ topic }) => (topic ? [[topic.topic, topic.text]] : [])));
      const found = await untilAborted(this.tools.runTask('topics', input, [...explored.values()], MAX_TOPICS), this.stopping.signal);
      const last = Math.max(0, ...explored.keys());
      const topics = found.map((topic, place) => plannedTopic(topic, last + place + 1, place, state));
      return { type: 'PlanTopics', round, topics, failed: false };
    } catch (error) {
      // Neither error is caused by these reports, so the job waits and is tried again.
      if (this.stopping.signal.aborted || error instanceof PoolBusy) throw error;
      this.tools.logger.error(
        { reason: 'exploration_failed', jobId, err: error },
        'topics could not be looked for; the job goes on without',
      );
      return withoutTopics(state);
    }
  }
}

const withoutTopics = ({ exploration: { round } }: JobState): PlanTopics => ({ type: 'PlanTopics', round, topics: [], failed: true });

function plannedTopic(
  { text, rationale, stepIds }: TopicToExplore,
  topic: number,
  place: number,
  state: JobState,
): PlanTopics['topics'][number] {
  const mentioned = state.steps.filter(({ stepId }) => stepIds.includes(stepId));
  // If the reports on the question itself mention the topic, it is not a child of another topic.
  const parent = mentioned.some((step) => step.topic === null) ? null : (mentioned[0]?.topic?.topic ?? null);
  const candidates = providersOfTopic(state, place).map(({ entry }) => {
    const { reservedMicros: _, wave: __, ...candidate } = entry;
    return { ...candidate, stepId: newId('stp') };
  });
  return { topic, parent, text, rationale, candidates };
}
