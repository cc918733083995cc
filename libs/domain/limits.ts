/** What a tenant or one of its keys may use. Null: unlimited. Absent: as the settings say. */
export interface Limits {
  /** Requests a minute, on average. */
  requestsPerMinute?: number | null;
  /** Requests at once, after some time without any. */
  burst?: number | null;
  /** How many of its jobs may be open, that is, not final. */
  openJobs?: number | null;
  /** Answers carry a warning once its jobs of one day (UTC) may cost more than this, in cents. */
  warningCents?: number | null;
  /** The most that its jobs of one day (UTC) may cost, in cents. An open job counts with its budget cap. */
  dailyCents?: number | null;
}

/** Limits not named stay as they are; `undefined` restores the setting. */
export type LimitChanges = { [Name in LimitName]?: Limits[Name] | undefined };

/** Limits for the jobs that a tenant, or one of its keys, has created; null: no limit. */
export interface JobLimits {
  /** Null: limits of the tenant. */
  keyId: string | null;
  openJobs: number | null;
  dailyCents: number | null;
  warningCents: number | null;
}

/** The limits that concern jobs; null if there are none. */
export function jobLimitsOf(keyId: string | null, { openJobs = null, dailyCents = null, warningCents = null }: Limits): JobLimits | null {
  return openJobs === null && dailyCents === null && warningCents === null ? null : { keyId, openJobs, dailyCents, warningCents };
}

export type LimitName = keyof Limits;

/** The largest value of each. The least is 1, except that open jobs and cents may be 0. */
export const MAX_LIMITS: Readonly<Record<LimitName, number>> = {
  requestsPerMinute: 6_000_000,
  burst: 1_000_000,
  openJobs: 1_000_000,
  warningCents: 1e12,
  dailyCents: 1e12,
};
export const LIMIT_NAMES = Object.keys(MAX_LIMITS) as LimitName[];

export const leastLimit = (name: LimitName): number => (name === 'requestsPerMinute' || name === 'burst' ? 1 : 0);

/** Sorted by the order of `LIMIT_NAMES`, whatever order they were given in. */
export const orderedLimits = (limits: LimitChanges): Limits =>
  Object.fromEntries(LIMIT_NAMES.filter((name) => limits[name] !== undefined).map((name) => [name, limits[name]]));
