import { DomainError } from './errors';
import type { PlanEntry } from './job/events';
import { microsFromCents } from './money';
import { BUDGET_TIERS, type BudgetTier } from './vocabulary';

/** Spending caps in cents by tier. */
export type BudgetCaps = Record<BudgetTier, number>;

/** A provider that could take a step, with the least and the most that a run of it may need. */
export type PlanCandidate = Omit<PlanEntry, 'reservedMicros' | 'wave'>;

/** The reservation that fits into what is left, or null if less than the provider's minimum would remain for it. */
export function reservationFor(candidate: Pick<PlanEntry, 'minReserveMicros' | 'maxReserveMicros'>, leftMicros: number): number | null {
  const reservation = Math.min(candidate.maxReserveMicros, leftMicros);
  return reservation >= candidate.minReserveMicros && reservation >= 0 ? reservation : null;
}

export interface Reserved {
  candidate: PlanCandidate;
  /** Null: it does not fit and is skipped. */
  reservedMicros: number | null;
}

/** Reserves for the candidates in their order, each out of what the ones before it left. */
export function reserve(candidates: readonly PlanCandidate[], budgetMicros: number): Reserved[] {
  let left = budgetMicros;
  return candidates.map((candidate) => {
    const reservedMicros = reservationFor(candidate, left);
    left -= reservedMicros ?? 0;
    return { candidate, reservedMicros };
  });
}

/** The first `count` of the preference list that fit; at least one, or the tier is refused with the smallest that would do. */
export function chooseByPreference(preference: readonly PlanCandidate[], count: number, budgetMicros: number): PlanCandidate[] {
  return reserve(preference, budgetMicros)
    .filter(({ reservedMicros }) => reservedMicros !== null)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** @throws DomainError `budget_too_small`, naming the smallest tier under which one of the candidates could run. */
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
