import type { Logger } from 'pino';
import type { StepResult } from '@lib/domain/job/commands';
import { unrecordable } from '@lib/domain/job/failed-result';
import { traceparentOf, type TraceContext } from '@lib/domain/trace-context';
import type { ProviderId } from '@lib/domain/vocabulary';
import { RunLeft } from '@lib/providers/research';
import type { ResearchProvider } from '@lib/providers/research-provider';
import { killPoint } from '../runtime/kill-point';
import type { SagaPort } from '../saga/saga-port';
import { foreignContext, inSpan, type Tracing } from '../telemetry/tracing';
import { notCalled, outcomeOf } from './attempt-result';
import type { Claimed } from './claim';
import { fitResult } from './fit-report';
import type { Heartbeats } from './heartbeats';
import { callProvider, type CallSettings } from './provider-call';
import { SagaRefused } from './saga-client';
import { untilCommitted } from './until-committed';

/** If the claim was sent longer ago than this, the saga is asked whether the grant still holds before the provider is called. */
const STALE_GRANT_MS = 2_000;
/** How long a call that lost its lease may still wait for its answer. Limited, since its connection may have died silently. */
const UNFOLLOWED_MS = 60_000;

/** The saga said that the step or its job has ended: the provider's run is no longer needed. */
class AttemptStopped extends Error {
  override readonly name = 'AttemptStopped';
}

/** What the attempts of one worker share. */
export interface AttemptTools {
  saga: SagaPort;
  heartbeats: Heartbeats;
  settings: CallSettings;
  logger: Logger;
  tracing?: Tracing | null;
  /** Called when this worker is done with a run at a provider. */
  measure?: MeasureCall | undefined;
}

/** @param result null if the run was left to another worker, or is no longer needed */
export type MeasureCall = (provider: ProviderId, result: StepResult | null, seconds: number) => void;

/** One granted attempt: sends heartbeats while the provider works, then repeats its report until it is committed. */
export class Attempt {
  /** Resolves once the provider works in the background and is only polled. */
  readonly inBackground: Promise<void>;
  private readonly enterBackground: () => void;
  private readonly controller = new AbortController();
  private readonly leaving = new AbortController();
  private readonly ids: { jobId: string; stepId: string; attempt: number };
  /** The attempt that this worker speaks for, and the secret that proves it: sent to the saga with each call, never logged. */
  private readonly holder: { jobId: string; stepId: string; attempt: number; provider: ProviderId; claimSecret: string };
  /** The provider could not be connected to, so nothing was sent. Another worker may reach it. */
  isUnreached = false;
  private beating = false;
  private isCalling = false;
  /** When this attempt first learned that its lease is lost but no other attempt has begun. */
  private unfollowedSince: number | null = null;
  /** The trace that the provider's calls belong to. */
  private readonly called: TraceContext | undefined;

  constructor(
    private readonly tools: AttemptTools,
    private readonly provider: ResearchProvider | undefined,
    ids: { jobId: string; stepId: string },
    private readonly granted: Claimed,
    private readonly trace: TraceContext | null = null,
  ) {
    const { attempt, provider: of, claimSecret } = granted;
    this.ids = { ...ids, attempt };
    this.holder = { ...this.ids, provider: of, claimSecret };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.inBackground = promise;
    this.called = tools.tracing && trace ? foreignContext(trace.sampled) : undefined;
    this.enterBackground = resolve;
  }

  /** Abandons the provider's run without cancelling it: another worker resumes it once the lease has run out. */
  leave(): void {
    this.leaving.abort();
    this.controller.abort(new RunLeft('this worker is stopping'));
  }

  /** Whether this attempt is for that step and its call is still open. */
  isCallingFor(stepId: string): boolean {
    return this.isCalling && this.ids.stepId === stepId;
  }

