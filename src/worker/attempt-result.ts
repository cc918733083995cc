import { DAY_MS } from '@lib/domain/durations';
import type { FailedResult, StepResult } from '@lib/domain/job/commands';
import { failedResult } from '@lib/domain/job/failed-result';
import { NO_CHARGE } from '@lib/domain/money';
import { ProviderError } from '@lib/providers/research-provider';
import type { SpanEnd } from '../telemetry/tracing';

const MAX_WAIT_MS = DAY_MS;

export const notCalled = (why: string): StepResult => failed(new ProviderError('not_called', `Not called: ${why}.`, { charge: NO_CHARGE }));

export const failed = ({ errorClass, message, details }: ProviderError): FailedResult =>
  failedResult({
    errorClass,
    errorMessage: message,
    charge: details.charge ?? null,
    retryAfterMs: waitOf(details.retryAfterMs),
    runEnded: details.runEnded ?? false,
  });

/** Null for a wait that is not a finite, non-negative number. */
const waitOf = (milliseconds: number | undefined): number | null =>
  milliseconds !== undefined && milliseconds >= 0 && Number.isFinite(milliseconds) ? Math.min(Math.ceil(milliseconds), MAX_WAIT_MS) : null;

/** Status and attributes for the span of a run. */
export function outcomeOf(result: StepResult | null): SpanEnd {
  if (!result) return { attributes: { 'research.outcome': 'left' } };
  const { outcome, charge } = result;
  const failure = result.outcome === 'failed' ? result.errorClass : undefined;
  const status = result.call?.status ?? undefined;
  const attributes = { 'research.outcome': outcome, 'research.failure': failure, 'http.response.status_code': status };
  return { failed: outcome === 'failed', attributes: { ...attributes, 'research.charged_micros': charge?.micros } };
}
