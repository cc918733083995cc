/** What a tenant or one of its keys may use. Null: no limit. Absent: the default from the settings. */
export interface Limits {
  /** Requests per minute, on average. */
  requestsPerMinute?: number | null;
  /** Requests at once, after a while without any. */
  burst?: number | null;
  /** Jobs that may be open (not final) at the same time. */
  openJobs?: number | null;
  /** Cost in cents of the jobs of one day (UTC) from which on answers carry a warning. */
  warningCents?: number | null;
  /** What the jobs of one day (UTC) may cost, in cents. An open job counts with its budget cap. */
  dailyCents?: number | null;
}

/** Limits for the jobs that a tenant, or one of its keys, creates. Null: no limit. */
export interface JobLimits {
  /** Null: the limits apply to the tenant. */
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

/** The largest value of each limit. See `leastLimit` for the smallest. */
export const MAX_LIMITS: Readonly<Record<LimitName, number>> = {
  requestsPerMinute: 6_000_000,
  burst: 1_000_000,
  openJobs: 1_000_000,
  warningCents: 1e12,
  dailyCents: 1e12,
};
export const LIMIT_NAMES = Object.keys(MAX_LIMITS) as LimitName[];

export const leastLimit = (name: LimitName): number => (name === 'requestsPerMinute' || name === 'burst' ? 1 : 0);

/** The same limits in a fixed order, so that equal limits are recorded alike. */
export const orderedLimits = (limits: Limits): Limits =>
  Object.fromEntries(LIMIT_NAMES.filter((name) => limits[name] !== undefined).map((name) => [name, limits[name]]));
