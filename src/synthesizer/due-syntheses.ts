import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '@lib/domain/errors';
import type { ClaimSynthesis, CompleteJob, JobCommand } from '@lib/domain/job/commands';
import { backoffMs } from '@lib/domain/job/retries';
import type { JobState } from '@lib/domain/job/state';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { Delivery } from '@lib/messaging/transport';
import { CorruptHistory } from '@lib/store/history/corrupt-history';
import { UnknownEvent } from '@lib/store/history/upcasters';
import { Unsealable } from '@lib/store/sealing/seal';
import type { Store } from '@lib/store/store';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { killPoint } from '../runtime/kill-point';
import { inSpan, type Traced, type Tracing } from '../telemetry/tracing';
import { synthesizeWithModel, type ModelSynthesisTools, type DueReport, type ReportModel } from './model-synthesis';
import { modelPatience } from './model-patience';
import { recordedInput } from '../reports/recorded-input';
import type { RunTask } from '../reports/report-pool';
import { PoolTimeout } from '../reports/pool-timeout';
import { SurvivedTries } from './survived-tries';
import { untilAborted } from './until-aborted';
import { SynthesisLeft, whileNeeded } from './while-needed';

/**
 * After this many tries that killed the synthesizer, or that no report thread finished in time, the job fails. Other failures may pass, and are tried
 * again until the synthesis deadline.
 */
const MAX_KILLS = 5;
/** The longest pause between two tries of a synthesis. */
const MAX_WAIT_MS = 15_000;
/** The pause between tries to commit a report that was paid for. */
const COMMIT_AGAIN_MS = 1_000;
const MAX_PAID_COMMITS = 20;

export interface SynthesisTools {
  store: Store;
  /** Recorded with the reports that this process writes. */
  process: ProcessIdentity;
  runTask: RunTask;
  /** Writes the reports of jobs that have a reserve for it; null if none is configured. */
  model: ReportModel | null;
  logger: Logger;
  /** How often to check, while a report is written, whether its job has ended. */
  heartbeatMs: number;
  tracing?: Tracing | null;
}

/** Turns the recorded steps of a job into its report, if the report is due. */
export class DueSyntheses {
  private readonly tries: SurvivedTries;
  private readonly patience = modelPatience();

  /** @param stopping aborts with `SynthesisLeft` once the process leaves its syntheses to others */
  constructor(
    private readonly tools: SynthesisTools,
    private readonly stopping: AbortSignal,
  ) {
    this.tries = new SurvivedTries(tools.store.agenda);
  }

  /** Performs the synthesis that a wake-up names, and settles the wake-up. */
  async run(delivery: Delivery): Promise<void> {
    const { jobId } = delivery.work;
    const isFirst = isFirstOfAll(delivery);
    let isCounted = false;
    try {
      // Null: no synthesis is due.
      const tries = isFirst ? 0 : await this.tries.begin(jobId);
      isCounted = !isFirst;
      if (tries !== null && tries > MAX_KILLS) await this.execute(jobId, { type: 'FailSynthesis' });
      else if (tries !== null) await this.finish(jobId, delivery);
      delivery.ack();
    } catch (error) {
      // A report that takes too long to read stays counted as a kill, because it would otherwise occupy the threads until the deadline.
      if (isCounted && !(error instanceof PoolTimeout)) await this.tries.survived(jobId);
      // A process that stops leaves the job to others; a job that is final is done.
      if (error instanceof SynthesisLeft) return this.stopping.aborted ? undefined : delivery.ack();
      // A backup may restore the history; the agenda brings the job back later.
      if (error instanceof CorruptHistory) return delivery.ack();
      if (error instanceof Unsealable) this.tools.store.tellUnsealable(error);
      this.tools.logger.error({ reason: reasonOf(error), jobId, err: error }, 'a synthesis failed; it is tried again');
      delivery.retryAfter(Math.min(backoffMs(delivery.deliveries, Math.random()), MAX_WAIT_MS));
    }
  }

