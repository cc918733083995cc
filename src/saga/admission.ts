import type { Logger } from 'pino';
import { batch } from '@lib/batching/batch';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { STEPS_WAIT_SUBJECT } from '@lib/messaging/subjects';
import type { Subscription, Transport } from '@lib/messaging/transport';
import { MAX_ADMITTED, type Window } from '@lib/store/agenda/admission-table';
import { tenantGate } from '@lib/store/agenda/tenant-gate';
import type { Commit } from '@lib/store/commit/commit';
import type { Store } from '@lib/store/store';
import { KnownGates } from './known-gates';
import { isAnswer, maySignal, signalOf, type ProviderSignal } from './provider-signals';
import { inRounds, untilNoneIsLeft } from '../runtime/rounds';
import { ToldFailures } from '../runtime/told-failures';
import { SkippedSteps } from './skipped-steps';

export interface CircuitSettings {
  /** After so many consecutive failures, of any workers, the circuit opens: no step is sent to the provider. */
  failures: number;
  /** Milliseconds until one step may try the provider again. */
  openMs: number;
}

/** One step can cause at most three failures, so five come from more than one step. Half a minute is short compared with a job's deadline. */
export const CIRCUIT: CircuitSettings = { failures: 5, openMs: 30_000 };

export interface AdmissionSettings {
  sweepMs: number;
  /** After this time an admitted but unclaimed step is dispatched again, and a failed skip of a step is tried again. */
  redispatchMs: number;
  windowOf: (provider: ProviderId) => Window;
  circuit?: CircuitSettings;
}

/** Whether a step may be claimed now. If not, it goes back to waiting. */
export type MayStart = (step: { jobId: string; stepId: string }) => Promise<boolean>;

const LIMIT = 200;
const MAX_AT_ONCE = 1000;

/**
 * Dispatches waiting steps when their provider has room, and ends those that wait in vain. There is no room while a provider is down or has asked for
 * a pause: steps then wait without a lease or an attempt, and cost nothing. What a provider tells one worker counts for all. The database decides;
 * the state kept here only saves queries.
 */
export class Admission {
  private readonly known: KnownGates;
  private readonly timers = new Map<ProviderId, NodeJS.Timeout>();
  private readonly stopping = new AbortController();
  private readonly circuit: CircuitSettings;
  private readonly skipped: SkippedSteps;
  private readonly told: ToldFailures;
  /** Resolves with whether it succeeded. */
  private readonly admit: (providers: readonly ProviderId[]) => Promise<boolean>;
  private running: Promise<void> | null = null;
  private listening: Subscription | null = null;

  constructor(
    private readonly store: Store,
    private readonly transport: Transport,
    private readonly settings: AdmissionSettings,
    logger: Logger,
  ) {
    this.circuit = settings.circuit ?? CIRCUIT;
    this.told = new ToldFailures(logger, 'admission_failed', 'waiting steps were not looked after; they are with the next round');
    this.skipped = new SkippedSteps(store, logger, (provider, tenantId) => this.known.isDown(provider, tenantId));
    this.known = new KnownGates(
      logger,
      (provider) => void this.skipped.goOnWithout(provider).catch((error: unknown) => this.failed(error)),
    );
    const admitTogether = batch(
      async (wanted: (readonly ProviderId[])[]) => {
        await this.admitNow([...new Set(wanted.flat())]);
        return wanted;
      },
      { maxItems: MAX_AT_ONCE },
    );
    this.admit = async (providers) => {
      try {
        await admitTogether(providers);
        return true;
      } catch (error) {
        this.failed(error);
        return false;
      }
    };
  }

  /** Listens for provider signals in commits of this process, and for steps that commits of other processes made wait. */
  async listen(): Promise<void> {
    this.store.onCommit((commit) => this.onCommit(commit));
    this.listening = await this.transport.subscribe(STEPS_WAIT_SUBJECT, (payload) => {
      const { providers } = payload as { providers: unknown };
      void this.admit(PROVIDERS.filter((provider) => Array.isArray(providers) && providers.includes(provider)));
    });
  }

  /** Starts the regular rounds, which catch what `listen` missed. */
  start(): void {
    this.running = inRounds(() => this.round(), this.settings.sweepMs, this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.values()) clearTimeout(timer);
    await this.listening?.stop();
    await this.running;
  }

