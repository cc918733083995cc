import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Matches,
  Max,
  Min,
} from 'class-validator';

import { PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';

/** Stands for two adapters: one used if its key is set, and one if not. */
export const AUTO = 'auto';

const isAliases = (target: object, key: string): void => {
  IsArray({ message: 'must be a list of names' })(target, key);
  ArrayMaxSize(20, { message: 'must have at most 20 names' })(target, key);
  const message = 'must hold names of lower-case letters, digits, dots and hyphens';
  Matches(/^[a-z0-9][a-z0-9.-]{0,63}$/, { each: true, message })(target, key);
};

export const MAX_RESERVE_CENTS = 100_000_000;
const cents = (target: object, key: string): void => {
  IsInt({ message: 'must be a whole number of cents' })(target, key);
  Min(0, { message: 'must be at least 0 (cents)' })(target, key);
  Max(MAX_RESERVE_CENTS, { message: `must be at most ${MAX_RESERVE_CENTS} (cents)` })(target, key);
};

const limit =
  (most: number, otherwise = 'no limit of its own') =>
  (target: object, key: string) => {
    IsOptional()(target, key);
    IsInt({ message: `must be a whole number between 1 and ${most}` })(target, key);
    Min(1, { message: `must be at least 1; leave it out for ${otherwise}` })(target, key);
    Max(most, { message: `must be at most ${most}` })(target, key);
  };

/** Arguments of `@Matches` for a model's name and for the day of its prices. */
export const isModelName = [/^\S{1,200}$/, { message: 'must be a name of at most 200 characters without spaces' }] as const;
export const isDay = [/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { message: 'must be a day such as 2026-11-21' }] as const;

/** A provider's entry in the file, before its options are validated. */
export class ProviderEntry {
  /** Compared with the known adapters when the entry is read. */
  @Allow()
  adapter!: string;

  /** The model to ask for; null where the adapter has none. */
  @IsOptional()
  @Matches(...isModelName)
  model: string | null = null;

  /** Day of the prices that the reservations are based on; recorded with each job. */
  @IsOptional()
  @Matches(...isDay)
  priceDate: string | null = null;

  /** The provider is not called if less than this is left of a job's cap. */
  @cents
  minReserveCents!: number;

  /** The most that one run may reserve. */
  @cents
  maxReserveCents!: number;

  /** Steps that one worker process runs at a time; null leaves it to WORKER_SLOTS. */
  @limit(10_000)
  concurrency: number | null = null;

  /** Most runs that one worker process starts per minute, evenly spread; null for no limit. */
  @limit(60_000)
  requestsPerMinute: number | null = null;

  /** How long a run typically takes, in any mode; null uses what the adapter declares. */
  @limit(86_400, 'what its adapter declares')
  typicalSeconds: number | null = null;

  /** Other names that clients may use for it. */
  @isAliases
  aliases: string[] = [];

  /** The adapter's own settings; may be missing if none of them is required. */
  @IsObject({ message: 'must be a mapping' })
  options: object = {};
}

/** The entry of a provider whose adapter is `auto`. */
export class AutoEntry {
  @IsIn([AUTO])
  adapter!: typeof AUTO;

  @isAliases
  aliases: string[] = [];

  /** A `ProviderEntry` without aliases that counts if the key of its adapter is set. */
  @IsObject({ message: 'must be a mapping' })
  withKey!: object;

  /** A `ProviderEntry` without aliases that counts otherwise. */
  @IsObject({ message: 'must be a mapping' })
  withoutKey!: object;
}

function count(target: object, key: string): void {
  IsInt({ message: 'must be a whole number of providers' })(target, key);
  Min(1, { message: 'must be at least 1' })(target, key);
  Max(PROVIDERS.length, { message: `must be at most ${PROVIDERS.length}` })(target, key);
}

/** How many providers research a question when the client names none. */
export class ProviderCounts implements Record<BudgetTier, number> {
  @count XXS!: number;
  @count XS!: number;
  @count S!: number;
  @count M!: number;
  @count L!: number;
  @count XL!: number;
}

/** The providers of a job whose client names none. */
export class DefaultProviders {
  /** Best first. A job takes the first ones that its budget allows. */
  @IsArray({ message: 'must be a list of provider identifiers' })
  @ArrayNotEmpty({ message: 'must name at least one provider' })
  @ArrayUnique({ message: 'must name each provider once' })
  @IsIn(PROVIDERS, { each: true, message: `must hold identifiers out of ${PROVIDERS.join(', ')}` })
  preference!: ProviderId[];

  @IsObject({ message: 'must be a mapping of budget tiers to numbers of providers' })
  count!: object;
}

/** The file's top level. */
export class ProvidersFileSections {
  /** The model that writes summaries of reports; optional. */
  @Allow()
  synthesis?: unknown;

  @IsObject({ message: 'must be a mapping' })
  defaults!: object;

  @IsObject({ message: 'must be a mapping of provider identifiers to their settings' })
  providers!: object;
}
