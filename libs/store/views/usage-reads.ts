import type { Pool } from 'pg';
import { centsFromMicros } from '@lib/domain/money';
import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';
import { inTurn } from '../postgres/in-turn';
import { rowsOf } from '../postgres/rows-of';
import type { UsageView } from './usage.view';

/** Limit for the newest jobs counted: their costs are in their rows and events, and no sum is stored. */
const MAX_JOBS = 10_000;

const COUNTED = `counted as materialized (select id, budget_tier, cost_cents, created_at, completed_at, steps from job
  where tenant_id = $1 and created_at >= $2::timestamptz order by created_at desc, id desc limit ${MAX_JOBS})`;

const BY_TIER_AND_DAY = `with ${COUNTED}
  select budget_tier as tier, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as jobs, sum(cost_cents)::float8 as "costCents"
    from counted group by 1, 2`;

const HAS_OLDER = `select exists (select from job where tenant_id = $1 and created_at >= $2::timestamptz offset ${MAX_JOBS}) as "hasOlder"`;

/**
 * The charge of a step is in the job's row or otherwise in its events: rows of earlier builds have no charges, nor do rows of jobs charged after
 * their end. Events are read job by job, in a form that PostgreSQL cannot turn into a join: for a tenant with many jobs, the join read the events of
 * all tenants.
 */
const BY_PROVIDER = `with ${COUNTED}
  select step ->> 'provider' as provider, count(*)::int as steps, (count(*) filter (where step ->> 'status' = 'completed'))::int as completed,
      coalesce(sum(coalesce(step ->> 'chargedMicros', told.micros ->> (step ->> 'id'))::numeric), 0)::float8 as micros
    from counted cross join lateral (
      select jsonb_object_agg(step_id, micros) as micros from (
        select facts ->> 'stepId' as step_id, sum((facts ->> 'committedMicros')::numeric) as micros from event
        where not counted.steps @? '$[*].chargedMicros'
          and event.stream_id = counted.id and event.type in ('StepCompleted', 'StepFailed', 'StepResultLate')
          and facts ->> 'stepId' is not null and event.version < (select min(ended.version) from event as ended
            where ended.stream_id = counted.id and ended.type in ('JobCompleted', 'JobFailed', 'JobCancelled')) group by 1) as of_step) as told
      cross join lateral jsonb_array_elements(steps) as step
    group by 1`;

interface TierAndDay {
  tier: BudgetTier;
  day: string;
  jobs: number;
  costCents: number;
}
interface OfProvider {
  provider: ProviderId;
  steps: number;
  completed: number;
  micros: number;
}

const BEGINNING = new Date(0);

interface UsageOf {
  tenantId: string;
  /** Jobs created from then on; null for all. */
  from: Date | null;
}
type Usage = Omit<UsageView, 'period' | 'from' | 'recentJobs'>;
export type ReadUsage = (asked: UsageOf) => Promise<Usage>;

/** Reads the costs of a tenant's jobs, one request at a time: it may take seconds, and other reads need the connections. */
export const createUsageReads = (pool: Pool): ReadUsage => inTurn((asked) => readUsage(pool, asked));

async function readUsage(pool: Pool, { tenantId, from }: UsageOf): Promise<Usage> {
  const values = [tenantId, from ?? BEGINNING];
  const rows = await rowsOf<TierAndDay>(pool, { text: BY_TIER_AND_DAY, values });
  const providers = await rowsOf<OfProvider>(pool, { text: BY_PROVIDER, values });
  const total = sumOf(rows);
  const isFull = total.jobs >= MAX_JOBS;
  const [older] = isFull ? await rowsOf<{ hasOlder: boolean }>(pool, { text: HAS_OLDER, values }) : [];
  return {
    ...total,
    isCut: older?.hasOlder ?? false,
    byTier: BUDGET_TIERS.flatMap((budgetTier) =>
      summed(rows.filter(({ tier }) => tier === budgetTier)).map((sum) => ({ budgetTier, ...sum })),
    ),
    byDay: [...Map.groupBy(rows, ({ day }) => day)]
      .map(([day, ofDay]) => ({ day, ...sumOf(ofDay) }))
      .sort((a, b) => (a.day < b.day ? 1 : -1)),
    byProvider: PROVIDERS.flatMap((provider) => providers.filter((row) => row.provider === provider).map(providerUsage)),
  };
}

const sumOf = (rows: readonly TierAndDay[]): { jobs: number; costCents: number } => ({
  jobs: rows.reduce((sum, { jobs }) => sum + jobs, 0),
  costCents: rows.reduce((sum, { costCents }) => sum + costCents, 0),
});

const summed = (rows: readonly TierAndDay[]) => (rows.length > 0 ? [sumOf(rows)] : []);

const providerUsage = ({ provider, steps, completed, micros }: OfProvider) => ({
  provider,
  steps,
  completedSteps: completed,
  costCents: centsFromMicros(micros),
});
