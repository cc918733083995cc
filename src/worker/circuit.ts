import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen, type CircuitBreakerPolicy } from 'cockatiel';
import type { Logger } from 'pino';
import type { ErrorClass, ProviderId } from '@lib/domain/vocabulary';
import { ProviderError } from '@lib/providers/research-provider';

export interface CircuitSettings {
  /** Failures in a row after which the provider is left alone. */
  failures: number;
  /** For how long, in milliseconds, until one call is let through to see. */
  openMs: number;
}

/** More failures than the three tries of one step can cause; half a minute is short against a job's deadline. */
export const CIRCUIT: CircuitSettings = { failures: 5, openMs: 30_000 };

/**
 * Failures that say that the provider is down. The others do not open a circuit: what is wrong with one job's input (`invalid_request`,
 * `malformed` …) says nothing about the next job's, and `rate_limited` holds submits back by itself. `auth` and `quota` end a step at once and
 * free of charge, in the provider's own words, which tell the operator what to do; an open circuit would hide them, and would still refuse
 * calls after the operator had mended the cause.
 */
const DOWN: ReadonlySet<ErrorClass> = new Set(['overloaded', 'unavailable', 'timeout']);

/** Leaves a provider alone that fails again and again, so that steps end fast and their jobs go on without it. */
export class Circuit {
  private readonly breaker: ConsecutiveBreaker;
  private readonly policy: CircuitBreakerPolicy;
  private lastFailure: ErrorClass | null = null;
  private openedAt = 0;

  constructor(
    provider: ProviderId,
    logger: Logger,
    private readonly settings: CircuitSettings,
  ) {
    this.breaker = new ConsecutiveBreaker(settings.failures);
    const failures = handleWhen((error) => this.isFailure(error));
    this.policy = circuitBreaker(failures, { halfOpenAfter: settings.openMs, breaker: this.breaker });
    this.policy.onBreak(() => {
      this.openedAt = Date.now();
      logger.warn({ reason: 'circuit_opened', provider, failures: this.breaker.state, errorClass: this.lastFailure });
    });
    this.policy.onReset(() => logger.info({ reason: 'circuit_closed', provider }));
  }

  /** A call would be refused now. */
  get isOpen(): boolean {
    return this.policy.state === CircuitState.HalfOpen || this.openForMs > 0;
  }

  /**
   * Makes a call, or refuses it at once. After its time an open circuit lets a single call through, which decides.
   * @throws ProviderError `circuit_open`, free of charge, without having called
   */
  async call<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    if (this.isOpen) throw this.refusal();
    return this.policy.execute(async () => {
      try {
        return await call();
      } catch (error) {
        if (isDown(error)) this.lastFailure = error.errorClass;
        else if (error instanceof ProviderError) this.breaker.success();
        throw error;
      }
    });
  }

  private get openForMs(): number {
    return this.policy.state === CircuitState.Open ? this.openedAt + this.settings.openMs - Date.now() : 0;
  }

  /** An abort is no failure of the provider. While the circuit is tried it counts as one, since only an answer may close it. */
  private isFailure(error: unknown): boolean {
    return isDown(error) || (this.policy.state === CircuitState.HalfOpen && !(error instanceof ProviderError));
  }

  private refusal(): ProviderError {
    const { openForMs } = this;
    const next = openForMs > 0 ? `tried again in ${Math.ceil(openForMs / 1000)} s` : 'being tried again now';
    const message = `provider unavailable: ${this.breaker.state} failures in a row, last: ${this.lastFailure}; ${next}`;
    return new ProviderError('circuit_open', message, { charge: { micros: 0, provenance: 'reported' } });
  }
}

const isDown = (error: unknown): error is ProviderError => error instanceof ProviderError && DOWN.has(error.errorClass);
