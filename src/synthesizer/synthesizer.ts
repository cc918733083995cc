import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '@lib/domain/errors';
import type { ClaimSynthesis, CompleteJob, JobCommand } from '@lib/domain/job/commands';
import { backoffMs } from '@lib/domain/job/retries';
import type { JobState } from '@lib/domain/job/state';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { TraceContext } from '@lib/domain/trace-context';
import type { Work } from '@lib/messaging/subjects';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import { CorruptHistory } from '@lib/store/history/corrupt-history';
import { UnknownEvent } from '@lib/store/history/upcasters';
import { patiently } from '@lib/store/postgres/answer-within';
import type { Store } from '@lib/store/store';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { killPoint } from '../kill-point';
import { inDeliverySpan } from '../telemetry/observed-transport';
import { inSpan, type Traced, type Tracing } from '../telemetry/tracing';
import { synthesizeWithModel, type Claiming, type DueReport, type ReportModel } from './model-synthesis';
import { modelPatience } from './model-patience';
import { oncePerJob } from './once-per-job';
import { recordedInput } from '../reports/recorded-input';
import type { RunTask } from '../reports/report-threads';
import { ThreadTooLate } from '../reports/thread-too-late';
import { SurvivedTries } from './survived-tries';
import { untilAborted } from './until-aborted';
import { SynthesisLeft, whileNeeded } from './while-needed';

/** Jobs synthesized at a time. What they wait for are the database, the threads for reports, and models; each holds its reports meanwhile. */
const SLOTS = 16;
/** The same of those that this process made due itself. */
const SLOTS_AT_ONCE = 12;
/**
 * A report that kills the synthesizer, or that no thread reads in time, must not do so for ever. Whatever else fails may pass, and has until
 * the synthesis deadline for it.
 */
const MAX_KILLS = 5;
/** How far the next look at a synthesis that did not come from the queue is put off while it is under way, and how often. */
const LOOK_LATER_MS = 10_000;
const STILL_AT_IT_MS = 3_000;
/** Between two tries: a failure that has passed is noticed within this time. */
const LONGEST_WAIT_MS = 15_000;

export interface SynthesizerParts {
  store: Store;
  transport: Transport;
  /** What the events of its work say of it. */
  process: ProcessIdentity;
  runTask: RunTask;
  /** Writes the reports of jobs that kept something back for it; null where none is configured. */
  model: ReportModel | null;
  logger: Logger;
  /** How often it is asked whether a job whose report takes long has been cancelled. */
  heartbeatMs: number;
  tracing?: Tracing | null;
}

/** Turns a job's recorded steps into its report. The wake-up says which job; what is due is asked of the database. */
export class Synthesizer {
  private subscription: Subscription | null = null;
  private readonly stopping = new AbortController();
  private readonly tries: SurvivedTries;
  private readonly handle = oncePerJob((delivery) => patiently(() => this.run(delivery)), AGAIN_MS);
  /** Syntheses that did not come from the queue. */
  private readonly taken = new Set<Promise<void>>();
  private takesMore = true;
  private readonly patience = modelPatience();

  constructor(private readonly parts: SynthesizerParts) {
    this.tries = new SurvivedTries(parts.store.agenda);
  }

  async start(): Promise<void> {
    this.subscription = await this.parts.transport.consume({ kind: 'synthesis' }, SLOTS, this.handle);
  }

  /**
   * Begins a synthesis that this process has just made due; false where there is no room, or it is other work. The queue is the way to another
   * process, and costs a lone job as much time as a commit. What fails comes again through it, or by the agenda if this process ends.
   */
  take(work: Work, trace: TraceContext | null = null): boolean {
    if (work.kind !== 'synthesis' || !this.takesMore || this.taken.size >= SLOTS_AT_ONCE) return false;
    const retryAfter = (milliseconds: number): void => {
      setTimeout(() => void this.parts.transport.dispatch({ ...work, first: false }), milliseconds).unref();
    };
    const handle = inDeliverySpan(this.parts.tracing ?? null, this.handle);
    const stillAtIt = setInterval(() => void this.putOff(work.jobId), STILL_AT_IT_MS);
    const running = handle({ work, trace, deliveries: 1, ack: () => undefined, retryAfter })
      .catch((error: unknown) => this.parts.logger.error({ reason: 'synthesis_failed', jobId: work.jobId, err: error }))
      .finally(() => {
        clearInterval(stillAtIt);
        this.taken.delete(running);
      });
    this.taken.add(running);
    return true;
  }

  /** Takes nothing new and finishes what it has in hand within `graceMs`; what takes longer is left to another synthesizer. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(new SynthesisLeft()), graceMs);
    this.takesMore = false;
    await Promise.all([this.subscription?.stop(), ...this.taken]);
    clearTimeout(timer);
  }

  /** What the broker does for whatever comes from the queue: nobody else is woken meanwhile. */
  private async putOff(jobId: string): Promise<void> {
    const { agenda } = this.parts.store;
    // Where the database does not answer, another process may be woken: it does the same work.
    await agenda.lookAgain({ jobId, kind: 'dispatch synthesis', ref: '' }, LOOK_LATER_MS).catch(() => undefined);
  }

