import type { Logger } from 'pino';
import { NO_CHARGE, type Charge } from '@lib/domain/money';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import { canBeCompared } from '@lib/synthesis/proposals/reports';
import type { AcceptedProposals } from '@lib/synthesis/proposals/accepted';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { RunTask } from '../reports/report-pool';

/** What a model proposed about the reports, as far as they confirm it, and what that cost. */
export interface Proposals {
  /** Null if there are none: then only the claims found without a model are used. */
  accepted: AcceptedProposals | null;
  /** Null if unknown. */
  charge: Charge | null;
  /** The most that the call can have cost; the rest of the reservation is for the summary. */
  spentMicros: number;
}

/** Share of the reservation and of the time for the proposals; the rest is for the summary. */
const SHARE = 0.5;

/** What the call may cost and how long it may take. */
export interface ProposalLimits {
  reservedMicros: number;
  /** Time from now for the proposals and the summary together. */
  milliseconds: number;
  /** Aborts when the process stops, when nobody needs the report any more, or at the deadline. */
  signal: AbortSignal;
}

/**
 * Has a model compare the reports. This is optional: claims are also found without its proposals. Throws only if the signal aborts for a reason
 * other than the deadline.
 */
export async function propose(
  model: LanguageModel,
  input: SynthesisInput,
  runTask: RunTask,
  { reservedMicros, milliseconds, signal }: ProposalLimits,
  logger: Logger,
): Promise<Proposals> {
  if (!canBeCompared(input)) return { accepted: null, charge: NO_CHARGE, spentMicros: 0 };
  const allowed = Math.floor(reservedMicros * SHARE);
  const ownSignal = AbortSignal.any([signal, AbortSignal.timeout(Math.floor(milliseconds * SHARE))]);
  // Zero until the model is asked, then unknown until it answers.
  let charge: Charge | null = NO_CHARGE;
  try {
    const prompt = await runTask('proposalPrompt', input);
    // If the thread used up the time, send nothing.
    ownSignal.throwIfAborted();
    charge = null;
    const written = await model.write(prompt, allowed, ownSignal);
    charge = written.charge;
    const accepted = await runTask('verifyProposals', input, written.text);
    if (!accepted) logger.warn({ reason: 'proposals_unreadable' }, 'the model proposed nothing that could be read');
    return { accepted, charge, spentMicros: charge.micros };
  } catch (error) {
    if (signal.aborted && !isTimeout(signal.reason)) throw error;
    const known = charge ?? (error instanceof ProviderError ? (error.details.charge ?? null) : null);
    // Without the message, which may quote the provider: that is content.
    logger.warn(
      { reason: 'proposals_failed', failure: failureIn(error) },
      'the model proposed nothing; the reports are compared without it',
    );
    return { accepted: null, charge: known, spentMicros: known?.micros ?? allowed };
  }
}

const failureIn = (error: unknown): string => {
  if (error instanceof ProviderError) return error.errorClass;
  return error instanceof Error ? error.name : typeof error;
};

const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';
