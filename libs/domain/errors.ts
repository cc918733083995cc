import { DAY_MS } from './durations';

/** Codes of refusals. The HTTP edge maps each of them to a status in one exhaustive table. */
export const DOMAIN_ERROR_CODES = [
  'thread_not_found',
  'job_not_found',
  'step_not_found',
  'attempt_not_found',
  'key_not_found',
  'webhook_not_found',
  'delivery_not_found',
  'webhook_disabled',
  'too_many_webhooks',
  'budget_too_small',
  'insufficient_balance',
  'thread_full',
  'too_many_open_jobs',
  'daily_limit',
  'conflict',
] as const;
export type DomainErrorCode = (typeof DOMAIN_ERROR_CODES)[number];

/** A refusal with a stable code. `detail` names the thing, the value and the remedy for people, and never holds content. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: DomainErrorCode,
    readonly detail?: string,
  ) {
    super(detail ?? code);
  }
}

/** A job would reserve more than its tenant's balance has. Amounts are cents. */
export class InsufficientBalance extends DomainError {
  constructor(
    readonly balanceCents: number,
    readonly requiredCents: number,
  ) {
    const remedy = 'ask for a smaller budget, wait until other jobs end, or have the balance topped up';
    super('insufficient_balance', `The job needs ${requiredCents} cents until it ends, and the balance has ${balanceCents}: ${remedy}.`);
  }
}

/** A tenant or one of its keys has as many open jobs as allowed, or its jobs of one day have used up what they may cost. */
export class LimitReached extends DomainError {
  /** Whether waiting helps: there will be room again without a change of the limit. */
  readonly isTemporary: boolean;
  /** Seconds until the next day (UTC); null for open jobs, where the end of any job makes room. */
  readonly waitSeconds: number | null;

  constructor(
    /** Null: the limit applies to the tenant. */
    keyId: string | null,
    reached: ReachedLimit,
  ) {
    super(reached.code, messageOf(keyId === null ? 'The tenant' : `The key ${keyId}`, reached));
    this.isTemporary = reached.code === 'daily_limit' ? reached.required <= reached.most : reached.most > 0;
    this.waitSeconds = reached.code === 'daily_limit' ? Math.ceil((DAY_MS - (Date.parse(reached.at) % DAY_MS)) / 1000) : null;
  }
}

/** Amounts are cents. */
type ReachedLimit =
  | { code: 'too_many_open_jobs'; most: number }
  /** `at`: the time by the clock that decides which day counts. */
  | { code: 'daily_limit'; most: number; used: number; required: number; at: string };

function messageOf(whose: string, reached: ReachedLimit): string {
  const { code, most } = reached;
  if (code === 'too_many_open_jobs') {
    if (most === 0) return `${whose} may have no open jobs: the operator has to allow it some.`;
    return `${whose} has ${most} open jobs, as many as it may have: wait until one of them ends, or cancel one.`;
  }
  if (most === 0) return `${whose} may spend nothing: the operator has to allow an amount per day.`;
  if (reached.required > most)
    return `${whose}'s jobs may cost ${most} cents a day, and this one alone ${reached.required}: ask for a budget of at most ${most} cents.`;
  const today = `${whose}'s jobs of today may cost ${reached.used} cents already, and this one ${reached.required}, of ${most} a day`;
  return `${today}: ask for a smaller budget, or wait until the next day (UTC).`;
}
