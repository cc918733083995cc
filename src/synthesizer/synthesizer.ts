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
import { TenantTurns } from './tenant-turns';
import { untilAborted } from './until-aborted';
import { SynthesisLeft, whileNeeded } from './while-needed';

/** Jobs synthesized at a time. Each holds its reports while it waits for the database, the report threads and a model. */
const SLOTS = 16;
/** Jobs at a time that this process takes without the queue. */
const SLOTS_AT_ONCE = 12;
/**
 * Tries that may kill the synthesizer, or that no report thread finishes in time; then the job fails. Other failures may pass, and are tried again
 * until the synthesis deadline.
 */
const MAX_KILLS = 5;
/** While a synthesis is under way, the agenda is told so this often. */
const STILL_AT_IT_MS = 3_000;
/** The longest pause between two tries of a synthesis. */
const MAX_WAIT_MS = 15_000;
/** The pause before a wake-up of a job that is in hand comes back, and between two commits of a report that was paid for. */
const AGAIN_MS = 1_000;
const MAX_PAID_COMMITS = 20;

export interface SynthesizerParts {
  store: Store;
  transport: Transport;
  /** Recorded with the reports that it writes. */
  process: ProcessIdentity;
  runTask: RunTask;
  /** Writes the reports of jobs that kept something back for it; null where none is configured. */
  model: ReportModel | null;
  logger: Logger;
  /** While a report is written, it is asked this often whether its job was cancelled. */
  heartbeatMs: number;
  tracing?: Tracing | null;
}

/** Turns a job's recorded steps into its report. The wake-up says which job; what is due is asked of the database. */
export class Synthesizer {
  private subscription: Subscription | null = null;
  private readonly stopping = new AbortController();
  private readonly tries: SurvivedTries;
  private readonly turns: TenantTurns;
  private readonly handle = oncePerJob((delivery) => this.whileKept(delivery), AGAIN_MS);
  /** Running syntheses that did not come from the queue. */
  private readonly taken = new Set<Promise<void>>();
  private takesMore = true;
  private readonly patience = modelPatience();

  constructor(private readonly parts: SynthesizerParts) {
    this.tries = new SurvivedTries(parts.store.agenda);
    this.turns = new TenantTurns(parts.store.agenda);
  }

  async start(): Promise<void> {
    this.subscription = await this.parts.transport.consume({ kind: 'synthesis' }, SLOTS, (delivery) => this.inTurn(delivery));
  }

  /**
   * Begins a synthesis that this process has just made due, without the queue, which costs a lone job as much time as a commit. If it fails, it comes
   * again through the queue, or by the agenda if this process ends.
   * @returns false if there is no room, or the work is none of the synthesizer's
   */
  take(work: Work, trace: TraceContext | null = null): boolean {
    if (work.kind !== 'synthesis' || !this.takesMore || this.taken.size >= SLOTS_AT_ONCE) return false;
    const handle = inDeliverySpan(this.parts.tracing ?? null, (delivery) => this.inTurn(delivery));
    const running = handle(this.withoutQueue(work, trace))
      .catch((error: unknown) => this.parts.logger.error({ reason: 'synthesis_failed', jobId: work.jobId, err: error }))
      .finally(() => this.taken.delete(running));
    this.taken.add(running);
    return true;
  }

  /** A wake-up that is in no queue. If it is handed back, it comes through the queue. */
  private withoutQueue(work: Extract<Work, { kind: 'synthesis' }>, trace: TraceContext | null): Delivery {
    const retryAfter = (milliseconds: number): void => {
      setTimeout(() => void this.parts.transport.dispatch({ ...work, first: false }), milliseconds).unref();
    };
    return { work, trace, deliveries: 1, ack: () => undefined, retryAfter };
  }

  /** Does the synthesis whose turn it is. If that is another one than the wake-up's, this comes again where there is room next. */
  private async inTurn(delivery: Delivery): Promise<void> {
    // If the database does not say, the synthesis fails too, and comes again by its own rules.
    const turn = await this.turns.next(delivery).catch(() => 'own' as const);
    if (turn === 'own') return this.handle(delivery);
    // It is done, or somebody is at it.
    if (turn === null) return delivery.ack();
    const { jobId, isFirst: first } = turn;
    const work = { kind: 'synthesis', jobId, first } as const;
    if (jobId === delivery.work.jobId) return this.handle({ ...delivery, work, deliveries: first ? 1 : delivery.deliveries });
    delivery.retryAfter(0);
    return this.handle(this.withoutQueue(work, null));
  }

