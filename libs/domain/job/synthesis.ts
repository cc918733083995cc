import type { Digest } from '../digest';
import type { ClaimSynthesis, CompleteJob, LoseSynthesis } from './commands';
import type { JobEvent } from './events';
import type { Deadlines } from './facts';
import { recordedCall } from './recorded-call';
import { availableMicros, settlementOf, totalsOf } from './reservations';
import { evolveJob, type JobState } from './state';
import type { SynthesisAttempt } from './synthesis-attempts';

/** Most paid attempts of one job. If all are lost, there is no summary by a model. */
const MAX_SYNTHESIS_ATTEMPTS = 2;

/**
 * How long a claimed synthesis belongs to its holder, who cannot renew the claim. If all attempts are lost, an equal time is left for the report
 * without a model.
 */
export const synthesisLeaseMs = ({ synthesisMs }: Deadlines): number => Math.floor(synthesisMs / (MAX_SYNTHESIS_ATTEMPTS + 1));

export const openSynthesis = ({ syntheses }: JobState): SynthesisAttempt | undefined => syntheses.find(({ open }) => open);

/**
 * What the next paid attempt may cost; null if none is possible. The first attempt uses what the job kept back, the next one needs the same amount
 * again.
 */
export function synthesisReservation(state: JobState): number | null {
  const { status, syntheses, synthesisReserveMicros: reserve } = state;
  if (status !== 'synthesizing' || reserve === 0 || openSynthesis(state) || syntheses.length >= MAX_SYNTHESIS_ATTEMPTS) return null;
  return syntheses.length === 0 || availableMicros(state) >= reserve ? reserve : null;
}

/**
 * How long a synthesis has waited, if that is too long to ask a model; null while a model can be asked. Each attempt has to begin within its share of
 * the time, so that a slow or silent model does not keep clients from their reports.
 */
export function lateForModelMs({ phaseAt, syntheses, deadlines }: JobState, now: Date): number | null {
  const waitedMs = now.getTime() - Date.parse(phaseAt);
  return waitedMs > (syntheses.length + 1) * synthesisLeaseMs(deadlines) ? waitedMs : null;
}

export function claimSynthesis({ claimId, model, priceDate, process }: ClaimSynthesis, state: JobState): JobEvent[] {
  const reservedMicros = synthesisReservation(state);
  if (reservedMicros === null || state.syntheses.some((attempt) => attempt.claimId === claimId)) return [];
  const attempt = state.syntheses.length + 1;
  return [{ type: 'SynthesisClaimed', facts: { attempt, claimId, reservedMicros, model, priceDate, process: process ?? null } }];
}

/** A lost attempt keeps its reservation, since nobody knows what the model has cost. */
export function loseSynthesis({ attempt }: LoseSynthesis, state: JobState): JobEvent[] {
  const isOpen = state.status === 'synthesizing' && openSynthesis(state)?.attempt === attempt;
  return isOpen ? [{ type: 'SynthesisAttemptLost', facts: { attempt } }] : [];
}

/** While a synthesis is claimed, only its holder can complete the job. If the report comes too late, only its cost is recorded. */
export function completeJob(command: CompleteJob, state: JobState, at: string, digest: Digest): JobEvent[] {
  const { synthesizer, report, paid, process } = command;
  const settled = paid ? settleSynthesis(paid, state, digest) : [];
  if (state.status !== 'synthesizing' || openSynthesis(state)?.claimId !== paid?.claimId) return settled;
  const after = settled.reduce((next, event) => evolveJob(next, event, at), state);
  const { json, ...counts } = report;
  const facts = { synthesizer, ...counts, ...totalsOf(after), process: process ?? null };
  return [...settled, { type: 'JobCompleted', facts, contentJson: json }];
}

function settleSynthesis(
  { claimId, charge, failure, calls: told = [] }: NonNullable<CompleteJob['paid']>,
  { syntheses, markupBasisPoints }: JobState,
  digest: Digest,
): JobEvent[] {
  const attempt = syntheses.find((other) => other.claimId === claimId);
  if (!attempt || attempt.reported) return [];
  const settlement = settlementOf(attempt.run, charge, markupBasisPoints);
  const calls = told.map((call) => recordedCall(call, digest));
  return [{ type: 'SynthesisSettled', facts: { attempt: attempt.attempt, failure, ...settlement, calls } }];
}