  private async run(delivery: Delivery): Promise<void> {
    const { jobId } = delivery.work;
    const isCounted = !isFirstOfAll(delivery);
    try {
      if (!isCounted || (await this.mayTry(jobId))) await this.finish(jobId, delivery);
      delivery.ack();
    } catch (error) {
      // A report that nobody can read in time would hold up the thread that reads it until the deadline.
      if (isCounted && !(error instanceof ThreadTooLate)) await this.tries.survived(jobId);
      // A process that stops leaves it to others; of a job that is final nothing is left to do.
      if (error instanceof SynthesisLeft) return this.stopping.signal.aborted ? undefined : delivery.ack();
      // The agenda brings it back when it may have been restored.
      if (error instanceof CorruptHistory) return delivery.ack();
      this.parts.logger.error({ reason: reasonOf(error), jobId, err: error }, 'a synthesis failed; it is tried again');
      delivery.retryAfter(Math.min(backoffMs(delivery.deliveries, Math.random()), LONGEST_WAIT_MS));
    }
  }

  /** Counts the tries of a job, and gives up after too many that killed their process or were late. */
  private async mayTry(jobId: string): Promise<boolean> {
    const tries = await this.tries.begin(jobId);
    if (tries !== null && tries > MAX_KILLS) await this.execute(jobId, { type: 'FailSynthesis' });
    return tries !== null && tries <= MAX_KILLS;
  }

  private async finish(jobId: string, delivery: Delivery): Promise<void> {
    const { trace, ack } = delivery;
    const state = await this.stateOf(jobId);
    const input = state.status === 'synthesizing' ? await recordedInput(this.parts.store, jobId, state) : null;
    if (!input) return;
    if (!isFirstOfAll(delivery)) await this.parts.store.agenda.beginSynthesisDeadline(jobId, state.deadlines.synthesisMs);
    const traced = { tracing: this.parts.tracing ?? null, parent: trace };
    const { store, heartbeatMs, logger } = this.parts;
    const needing = { jobs: store.jobs, heartbeatMs, logger, stopping: this.stopping.signal };
    const completion = await whileNeeded(jobId, needing, (signal) =>
      state.synthesisReserveMicros > 0
        ? this.withModel({ jobId, state, input }, { claimed: ack, signal, traced })
        : this.withoutModel(input, signal, traced),
    );
    if (!completion) return;
    killPoint('final.before-commit');
    await this.complete(jobId, { ...completion, process: this.parts.process }, trace);
    killPoint('final.after-commit');
  }

  private async withoutModel(input: SynthesisInput, signal: AbortSignal, traced: Traced): Promise<CompleteJob> {
    const synthesize = () => untilAborted(this.parts.runTask('synthesize', input), signal);
    return { type: 'CompleteJob', ...(await inSpan({ ...traced, name: 'synthesize', kind: 'internal' }, synthesize)) };
  }

  private async withModel(
    due: DueReport,
    { claimed, signal, traced }: Pick<Claiming, 'claimed' | 'signal' | 'traced'>,
  ): Promise<CompleteJob | null> {
    const claim = (command: ClaimSynthesis) => this.execute(due.jobId, { ...command, process: this.parts.process }, traced.parent);
    const { runTask, model, logger, store } = this.parts;
    return synthesizeWithModel(model, due, { runTask, now: store.now, patience: this.patience, claim, claimed, signal, traced, logger });
  }

  /** What was paid for is not thrown away because the database is not there: it is tried again until the claim may have been lost. */
  private async complete(jobId: string, completion: CompleteJob, trace: Delivery['trace']): Promise<void> {
    const tries = completion.paid ? MAX_PAID_COMMITS : 1;
    for (let tried = 1; ; tried += 1) {
      try {
        await this.execute(jobId, completion, trace);
        return;
      } catch (error) {
        if (error instanceof DomainError || tried >= tries || this.stopping.signal.aborted) throw error;
        // Rejects with `SynthesisLeft` once there is no time left.
        await sleep(AGAIN_MS, undefined, { signal: this.stopping.signal }).catch(() => this.stopping.signal.throwIfAborted());
      }
    }
  }

  private execute(jobId: string, command: JobCommand, trace: Delivery['trace'] = null): Promise<JobState> {
    return this.parts.store.jobs.execute(jobId, command, { actor: 'role:synthesizer', correlationId: jobId, trace });
  }

  /** What is remembered may be older than the report that made the synthesis due, or than the loss of a claim. */
  private async stateOf(jobId: string): Promise<JobState> {
    const recalled = await this.parts.store.jobs.recall(jobId);
    if (recalled.status === 'synthesizing' && recalled.synthesisReserveMicros === 0) return recalled;
    return this.parts.store.jobs.load(jobId);
  }
}

/** The very first try is not counted, nor does the time of the synthesis run from it: it costs no statement. */
const isFirstOfAll = ({ work, deliveries }: Delivery): boolean => work.kind === 'synthesis' && work.first && deliveries === 1;

/** Another build can do what this one does not understand. */
const reasonOf = (error: unknown): string => (error instanceof UnknownEvent ? 'newer_history' : 'synthesis_failed');

const AGAIN_MS = 1_000;
const MAX_PAID_COMMITS = 20;