  /** Takes nothing new and finishes what it has in hand within `graceMs`; what takes longer is left to another synthesizer. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(new SynthesisLeft()), graceMs);
    this.takesMore = false;
    await Promise.all([this.subscription?.stop(), ...this.taken]);
    clearTimeout(timer);
  }

  /** Keeps other processes from beginning the synthesis, and from being woken for it, for as long as it takes. */
  private async whileKept(delivery: Delivery): Promise<void> {
    // If the database does not answer, another process may begin it too, and does the same work.
    const keep = () => void this.parts.store.agenda.keepTaken(delivery.work.jobId).catch(() => undefined);
    const stillAtIt = setInterval(keep, STILL_AT_IT_MS);
    try {
      await patiently(() => this.run(delivery));
    } finally {
      clearInterval(stillAtIt);
    }
  }

  private async run(delivery: Delivery): Promise<void> {
    const { jobId } = delivery.work;
    const isCounted = !isFirstOfAll(delivery);
    try {
      if (!isCounted || (await this.mayTry(jobId))) await this.finish(jobId, delivery);
      delivery.ack();
    } catch (error) {
      // A report that takes too long to read stays counted, or it would hold up the threads until the deadline.
      if (isCounted && !(error instanceof ThreadTooLate)) await this.tries.survived(jobId);
      // A process that stops leaves the job to others; a job that is final is done.
      if (error instanceof SynthesisLeft) return this.stopping.signal.aborted ? undefined : delivery.ack();
      // A backup may restore the history; the agenda brings the job back later.
      if (error instanceof CorruptHistory) return delivery.ack();
      this.parts.logger.error({ reason: reasonOf(error), jobId, err: error }, 'a synthesis failed; it is tried again');
      delivery.retryAfter(Math.min(backoffMs(delivery.deliveries, Math.random()), MAX_WAIT_MS));
    }
  }

  /** Counts this try, and fails the job after too many that killed their process or took too long. */
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

  /** Commits the report. One that was paid for is not lost in an outage of the database: it is tried again until its claim may have been lost. */
  private async complete(jobId: string, completion: CompleteJob, trace: Delivery['trace']): Promise<void> {
    const tries = completion.paid ? MAX_PAID_COMMITS : 1;
    for (let tried = 1; ; tried += 1) {
      try {
        await this.execute(jobId, completion, trace);
        return;
      } catch (error) {
        if (error instanceof DomainError || tried >= tries || this.stopping.signal.aborted) throw error;
        // Rejects with `SynthesisLeft` once the process stops.
        await sleep(AGAIN_MS, undefined, { signal: this.stopping.signal }).catch(() => this.stopping.signal.throwIfAborted());
      }
    }
  }

  private execute(jobId: string, command: JobCommand, trace: Delivery['trace'] = null): Promise<JobState> {
    return this.parts.store.jobs.execute(jobId, command, { actor: 'role:synthesizer', correlationId: jobId, trace });
  }

  /** A remembered state may be from before the synthesis was due, or before a claim was lost; then the stored one is loaded. */
  private async stateOf(jobId: string): Promise<JobState> {
    const recalled = await this.parts.store.jobs.recall(jobId);
    if (recalled.status === 'synthesizing' && recalled.synthesisReserveMicros === 0) return recalled;
    return this.parts.store.jobs.load(jobId);
  }
}

/** The very first try costs no statement: it is not counted, and does not start the time of the synthesis. */
const isFirstOfAll = ({ work, deliveries }: Delivery): boolean => work.kind === 'synthesis' && work.first && deliveries === 1;

/** In a history with events of a newer build, that build can do what this one cannot. */
const reasonOf = (error: unknown): string => (error instanceof UnknownEvent ? 'newer_history' : 'synthesis_failed');
