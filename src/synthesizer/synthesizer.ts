import type { Logger } from 'pino';
import type { JobCommand } from '@lib/domain/job-commands';
import type { JobState } from '@lib/domain/job-state';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import type { Store } from '@lib/store/store';
import type { Synthesis, SynthesisInput } from '@lib/synthesis/synthesis';
import { killPoint } from '../kill-point';
import { recordedInput } from './recorded-input';

/** Jobs synthesized at a time: the work is CPU, so more would only wait for each other. */
const SLOTS = 16;
/** A report that kills the synthesizer must not do so for ever. */
const MAX_TRIES = 5;

/** Turns a job's recorded steps into its report. The wake-up says which job; what is due is asked of the database. */
export class Synthesizer {
  private subscription: Subscription | null = null;
  /** Jobs whose synthesis is running or waits for its turn: longer than a wake-up waits for its answer. */
  private readonly inHand = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly transport: Transport,
    private readonly synthesize: (input: SynthesisInput) => Synthesis | Promise<Synthesis>,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.subscription = await this.transport.consume({ kind: 'synthesis' }, SLOTS, (delivery) => this.run(delivery));
  }

  async stop(): Promise<void> {
    await this.subscription?.stop();
  }

  private async run(delivery: Delivery): Promise<void> {
    const { jobId } = delivery.work;
    if (this.inHand.has(jobId)) {
      delivery.retryAfter(AGAIN_MS);
      return;
    }
    this.inHand.add(jobId);
    try {
      await this.finish(jobId);
      delivery.ack();
    } catch (error) {
      this.logger.error({ reason: 'synthesis_failed', jobId, err: error }, 'a synthesis failed; it is tried again');
      delivery.retryAfter(AGAIN_MS);
    } finally {
      this.inHand.delete(jobId);
    }
  }

  private async finish(jobId: string): Promise<void> {
    const tries = await this.store.agenda.beginSynthesis(jobId);
    if (tries === null) return;
    if (tries > MAX_TRIES) return this.execute(jobId, { type: 'FailSynthesis' });
    const state = await this.stateOf(jobId);
    const input = state.status === 'synthesizing' ? await recordedInput(this.store, jobId, state) : null;
    if (!input) return;
    const synthesis = await this.synthesize(input);
    killPoint('final.before-commit');
    await this.execute(jobId, { type: 'CompleteJob', ...synthesis });
    killPoint('final.after-commit');
  }

  private async execute(jobId: string, command: JobCommand): Promise<void> {
    const meta = { actor: 'role:synthesizer', correlationId: jobId, traceparent: null };
    await this.store.execute.execute({ meta, commands: [{ kind: 'job', streamId: jobId, command }] });
  }

  /** What is remembered may be older than the report that made the synthesis due. */
  private async stateOf(jobId: string): Promise<JobState> {
    const recalled = (await this.store.execute.recall(jobId)).state as JobState;
    if (recalled.status === 'synthesizing') return recalled;
    return (await this.store.execute.load([jobId])).get(jobId)?.state as JobState;
  }
}

const AGAIN_MS = 1_000;
