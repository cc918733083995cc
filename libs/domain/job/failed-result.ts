import { knownCharge } from '../money';
import { shortened } from '../shortened';
import type { CompletedResult, FailedResult } from './commands';

const MAX_ERROR_LENGTH = 2_000;

/** A result without a report. Its message is cut, as it may quote what a provider or a worker sent. */
export const failedResult = (told: Omit<FailedResult, 'outcome'>): FailedResult => ({
  ...told,
  outcome: 'failed',
  errorMessage: shortened(told.errorMessage, MAX_ERROR_LENGTH),
});

/** The result that replaces a report which cannot be recorded. Its cost still counts, and its call is still recorded. */
export const unrecordable = ({ charge, call }: CompletedResult, why: string): FailedResult =>
  failedResult({
    errorClass: 'malformed',
    errorMessage: `The report could not be recorded: ${why}`,
    charge: knownCharge(charge) ?? null,
    retryAfterMs: null,
    runEnded: true,
    call,
  });