  /** Holds back steps that were already dispatched when their provider went down. */
  readonly mayStart: MayStart = async (step) => {
    if (!this.known.isAnyDownOrHeld()) return true;
    const provider = await this.store.admission.returnStep(step);
    if (provider === null) return true;
    this.known.markWaiting(provider);
    this.admitIn(provider, this.known.of(provider).heldUntil - performance.now());
    if (this.known.isDown(provider)) void this.skipped.goOnWithoutStep(step.jobId).catch((error: unknown) => this.failed(error));
    return false;
  };

  private async round(): Promise<void> {
    const hasAdmitted = await this.admit(PROVIDERS);
    try {
      await this.learnOfTenants();
      await untilNoneIsLeft(() => this.skipImpatient(), LIMIT, this.stopping.signal);
      if (hasAdmitted) this.told.worked();
    } catch (error) {
      this.failed(error);
    }
  }

  /** @returns how many were examined */
  private async skipImpatient(): Promise<number> {
    const impatient = await this.store.admission.takeImpatient(LIMIT, this.settings.redispatchMs);
    await Promise.all(impatient.filter(({ ends }) => ends).map((step) => this.skipped.skip(step)));
    return impatient.length;
  }

  private async admitNow(providers: readonly ProviderId[]): Promise<void> {
    for (let wanted = providers; wanted.length > 0 && !this.stopping.signal.aborted;) {
      const windows = new Map(wanted.map((provider) => [provider, this.settings.windowOf(provider)]));
      const all = await this.store.admission.admit(windows, this.circuit.openMs, this.settings.redispatchMs);
      for (const [provider, admitted] of all) {
        this.known.learn(provider, admitted);
        for (const step of admitted.steps) void this.transport.dispatch({ kind: 'step', provider, ...step, resumes: false });
        if (admitted.waiting && admitted.nextMs > 0) this.admitIn(provider, admitted.nextMs);
      }
      wanted = [...all].flatMap(([provider, { steps }]) => (steps.length === MAX_ADMITTED ? [provider] : []));
    }
  }

  private admitIn(provider: ProviderId, milliseconds: number): void {
    clearTimeout(this.timers.get(provider));
    if (this.stopping.signal.aborted) return;
    this.timers.set(
      provider,
      setTimeout(() => void this.admit([provider]), Math.max(1, milliseconds)),
    );
  }

  private onCommit({ appended }: Commit): void {
    if (this.stopping.signal.aborted) return;
    if (appended.some(({ record }) => record.type === 'StepStarted')) {
      const waitedFor = PROVIDERS.filter((provider) => this.known.of(provider).waiting);
      if (waitedFor.length > 0) void this.admit(waitedFor);
    }
    const isTroubled = this.known.hasAnyFailed();
    for (const { record } of appended) {
      if (maySignal(record) && (isTroubled || !isAnswer(record.type)))
        void this.observe(record).catch((error: unknown) => this.failed(error));
    }
  }

  private async observe(record: Commit['appended'][number]['record']): Promise<void> {
    const state = await this.store.jobs.recall(record.streamId);
    const signal = signalOf(record, state);
    if (signal) await this.apply(signal, state.tenantId);
    await this.skipped.goOn(record.streamId, state);
  }

  private async apply(signal: ProviderSignal, tenantId: string): Promise<void> {
    const { provider } = signal;
    const { failures, openMs } = this.circuit;
    const { admission } = this.store;
    if (signal.kind === 'failure') {
      const { all, own } = await admission.recordFailure(provider, failures, openMs, tenantId);
      this.known.learn(provider, all, signal.errorClass);
      if (own?.down) this.known.learn(tenantGate(provider, tenantId), own, signal.errorClass);
      return;
    }
    if (this.known.of(provider).failures > 0) {
      this.known.learn(provider, await admission.recordAnswer(provider, openMs));
      await this.learnOfTenants();
      void this.admit([provider]);
    }
    if (signal.kind === 'hold') this.known.learn(provider, await admission.hold(provider, signal.milliseconds));
  }

  /** Also learns what other processes heard. A provider that is down for one tenant counts as having failed. */
  private async learnOfTenants(): Promise<void> {
    if (this.known.hasAnyFailed()) this.known.learnOfTenants(await this.store.admission.gatesOfTenants());
  }

  private failed(error: unknown): void {
    if (!this.stopping.signal.aborted) this.told.failed(error);
  }
}
