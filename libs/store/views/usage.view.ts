import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';

import { JobListItemView } from './job-detail.view';
import { Enumeration, Integer, ListOf, Timestamp } from './schema';

export const USAGE_PERIODS = ['7d', '30d', '90d', 'all'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

/** What jobs of one tier cost. */
@ApiSchema({ name: 'TierUsage' })
export class TierUsageView {
  @Enumeration('BudgetTier', BUDGET_TIERS)
  budgetTier!: BudgetTier;

  @Integer(12)
  jobs!: number;

  @Integer(340)
  costCents!: number;
}

/** What the jobs cost that were created on one day. */
@ApiSchema({ name: 'DayUsage' })
export class DayUsageView {
  /** In UTC. */
  @ApiProperty({ type: String, format: 'date', example: '2026-11-21' })
  day!: string;

  @Integer(3)
  jobs!: number;

  @Integer(85)
  costCents!: number;
}

/** What one provider did and cost. */
@ApiSchema({ name: 'ProviderUsage' })
export class ProviderUsageView {
  @Enumeration('ProviderId', PROVIDERS)
  provider!: ProviderId;

  @Integer(12)
  steps!: number;

  @Integer(11)
  completedSteps!: number;

  /** Its part of what final jobs were charged, rounded up once; the jobs' own totals are rounded up one by one. */
  @Integer(120)
  costCents!: number;
}

/** What a tenant's jobs cost. Jobs of deleted threads are not in it. */
@ApiSchema({ name: 'Usage' })
export class UsageView {
  @Enumeration('UsagePeriod', USAGE_PERIODS)
  period!: UsagePeriod;

  /** Jobs that were created from then on are counted; null for all. */
  @Timestamp({ nullable: true })
  from!: string | null;

  @Integer(15)
  jobs!: number;

  /** What final jobs were charged. */
  @Integer(425)
  costCents!: number;

  /** Whether only the newest 10,000 jobs of the period were counted. */
  isCut!: boolean;

  /** In ascending order of the tiers; those without a job are left out, and so below. */
  @ListOf(TierUsageView)
  byTier!: TierUsageView[];

  /** Newest first. */
  @ListOf(DayUsageView)
  byDay!: DayUsageView[];

  @ListOf(ProviderUsageView)
  byProvider!: ProviderUsageView[];

  /** The newest jobs of the period, at most ten. */
  @ListOf(JobListItemView)
  recentJobs!: JobListItemView[];
}
