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

/** A job would hold more of its tenant's balance than there is. Amounts are cents. */
export class InsufficientBalance extends DomainError {
  constructor(
    readonly balanceCents: number,
    readonly requiredCents: number,
  ) {
    const remedy = 'ask for a smaller budget, wait until other jobs end, or have the balance topped up';
    super('insufficient_balance', `The job needs ${requiredCents} cents until it ends, and the balance has ${balanceCents}: ${remedy}.`);
  }
}
