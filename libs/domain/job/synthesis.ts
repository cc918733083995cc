import type { ClaimSynthesis, CompleteJob, LoseSynthesis } from './commands';
import type { Deadlines, JobEvent } from './events';
import { availableMicros, settlementOf, totalsOf } from './reservations';
import { evolveJob, type JobState } from './state';
import type { SynthesisAttempt } from './synthesis-attempts';

/** Paid tries of one report; after as many lost ones it is written without a model. */
const MAX_SYNTHESIS_ATTEMPTS = 2;

/**
 * How long a claimed synthesis belongs to its holder, who does not renew it. All lost attempts together leave as much time again for
 * the report without a model.
 */
export const synthesisLeaseMs = ({ synthesisMs }: Deadlines): number => Math.floor(synthesisMs / (MAX_SYNTHESIS_ATTEMPTS + 1));

export const openSynthesis = ({ syntheses }: JobState): SynthesisAttempt | undefined => syntheses.find(({ open }) => open);

/** What the next paid attempt may cost; null if there is none. The first takes over what was kept back, another one needs as much again. */
export function synthesisReservation(state: JobState): number | null {
  const { status, syntheses, synthesisReserveMicros: reserve } = state;
  if (status !== 'synthesizing' || reserve === 0 || openSynthesis(state) || syntheses.length >= MAX_SYNTHESIS_ATTEMPTS) return null;
  return syntheses.length === 0 || availableMicros(state) >= reserve ? reserve : null;
}

export function claimSynthesis({ claimId, model, priceDate }: ClaimSynthesis, state: JobState): JobEvent[] {
  const reservedMicros = synthesisReservation(state);
  if (reservedMicros === null || state.syntheses.some((attempt) => attempt.claimId === claimId)) return [];
  return [{ type: 'SynthesisClaimed', facts: { attempt: state.syntheses.length + 1, claimId, reservedMicros, model, priceDate } }];
}

/** Its reservation stays counted: nobody knows what the model did until then. */
export function loseSynthesis({ attempt }: LoseSynthesis, state: JobState): JobEvent[] {
  const isOpen = state.status === 'synthesizing' && openSynthesis(state)?.attempt === attempt;
  return isOpen ? [{ type: 'SynthesisAttemptLost', facts: { attempt } }] : [];
}

/** While a synthesis is claimed, only its holder completes the job. Of one that comes too late the cost counts and nothing else. */
export function completeJob({ synthesizer, markdown, claims, followOnTopics, paid }: CompleteJob, state: JobState, at: string): JobEvent[] {
  const settled = paid ? settleSynthesis(paid, state) : [];
  if (state.status !== 'synthesizing' || openSynthesis(state)?.claimId !== paid?.claimId) return settled;
  const after = settled.reduce((next, event) => evolveJob(next, event, at), state);
  const counts = { markdownLength: markdown.length, claimCount: claims.length, followOnTopicCount: followOnTopics.length };
  const facts = { synthesizer, ...counts, ...totalsOf(after) };
  return [...settled, { type: 'JobCompleted', facts, content: { markdown, claims, followOnTopics } }];
}

function settleSynthesis(
  { claimId, charge, failure }: NonNullable<CompleteJob['paid']>,
  { syntheses, markupBasisPoints }: JobState,
): JobEvent[] {
  const attempt = syntheses.find((other) => other.claimId === claimId);
  if (!attempt || attempt.reported) return [];
  const settlement = settlementOf(attempt.run, charge, markupBasisPoints);
  return [{ type: 'SynthesisSettled', facts: { attempt: attempt.attempt, failure, ...settlement } }];
}
