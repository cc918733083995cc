/** What a tenant or one of its keys may use. Null: as much as it likes. What is absent is as the settings say. */
export interface Limits {
  /** How many requests a minute, on the long run. */
  requestsPerMinute?: number | null;
  /** How many requests at once, after a while without any. */
  burst?: number | null;
  /** How many of its jobs may be not final. */
  openJobs?: number | null;
  /** What its jobs of a day (UTC) may cost until answers warn of it, in cents. */
  warningCents?: number | null;
  /** What its jobs of a day may cost, in cents. An open job counts with the cap of its budget. */
  dailyCents?: number | null;
}

/** Of the jobs that a tenant, or one of its keys, has created; null: no limit. */
export interface JobLimits {
  /** Null: of the tenant. */
  keyId: string | null;
  openJobs: number | null;
  dailyCents: number | null;
  warningCents: number | null;
}

/** Null if none of them is limited. */
export function jobLimitsOf(keyId: string | null, { openJobs = null, dailyCents = null, warningCents = null }: Limits): JobLimits | null {
  return openJobs === null && dailyCents === null && warningCents === null ? null : { keyId, openJobs, dailyCents, warningCents };
}

export type LimitName = keyof Limits;

/** The largest value of each; the least is 1, but for open jobs and cents, of which there may be none. */
export const MAX_LIMITS: Readonly<Record<LimitName, number>> = {
  requestsPerMinute: 6_000_000,
  burst: 1_000_000,
  openJobs: 1_000_000,
  warningCents: 1e12,
  dailyCents: 1e12,
};
export const LIMIT_NAMES = Object.keys(MAX_LIMITS) as LimitName[];

export const leastLimit = (name: LimitName): number => (name === 'requestsPerMinute' || name === 'burst' ? 1 : 0);

/** In the order of their names, whatever order they were given in. */
export const orderedLimits = (limits: Limits): Limits =>
  Object.fromEntries(LIMIT_NAMES.filter((name) => limits[name] !== undefined).map((name) => [name, limits[name]]));