  /** @param whyNot why this worker may not call the provider; null if it may */
  async run(whyNot: string | null): Promise<void> {
    if (whyNot !== null) return this.giveBack(whyNot);
    const isStale = performance.now() - this.granted.claimedAt > STALE_GRANT_MS;
    const lost = isStale ? await this.lostGrant() : null;
    if (lost !== null) return this.giveBack(lost);
    this.tools.heartbeats.begin(this);
    try {
      const began = performance.now();
      this.isCalling = true;
      const result = await this.researchInSpan().finally(() => (this.isCalling = false));
      this.isUnreached = result?.outcome === 'failed' && result.errorClass === 'unavailable' && result.charge?.micros === 0;
      this.tools.measure?.(this.granted.provider, result, (performance.now() - began) / 1000);
      killPoint('worker.after-answer');
      if (result) await this.report(result);
    } finally {
      this.tools.heartbeats.end(this);
    }
  }

  /** Why an old grant does not hold any more; null if it does. */
  private lostGrant(): Promise<string | null> {
    return this.tools.saga.heartbeat(this.holder).then(
      ({ goOn }) => (goOn ? null : 'its grant had ended'),
      () => 'the saga could not be asked',
    );
  }

  /** Reports that the provider was not called: this frees the reservation, and the attempt does not count. */
  giveBack(why: string): Promise<void> {
    return this.report(notCalled(why));
  }

  /** Renews the lease, and stops if it is lost. Does nothing while the previous beat is still being repeated, because it would say the same. */
  async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    try {
      const reply = await this.tools.saga.heartbeat(this.holder);
      if (reply.goOn) return;
      if (reply.run === 'leave' && reply.unfollowed && this.mayAnswerYet()) return;
      this.controller.abort(reply.run === 'cancel' ? new AttemptStopped() : new RunLeft('another attempt may follow this run'));
    } catch (error) {
      // No answer is not a refusal: the lease may still be ours.
      this.tools.logger.warn({ reason: 'heartbeat_unanswered', ...this.ids, err: error });
    } finally {
      this.beating = false;
    }
  }

  /**
   * A call that lost its lease goes on for a while if no other attempt has begun: it is already paid for, and its answer is as good as that of
   * another call.
   */
  private mayAnswerYet(): boolean {
    const now = performance.now();
    this.unfollowedSince ??= now;
    return now - this.unfollowedSince < UNFOLLOWED_MS;
  }

  /** The provider is sent a separate trace, which the span links to. */
  private researchInSpan(): Promise<StepResult | null> {
    const { trace, called, granted, ids } = this;
    const attributes = {
      'research.provider': granted.provider,
      'research.job_id': ids.jobId,
      'research.step_id': ids.stepId,
      'research.attempt': ids.attempt,
      'research.resumed': granted.externalId !== null,
    };
    const start = { tracing: this.tools.tracing ?? null, parent: trace, name: 'research', kind: 'client', outcome: outcomeOf } as const;
    return inSpan({ ...start, links: [called], attributes }, () => this.research());
  }

  /** @returns the result of the call; null if there is nothing left to report */
  private async research(): Promise<StepResult | null> {
    const { provider, granted, ids, called, tools } = this;
    if (!provider) return notCalled(`this worker has no adapter for ${granted.provider}`);
    return callProvider(provider, {
      ...{ granted, ids, called, settings: tools.settings, signal: this.controller.signal },
      started: (externalId) => this.untilCommitted(() => tools.saga.recordExternalId({ ...this.holder, externalId })),
      enterBackground: this.enterBackground,
    });
  }

  private async report(result: StepResult): Promise<void> {
    try {
      const { tracing = null, saga, settings } = this.tools;
      await inSpan({ tracing, parent: this.trace, name: 'report', kind: 'client' }, (context) => {
        const traceparent = context ? traceparentOf(context) : undefined;
        const fitting = () => fitResult(result, settings.maxReportBytes());
        return this.untilCommitted(() => saga.report({ ...this.holder, result: fitting(), traceparent }));
      });
    } catch (error) {
      this.tools.logger.error({ reason: 'report_refused', ...this.ids, outcome: result.outcome, err: error }, 'a report was not recorded');
      if (error instanceof SagaRefused && result.outcome === 'completed') await this.report(unrecordable(result, error.message));
    }
  }

  private untilCommitted(call: () => Promise<unknown>): Promise<void> {
    return untilCommitted(call, this.leaving.signal, (error) => {
      this.tools.logger.warn({ reason: 'saga_unanswered', ...this.ids, err: error });
    });
  }
}
