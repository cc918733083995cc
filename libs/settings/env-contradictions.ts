import { BUDGET_TIERS, type BudgetTier } from '@lib/domain/vocabulary';

import type { Env, Variable } from './env';
import { leaseTimes, MIN_TRY_MS } from './lease-times';

/** Settings that are valid alone but not together: the variable to change and the remedy. */
export function contradictions(env: Env): [Variable, string][] {
  const fall = fallingPair(env.BUDGET_CAPS);
  const rules: [boolean, Variable, string][] = [
    [
      env.HEARTBEAT_MS * 2 < env.LEASE_MS,
      'HEARTBEAT_MS',
      `must be less than half of LEASE_MS (${env.LEASE_MS}), or one lost heartbeat ends a lease`,
    ],
    [
      env.HEARTBEAT_MS * 2 >= env.LEASE_MS || leaseTimes(env).tryMs >= MIN_TRY_MS,
      'LEASE_MS',
      `must be at least ${MIN_TRY_MS * 4} more than HEARTBEAT_MS (${env.HEARTBEAT_MS}), or a heartbeat has no time to be repeated`,
    ],
    [env.SWEEP_MS <= env.LEASE_MS, 'SWEEP_MS', `must be at most LEASE_MS (${env.LEASE_MS}), or leases end late`],
    [env.REDISPATCH_FIRST_MS <= env.REDISPATCH_MS, 'REDISPATCH_FIRST_MS', `must be at most REDISPATCH_MS (${env.REDISPATCH_MS})`],
    [!env.MASTER_KEY || env.MASTER_KEYS.length === 0, 'MASTER_KEYS', 'and MASTER_KEY are both set; set one of them'],
    [
      !env.ADMIN_PORT || env.ADMIN_PORT !== env.PORT,
      'ADMIN_PORT',
      `must be another port than PORT (${env.PORT}), or 0 for any: it is served by itself`,
    ],
    [fall === null, 'BUDGET_CAPS', `must not fall from one tier to the next larger one: ${fall}`],
  ];
  return rules.filter(([holds]) => !holds).map(([, name, remedy]) => [name, remedy]);
}

/** The first tier with a lower cap than the one before it, and that one; null if there is none. */
function fallingPair(caps: Readonly<Record<BudgetTier, number>>): string | null {
  for (const [position, tier] of BUDGET_TIERS.entries()) {
    const smaller = BUDGET_TIERS[position - 1] ?? tier;
    if (caps[tier] < caps[smaller]) return `${tier} is ${caps[tier]} and ${smaller} is ${caps[smaller]}`;
  }
  return null;
}
