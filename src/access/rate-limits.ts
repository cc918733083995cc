import type { FastifyReply } from 'fastify';

import { jobLimitsOf, type JobLimits, type Limits } from '@lib/domain/limits';
import type { Rate } from '@lib/domain/token-bucket';
import type { LimitReads, LimitsOfKey } from '@lib/store/limits/limit-reads';
import { Problem } from '../api/problems';
import type { Caller } from './caller';
import type { Left, SharedBuckets } from './shared-buckets';
import type { SpendingWarnings } from './spending-warnings';

/** A policy has a bucket for each tenant or key. */
interface Policy {
  name: 'tenant' | 'key';
  bucket: string;
  rate: Rate;
}

/** Refuses requests beyond the limits of their tenant or key, and says how much is left. The write path checks the limits of jobs. */
export class RateLimits {
  constructor(
    private readonly limits: LimitReads,
    private readonly buckets: SharedBuckets,
    private readonly warnings: SpendingWarnings,
  ) {}

  /**
   * Returns without a promise if the limits were read in the last seconds.
   * @throws Problem rate_limited
   */
  admit(caller: Caller, reply: FastifyReply): Promise<void> | undefined {
    const limits = this.limits.of(caller);
    if (limits instanceof Promise) return limits.then((read) => this.apply(read, caller, reply));
    this.apply(limits, caller, reply);
    return undefined;
  }

  private apply(limits: LimitsOfKey, caller: Caller, reply: FastifyReply): void {
    caller.allowed = limits;
    const policies = policiesOf(caller, limits);
    if (policies.length > 0) this.take(policies, reply);
    const ofJobs = [jobLimitsOf(null, limits.tenant), jobLimitsOf(caller.keyId, limits.key)].filter((own) => own !== null);
    if (ofJobs.length > 0) caller.limits = ofJobs.map((own) => ({ ...own, near: (cents) => this.warn(caller, reply, own, cents) }));
  }

  private warn({ tenantId }: Caller, reply: FastifyReply, { keyId, warningCents, dailyCents }: JobLimits, cents: number): void {
    const most = dailyCents === null ? '' : `;limit=${dailyCents}`;
    const warning = `"${keyId === null ? '' : 'key-'}daily-cents";used=${cents};warning=${warningCents ?? 0}${most}`;
    const other = reply.getHeader('limit-warning');
    reply.header('limit-warning', other === undefined ? warning : `${String(other)}, ${warning}`);
    this.warnings.tell(tenantId, { keyId, cents, warningCents: warningCents ?? 0 });
  }

  private take(policies: readonly Policy[], reply: FastifyReply): void {
    const left = this.buckets.take(policies);
    reply.header('ratelimit-policy', policies.map(({ name, rate }) => `"${name}";q=${rate.burst};w=${windowOf(rate)}`).join(', '));
    reply.header('ratelimit', policies.map(({ name }, place) => leftOf(name, left[place])).join(', '));
    if (left.every(({ isTaken }) => isTaken)) return;
    const seconds = Math.max(1, Math.ceil(Math.max(...left.map(({ waitMs }) => waitMs)) / 1000));
    const empty = policies.filter((_, place) => (left[place]?.waitMs ?? 0) > 0).map(({ name }) => `this ${name}`);
    const detail = `More requests came with ${empty.join(' and ')} than may: repeat the request in ${seconds} s.`;
    throw new Problem('rate_limited', detail, [], { 'retry-after': String(seconds) });
  }
}

/** In how many whole seconds an empty bucket is full. */
const windowOf = ({ perSecond, burst }: Rate): number => Math.ceil(burst / perSecond);

const leftOf = (name: string, { tokens, fullInMs }: Left = { isTaken: false, tokens: 0, waitMs: 0, fullInMs: 0 }): string =>
  `"${name}";r=${tokens};t=${Math.ceil(fullInMs / 1000)}`;

function policiesOf({ tenantId, keyId }: Pick<Caller, 'tenantId' | 'keyId'>, { tenant, key }: LimitsOfKey): Policy[] {
  const policies: Policy[] = [];
  const [ofTenant, ofKey] = [rateOf(tenant), rateOf(key)];
  if (ofTenant) policies.push({ name: 'tenant', bucket: tenantId, rate: ofTenant });
  if (ofKey) policies.push({ name: 'key', bucket: `${tenantId}/${keyId}`, rate: ofKey });
  return policies;
}

/** The default burst: the requests of ten seconds. */
function rateOf({ requestsPerMinute, burst }: Limits): Rate | null {
  if (requestsPerMinute === undefined || requestsPerMinute === null) return null;
  return { perSecond: requestsPerMinute / 60, burst: burst ?? Math.max(1, Math.ceil(requestsPerMinute / 6)) };
}
