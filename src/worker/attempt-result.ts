import { DAY_MS } from '@lib/domain/durations';
import type { StepResult } from '@lib/domain/job/commands';
import { knownCharge, NO_CHARGE } from '@lib/domain/money';
import { ProviderError } from '@lib/providers/research-provider';
import type { SpanEnd } from '../telemetry/tracing';
import type { SagaRefused } from './saga-client';

type CompletedResult = Extract<StepResult, { outcome: 'completed' }>;

const MAX_ERROR_LENGTH = 2_000;
const MAX_WAIT_MS = DAY_MS;

export const notCalled = (why: string): StepResult => failed(new ProviderError('not_called', `Not called: ${why}.`, { charge: NO_CHARGE }));

/** The result that replaces a report which the saga refused. Its cost still counts, and its call is still recorded. */
export const unrecordable = ({ charge, call }: CompletedResult, { message }: SagaRefused): StepResult => ({
  ...failed(
    new ProviderError('malformed', `The report could not be recorded: ${message}`, { charge: knownCharge(charge), runEnded: true }),
  ),
  call,
});

export const failed = ({ errorClass, message, details }: ProviderError): Extract<StepResult, { outcome: 'failed' }> => ({
  outcome: 'failed',
  errorClass,
  errorMessage: shortened(message, MAX_ERROR_LENGTH),
  charge: details.charge ?? null,
  retryAfterMs: waitOf(details.retryAfterMs),
  runEnded: details.runEnded ?? false,
});

/** Cut to the length, and without characters that cannot be stored as text. */
export const shortened = (text: string, length: number): string => text.slice(0, length).toWellFormed().replaceAll('\0', '');

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
