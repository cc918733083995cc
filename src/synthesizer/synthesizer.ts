import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { CompleteJob, JobCommand } from '@lib/domain/job/commands';
import { isFinal, type JobState } from '@lib/domain/job/state';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import type { Store } from '@lib/store/store';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { Synthesis, SynthesisInput } from '@lib/synthesis/synthesis';
import { killPoint } from '../kill-point';
import { synthesizeWithModel, type ReportModel } from './model-synthesis';
import { oncePerJob } from './once-per-job';
import { recordedInput } from './recorded-input';

/** Jobs synthesized at a time: the work is CPU, so more would only wait for each other. Those that a model writes wait for it. */
const SLOTS = 16;
/** A report that kills the synthesizer must not do so for ever. */
const MAX_TRIES = 5;

/** The reason to abort a model with when the process stops, or when nobody needs its report any more. */
class SynthesisLeft extends Error {
  override readonly name = 'SynthesisLeft';
}

/** Turns a job's recorded steps into its report. The wake-up says which job; what is due is asked of the database. */
export class Synthesizer {
  private subscription: Subscription | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly store: Store,
    private readonly transport: Transport,
    private readonly synthesize: (input: SynthesisInput) => Synthesis | Promise<Synthesis>,
    /** Writes the reports of jobs that kept something back for it; null where none is configured. */
    private readonly model: ReportModel | null,
    private readonly logger: Logger,
    /** How often it is asked whether a job that a model writes for has been cancelled. */
    private readonly heartbeatMs: number,
  ) {}

  async start(): Promise<void> {
    const handle = oncePerJob((delivery) => this.run(delivery), AGAIN_MS);
    this.subscription = await this.transport.consume({ kind: 'synthesis' }, SLOTS, handle);
  }

  /** Takes nothing new and lets models finish within `graceMs`; an attempt that takes longer is lost with its lease. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(new SynthesisLeft()), graceMs);
    await this.subscription?.stop();
    clearTimeout(timer);
  }

  private async run(delivery: Delivery): Promise<void> {
    const { jobId } = delivery.work;
    try {
      if (await this.mayTry(delivery)) await this.finish(jobId, () => delivery.ack());
      delivery.ack();
    } catch (error) {
      if (error instanceof SynthesisLeft) return;
      this.logger.error({ reason: 'synthesis_failed', jobId, err: error }, 'a synthesis failed; it is tried again');
      delivery.retryAfter(AGAIN_MS);
    }
  }

  /** Counts the tries of a job, and gives up after too many. The very first is not counted: it costs no statement. */
  private async mayTry({ work, deliveries }: Delivery): Promise<boolean> {
    if (work.kind === 'synthesis' && work.first && deliveries === 1) return true;
    const tries = await this.store.agenda.beginSynthesis(work.jobId);
    if (tries !== null && tries > MAX_TRIES) await this.execute(work.jobId, { type: 'FailSynthesis' });
    return tries !== null && tries <= MAX_TRIES;
  }

  private async finish(jobId: string, claimed: () => void): Promise<void> {
    const state = await this.stateOf(jobId);
    const input = state.status === 'synthesizing' ? await recordedInput(this.store, jobId, state) : null;
    if (!input) return;
    const completion =
      state.synthesisReserveMicros > 0 ? await this.withModel(jobId, state, input, claimed) : await this.withoutModel(input);
    if (!completion) return;
    killPoint('final.before-commit');
    await this.complete(jobId, completion);
    killPoint('final.after-commit');
  }

  private async withoutModel(input: SynthesisInput): Promise<CompleteJob> {
    return { type: 'CompleteJob', ...(await this.synthesize(input)) };
  }

  private async withModel(jobId: string, state: JobState, input: SynthesisInput, claimed: () => void): Promise<CompleteJob | null> {
    const claim = (command: JobCommand) => this.execute(jobId, command);
    const unneeded = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, unneeded.signal]);
    const heartbeat = setInterval(() => void this.leaveIfFinal(jobId, unneeded), this.heartbeatMs);
    try {
      return await synthesizeWithModel(this.model, jobId, state, input, { claim, claimed, signal }, this.logger);
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** A job that was cancelled or deleted meanwhile: what its model goes on writing would be paid for nothing. */
  private async leaveIfFinal(jobId: string, unneeded: AbortController): Promise<void> {
    try {
      if (isFinal(await this.store.jobs.load(jobId))) unneeded.abort(new SynthesisLeft());
    } catch (error) {
      // Unknown is not final.
      this.logger.warn({ reason: 'heartbeat_unanswered', jobId, err: error });
    }
  }

  /** What was paid for is not thrown away because the database is not there: it is tried again until the claim may have been lost. */
  private async complete(jobId: string, completion: CompleteJob): Promise<void> {
    const tries = completion.paid ? MAX_PAID_COMMITS : 1;
    for (let tried = 1; ; tried += 1) {
      try {
        await this.execute(jobId, completion);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || tried >= tries) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  private execute(jobId: string, command: JobCommand): Promise<JobState> {
    return this.store.jobs.execute(jobId, command, { actor: 'role:synthesizer', correlationId: jobId, traceparent: null });
  }

  /** What is remembered may be older than the report that made the synthesis due, or than the loss of a claim. */
  private async stateOf(jobId: string): Promise<JobState> {
    const recalled = await this.store.jobs.recall(jobId);
    if (recalled.status === 'synthesizing' && recalled.synthesisReserveMicros === 0) return recalled;
    return this.store.jobs.load(jobId);
  }
}

const AGAIN_MS = 1_000;
const MAX_PAID_COMMITS = 20;
