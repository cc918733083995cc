import { DomainError } from './errors';
import type { PlanEntry } from './job/facts';
import { microsFromCents } from './money';
import { BUDGET_TIERS, type BudgetTier } from './vocabulary';

/** Spending caps in cents by tier. */
export type BudgetCaps = Record<BudgetTier, number>;

/** A provider that may get a step, with the least and the most that one run may reserve. */
export type PlanCandidate = Omit<PlanEntry, 'reservedMicros' | 'wave'>;

/** The reservation that fits into the remaining budget; null if that is less than the provider's minimum. */
export function reservationFor(candidate: Pick<PlanEntry, 'minReserveMicros' | 'maxReserveMicros'>, leftMicros: number): number | null {
  const reservation = Math.min(candidate.maxReserveMicros, leftMicros);
  return reservation >= candidate.minReserveMicros && reservation >= 0 ? reservation : null;
}

export interface Reserved<Candidate extends PlanCandidate> {
  candidate: Candidate;
  /** Null if the candidate does not fit and is skipped. */
  reservedMicros: number | null;
}

/** Reserves for the candidates in order. Each gets its reservation from what the earlier ones left. */
export function reserve<Candidate extends PlanCandidate>(candidates: readonly Candidate[], budgetMicros: number): Reserved<Candidate>[] {
  let left = budgetMicros;
  return candidates.map((candidate) => {
    const reservedMicros = reservationFor(candidate, left);
    left -= reservedMicros ?? 0;
    return { candidate, reservedMicros };
  });
}

/** The first `count` of the preference list that fit the budget. */
export function chooseByPreference(preference: readonly PlanCandidate[], count: number, budgetMicros: number): PlanCandidate[] {
  return reserve(preference, budgetMicros)
    .filter(({ reservedMicros }) => reservedMicros !== null)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** @throws DomainError `budget_too_small`, which names the smallest tier that allows one of the candidates. */
export function refuseTier(
  tier: BudgetTier,
  candidates: readonly PlanCandidate[],
  synthesisReserveMicros: number,
  caps: BudgetCaps,
): never {
  const least = Math.min(...candidates.map((candidate) => candidate.minReserveMicros)) + synthesisReserveMicros;
  const enough = BUDGET_TIERS.find((other) => microsFromCents(caps[other]) >= least);
  const remedy = enough ? `the smallest budget that would do is ${enough}` : 'no budget tier is large enough';
  throw new DomainError('budget_too_small', `The budget ${tier} covers none of the requested providers; ${remedy}.`);
}
