import type { AuditedEvent } from './audited-event';

type Told = Pick<AuditedEvent, 'streamId' | 'version' | 'type' | 'facts' | 'meta'>;

interface Key {
  expiresAt: string | null;
  revoked: boolean;
}

const PREFIX = 'ten_';
const SCOPES = new Set(['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read', 'admin']);
/** Events that create a key. */
const MAKING = new Set(['KeyCreated', 'KeyAdopted', 'KeyRotated']);
/** Events that say what a key may be used for. */
const GRANTING = new Set([...MAKING, 'KeyChanged']);

/** The rules for a tenant and its keys, implemented independently. */
export class TenantAutomaton {
  private readonly keys = new Map<string, Key>();
  /** Last warning's day by key id; the empty id is the tenant. */
  private readonly warnedOn = new Map<string, string>();
  /** Threads whose histories were removed. */
  private readonly removed = new Set<string>();

  /** Takes the next event. @returns the fact that is not allowed, or null */
  take({ streamId, version, type, facts, meta }: Told): string | null {
    if ((type === 'TenantCreated') !== (version === 1)) return 'type';
    if (type === 'TenantCreated') return streamId === PREFIX + String(facts.tenantId) ? null : 'facts.tenantId';
    if (type === 'LimitsChanged') return areLimits(facts.limits) ? null : 'facts.limits';
    if (type === 'SpendingWarned') return this.warn(typeof facts.keyId === 'string' ? facts.keyId : '', String(facts.day));
    if (type === 'SkeletonsRemoved') return this.remove(facts.threads) ? null : 'facts.threads';
    const at = String(meta.occurredAt);
    const keyId = String(facts.keyId);
    const key = this.keys.get(keyId);
    if (MAKING.has(type) === (key !== undefined)) return 'facts.keyId';
    if (GRANTING.has(type) && !areScopes(facts.scopes)) return 'facts.scopes';
    switch (type) {
      case 'KeyRotated': {
        const { replacedKeyId, replacedExpiresAt } = facts as Record<string, string>;
        const replaced = this.keys.get(String(replacedKeyId));
        if (!isInForce(replaced, at)) return 'facts.replacedKeyId';
        if (typeof replaced?.expiresAt === 'string' && String(replacedExpiresAt) > replaced.expiresAt) return 'facts.replacedExpiresAt';
        this.keys.set(String(replacedKeyId), { expiresAt: String(replacedExpiresAt), revoked: false });
        break;
      }
      case 'KeyCreated':
      case 'KeyAdopted':
        break;
      case 'KeyChanged':
        if (!isInForce(key, at)) return 'type';
        break;
      case 'KeyRevoked':
        if (key?.revoked !== false) return 'type';
        key.revoked = true;
        return null;
      default:
        return 'type';
    }
    this.keys.set(keyId, {
      expiresAt: (facts.expiresAt as string | null | undefined) ?? null,
      revoked: (facts.revokedAt ?? null) !== null,
    });
    return null;
  }

  /** @returns false if a thread is removed twice */
  private remove(threads: unknown): boolean {
    if (!Array.isArray(threads) || threads.length === 0) return false;
    return threads.every((removed: unknown) => {
      if (!isRemovedSkeleton(removed) || this.removed.has(removed.threadId)) return false;
      this.removed.add(removed.threadId);
      return true;
    });
  }

  /** Allows at most one warning per day. */
  private warn(keyId: string, day: string): string | null {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || day <= (this.warnedOn.get(keyId) ?? '')) return 'facts.day';
    this.warnedOn.set(keyId, day);
    return null;
  }
}

function isRemovedSkeleton(removed: unknown): removed is { threadId: string } {
  const { threadId, deletedAt, events, streams, headsSha256, balance } = (removed ?? {}) as Record<string, unknown>;
  const { count, sha256 } = (streams ?? {}) as Record<string, unknown>;
  const { reservedCents, chargedCents } = (balance ?? {}) as Record<string, unknown>;
  const areNumbers = [events, count, reservedCents, chargedCents].every((number) => Number.isSafeInteger(number) && Number(number) >= 0);
  const areDigests = [sha256, headsSha256].every((digest) => /^[0-9a-f]{64}$/.test(String(digest)));
  return areNumbers && areDigests && String(threadId).startsWith('thr_') && typeof deletedAt === 'string';
}

const LIMITS = new Set(['requestsPerMinute', 'burst', 'openJobs', 'warningCents', 'dailyCents']);

const areLimits = (limits: unknown): boolean =>
  typeof limits === 'object' &&
  limits !== null &&
  Object.entries(limits).every(([name, value]) => LIMITS.has(name) && (value === null || (Number.isInteger(value) && value >= 0)));

const isInForce = (key: Key | undefined, at: string): boolean =>
  key !== undefined && !key.revoked && (key.expiresAt === null || key.expiresAt > at);

const areScopes = (scopes: unknown): boolean => Array.isArray(scopes) && scopes.every((scope: string) => SCOPES.has(scope));