  private async finish(jobId: string, delivery: Delivery): Promise<void> {
    const { trace, ack } = delivery;
    const state = await this.stateOf(jobId);
    if (state.status !== 'synthesizing') return;
    // Before anything is opened, which may fail each time.
    if (!isFirstOfAll(delivery)) await this.tools.store.agenda.beginSynthesisDeadline(jobId, state.deadlines.synthesisMs);
    const input = await recordedInput(this.tools.store, jobId, state);
    if (!input) return;
    const traced = { tracing: this.tools.tracing ?? null, parent: trace };
    const { store, heartbeatMs, logger } = this.tools;
    const needing = { jobs: store.jobs, heartbeatMs, logger, stopping: this.stopping };
    const completion = await whileNeeded(jobId, needing, (signal) =>
      state.synthesisReserveMicros > 0
        ? this.withModel({ jobId, state, input }, { claimed: ack, signal, traced })
        : this.withoutModel(input, signal, traced),
    );
    if (!completion) return;
    killPoint('final.before-commit');
    await this.complete(jobId, { ...completion, process: this.tools.process }, trace);
    killPoint('final.after-commit');
  }

  private async withoutModel(input: SynthesisInput, signal: AbortSignal, traced: Traced): Promise<CompleteJob> {
    const synthesize = () => untilAborted(this.tools.runTask('synthesize', input), signal);
    return { type: 'CompleteJob', ...(await inSpan({ ...traced, name: 'synthesize', kind: 'internal' }, synthesize)) };
  }

  private async withModel(
    due: DueReport,
    { claimed, signal, traced }: Pick<ModelSynthesisTools, 'claimed' | 'signal' | 'traced'>,
  ): Promise<CompleteJob | null> {
    const claim = (command: ClaimSynthesis) => this.execute(due.jobId, { ...command, process: this.tools.process }, traced.parent);
    const { runTask, model, logger, store } = this.tools;
    return synthesizeWithModel(model, due, { runTask, now: store.now, patience: this.patience, claim, claimed, signal, traced, logger });
  }

  /** Commits the report. One that was paid for must survive a database outage, so its commit is repeated until the claim may have been lost. */
  private async complete(jobId: string, completion: CompleteJob, trace: Delivery['trace']): Promise<void> {
    const tries = completion.paid ? MAX_PAID_COMMITS : 1;
    for (let tried = 1; ; tried += 1) {
      try {
        await this.execute(jobId, completion, trace);
        return;
      } catch (error) {
        if (error instanceof DomainError || tried >= tries || this.stopping.aborted) throw error;
        // Rejects with `SynthesisLeft` once the process stops.
        await sleep(COMMIT_AGAIN_MS, undefined, { signal: this.stopping }).catch(() => this.stopping.throwIfAborted());
      }
    }
  }

  private execute(jobId: string, command: JobCommand, trace: Delivery['trace'] = null): Promise<JobState> {
    return this.tools.store.jobs.execute(jobId, command, { actor: 'role:synthesizer', correlationId: jobId, trace });
  }

  /** A remembered state may be older than the synthesis, or than the loss of a claim; then the stored state is loaded. */
  private async stateOf(jobId: string): Promise<JobState> {
    const recalled = await this.tools.store.jobs.recall(jobId);
    if (recalled.status === 'synthesizing' && recalled.synthesisReserveMicros === 0) return recalled;
    return this.tools.store.jobs.load(jobId);
  }
}

/** To save statements, the very first try is not counted and does not start the synthesis deadline. */
const isFirstOfAll = ({ work, deliveries }: Delivery): boolean => work.kind === 'synthesis' && work.first && deliveries === 1;

/** If the history has events of a newer build, only that build can continue. */
const reasonOf = (error: unknown): string => (error instanceof UnknownEvent ? 'newer_history' : 'synthesis_failed');
