import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';

import { Enumeration, Integer, LargeInteger, ListOf, Text, Timestamp } from './schema';

/** How long a run typically takes, in seconds, by research mode. */
@ApiSchema({ name: 'TypicalSeconds' })
export class TypicalSecondsView {
  @Integer(20)
  fast!: number;

  @Integer(120)
  methodical!: number;
}

/** One of the providers that a job can ask. */
@ApiSchema({ name: 'Provider' })
export class ProviderView {
  @Enumeration('ProviderId', PROVIDERS)
  id!: ProviderId;

  /** Other names that requests may use for it. */
  @ApiProperty({ type: [String], example: ['perplexity'] })
  aliases!: string[];

  /** What serves it: `corpus` are local documents, others the API of that name. */
  @Text('perplexity')
  adapter!: string;

  /** Null where no model is asked. */
  @Text('perplexity/sonar', { nullable: true })
  model!: string | null;

  /** Date of the prices that reservations and charges rest on; null where nothing is charged. */
  @ApiProperty({ type: String, format: 'date', example: '2026-11-21', nullable: true })
  priceDate!: string | null;

  /** The least that a run reserves of a job's budget, with the markup, in cents. */
  @Integer(15)
  minReserveCents!: number;

  /** The most that a run reserves of a job's budget, with the markup, in cents. */
  @Integer(100)
  maxReserveCents!: number;

  typicalSeconds!: TypicalSecondsView;

  /** False while its last calls failed one after the other, or it asked for time. A job may still name it: its step waits for as long as it can. */
  isUsable!: boolean;

  /** Seconds until it is tried again; null while it is usable. */
  @Integer(30, { nullable: true })
  retryAfterSeconds!: number | null;
}

/** Who is asked by default, by research mode, in the order of preference. */
@ApiSchema({ name: 'DefaultProviders' })
export class DefaultProvidersView {
  @Enumeration('ProviderId', PROVIDERS, { isArray: true })
  fast!: ProviderId[];

  @Enumeration('ProviderId', PROVIDERS, { isArray: true })
  methodical!: ProviderId[];
}

/** A budget tier: what a job of it may cost, and whom it asks. */
@ApiSchema({ name: 'Tier' })
export class TierView {
  @Enumeration('BudgetTier', BUDGET_TIERS)
  budgetTier!: BudgetTier;

  /** Spending cap of a job in cents. */
  @Integer(1500)
  capCents!: number;

  defaultProviders!: DefaultProvidersView;
}

/** Whom jobs can ask, and for how much. */
@ApiSchema({ name: 'ProviderList' })
export class ProviderListView {
  @ListOf(ProviderView)
  providers!: ProviderView[];

  /** In ascending order. */
  @ListOf(TierView)
  tiers!: TierView[];
}

/** The API key of the request. */
@ApiSchema({ name: 'ApiKey' })
export class ApiKeyView {
  /** The key's public part. */
  @Text('0aB1cD2eF3gH')
  id!: string;

  /** As it was named when it was made. */
  @Text('production', { nullable: true })
  name!: string | null;

  @Timestamp()
  createdAt!: string;

  /** From then on it is refused; null if it goes on until it is revoked. */
  @Timestamp({ nullable: true })
  expiresAt!: string | null;
}

const LimitCents = (example: number): PropertyDecorator => LargeInteger(example, { nullable: true });

/** What the service accepts. */
@ApiSchema({ name: 'Limits' })
export class LimitsView {
  /** Bytes of a request's body. */
  @Integer(1_048_576)
  bodyBytes!: number;

  /** Unicode code points of a message or topic. */
  @Integer(32_000)
  messageCodePoints!: number;

  /** Entries of a page. */
  @Integer(100)
  pageEntries!: number;

  /** Providers of one job. */
  @Integer(8)
  providers!: number;

  /** Requests of the tenant in a minute; null: any number, as for all of the following. */
  @Integer(600, { nullable: true })
  requestsPerMinute!: number | null;

  /** Requests with this key in a minute. */
  @Integer(300, { nullable: true })
  keyRequestsPerMinute!: number | null;

  /** Jobs of the tenant that are not final. */
  @Integer(50, { nullable: true })
  openJobs!: number | null;

  /** How many more of them may be created now. */
  @Integer(38, { nullable: true })
  openJobsLeft!: number | null;

  /** What the jobs of a day (UTC) may cost until answers warn of it, in cents. */
  @LimitCents(5000)
  warningCents!: number | null;

  /** What the jobs of a day may cost, in cents. */
  @LimitCents(10_000)
  dailyCents!: number | null;

  /** What is left of that today; open jobs count with the caps of their budgets. */
  @LimitCents(8500)
  dailyCentsLeft!: number | null;

  /** Jobs created with this key that are not final. */
  @Integer(10, { nullable: true })
  keyOpenJobs!: number | null;

  /** How many more of them may be created now. */
  @Integer(7, { nullable: true })
  keyOpenJobsLeft!: number | null;

  /** What the jobs created with this key on a day (UTC) may cost until answers warn of it, in cents. */
  @LimitCents(500)
  keyWarningCents!: number | null;

  /** What the jobs created with this key on a day may cost, in cents. */
  @LimitCents(1000)
  keyDailyCents!: number | null;

  /** What is left of that today; open jobs count with the caps of their budgets. */
  @LimitCents(850)
  keyDailyCentsLeft!: number | null;
}

/** Who asks: the tenant, the key and what it may do. */
@ApiSchema({ name: 'Me' })
export class MeView {
  /** Whose threads and jobs this key sees. */
  @Text('acme')
  tenantId!: string;

  key!: ApiKeyView;

  /** What the key may be used for; each operation names the scope that it needs. A later version may know more. */
  @ApiProperty({ type: [String], example: ['threads:read', 'threads:write'] })
  scopes!: string[];

  limits!: LimitsView;
}
