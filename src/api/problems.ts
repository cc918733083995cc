import type { DomainErrorCode } from '@lib/domain/errors';

/** Codes of problems at the edge itself, in addition to those of the domain. */
export const EDGE_PROBLEM_CODES = [
  'invalid_request',
  'invalid_json',
  'invalid_api_key',
  'insufficient_scope',
  'origin_not_allowed',
  'not_found',
  'claim_not_found',
  'checkpoint_not_found',
  'event_not_found',
  'event_not_logged',
  'deletion_not_found',
  'deletion_not_signed',
  'history_removed',
  'log_off',
  'log_restored',
  'method_not_allowed',
  'request_timeout',
  'idempotency_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'corrupt_content',
  'unavailable',
] as const;
export type EdgeProblemCode = (typeof EDGE_PROBLEM_CODES)[number];
export type ProblemCode = DomainErrorCode | EdgeProblemCode;

/** Status and title of every problem. A new code does not compile until it has both. */
export const PROBLEMS: Readonly<Record<ProblemCode, { status: number; title: string }>> = {
  invalid_request: { status: 400, title: 'The request is invalid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_api_key: { status: 401, title: 'A valid API key is required' },
  insufficient_balance: { status: 402, title: 'The balance does not cover the job' },
  insufficient_scope: { status: 403, title: 'The key may not be used for this' },
  origin_not_allowed: { status: 403, title: 'Pages of this origin may not call the service' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  thread_not_found: { status: 404, title: 'The thread does not exist' },
  job_not_found: { status: 404, title: 'The job does not exist' },
  claim_not_found: { status: 404, title: 'The claim does not exist' },
  checkpoint_not_found: { status: 404, title: 'There is no checkpoint' },
  event_not_found: { status: 404, title: 'The event does not exist' },
  event_not_logged: { status: 404, title: 'No checkpoint has the event yet' },
  deletion_not_found: { status: 404, title: 'No such thread was deleted' },
  step_not_found: { status: 404, title: 'The step does not exist' },
  attempt_not_found: { status: 404, title: 'The attempt does not exist' },
  key_not_found: { status: 404, title: 'The key does not exist' },
  webhook_not_found: { status: 404, title: 'The webhook does not exist' },
  delivery_not_found: { status: 404, title: 'The delivery does not exist' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  conflict: { status: 409, title: 'The request conflicts with a change made at the same time' },
  idempotency_in_progress: { status: 409, title: 'The same request is still under way' },
  deletion_not_signed: { status: 409, title: 'The deletion is not signed yet' },
  log_off: { status: 409, title: 'There is no log of events' },
  log_restored: { status: 409, title: 'The log does not have what the cursor points to' },
  webhook_disabled: { status: 409, title: 'The webhook is disabled' },
  too_many_webhooks: { status: 409, title: 'The tenant has as many webhooks as it may have' },
  history_removed: { status: 410, title: 'The history was removed' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not application/json' },
  expectation_failed: { status: 417, title: 'The expectation cannot be met' },
  budget_too_small: { status: 422, title: 'The budget is too small' },
  thread_full: { status: 422, title: 'The thread is full' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used with another body' },
  too_many_open_jobs: { status: 429, title: 'The tenant or its key has as many open jobs as it may have' },
  daily_limit: { status: 429, title: 'The jobs of a day may cost as much as they may' },
  rate_limited: { status: 429, title: 'There were too many requests' },
  headers_too_large: { status: 431, title: 'The header fields are too large' },
  corrupt_content: { status: 500, title: 'Stored content cannot be opened' },
  internal_error: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'The service is unavailable at the moment' },
};

/** One invalid part of a request. */
export interface Violation {
  /** JSON Pointer into the body (`/providers/1`, empty for the whole body), or `/<name>` of a path or query parameter. */
  pointer: string;
  /** Stable snake_case reason. */
  code: string;
  /** What is wrong and what would be right. */
  message: string;
}

/** A refusal by the edge. The filter turns it into the response. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: EdgeProblemCode,
    readonly detail: string,
    readonly violations: readonly Violation[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

/** A request of a few kilobytes can have thousands. */
const MAX_VIOLATIONS = 50;

/** An invalid request, with at least one reason. */
export function invalidRequest(violations: readonly Violation[]): Problem {
  const [first, ...others] = violations.slice(0, MAX_VIOLATIONS);
  const more = others.length > 0 ? ` ${others.length} more in errors.` : '';
  return new Problem('invalid_request', `${first?.message ?? ''}${more}`, violations.slice(0, MAX_VIOLATIONS));
}
