import type { Logger } from 'pino';
import type { Charge } from '@lib/domain/money';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import { canBeCompared } from '@lib/synthesis/proposals/reports';
import type { AcceptedProposals } from '@lib/synthesis/proposals/accepted';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { RunTask } from '../reports/report-threads';

/** What a model proposed about some reports, as far as the reports confirm it, and what that cost. */
export interface Proposals {
  /** Null where there are none: the claims are then those that are found without a model. */
  accepted: AcceptedProposals | null;
  /** Null where it is unknown. */
  charge: Charge | null;
  /** The most that it can have cost. The summary has what is left of the reservation. */
  spentMicros: number;
}

/** Share of the reservation and of the time that the proposals may take, so that a summary can follow. */
const SHARE = 0.5;
const NOTHING: Proposals = { accepted: null, charge: { micros: 0, provenance: 'reported' }, spentMicros: 0 };

/** What the call may cost and how long it may take. */
export interface ProposalLimits {
  reservedMicros: number;
  /** Time from now for the proposals and the summary together. */
  milliseconds: number;
  /** Aborts when the process stops, when nobody needs the report any more, or at the deadline. */
  signal: AbortSignal;
}

/**
 * Has a model compare the reports. Nothing depends on it: claims are also found without its proposals. It throws only if the signal aborts for
 * another reason than a deadline.
 */
export async function propose(
  model: LanguageModel,
  input: SynthesisInput,
  runTask: RunTask,
  { reservedMicros, milliseconds, signal }: ProposalLimits,
  logger: Logger,
): Promise<Proposals> {
  if (!canBeCompared(input)) return NOTHING;
  const allowed = Math.floor(reservedMicros * SHARE);
  const ownSignal = AbortSignal.any([signal, AbortSignal.timeout(Math.floor(milliseconds * SHARE))]);
  // Zero until the model is asked, then unknown until it answers.
  let { charge } = NOTHING;
  try {
    const prompt = await runTask('proposalPrompt', input);
    // A thread may take longer than there is time: then nothing is sent.
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
    // Without the message: it may say what the provider said, which is content.
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
