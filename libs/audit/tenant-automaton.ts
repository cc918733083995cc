import type { AuditedEvent } from './audited-event';

type Told = Pick<AuditedEvent, 'streamId' | 'version' | 'type' | 'facts' | 'meta'>;

interface Key {
  expiresAt: string | null;
  revoked: boolean;
}

const PREFIX = 'ten_';
const SCOPES = new Set(['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read', 'admin']);
/** Events by which a key comes to be. */
const MAKING = new Set(['KeyCreated', 'KeyAdopted', 'KeyRotated']);
/** Events that say what a key may be used for. */
const GRANTING = new Set([...MAKING, 'KeyChanged']);

/** What may happen to a tenant and its keys, told a second time. */
export class TenantAutomaton {
  private readonly keys = new Map<string, Key>();

  /** Follows an event. @returns the fact that may not be, or null */
  take({ streamId, version, type, facts, meta }: Told): string | null {
    if ((type === 'TenantCreated') !== (version === 1)) return 'type';
    if (type === 'TenantCreated') return streamId === PREFIX + String(facts.tenantId) ? null : 'facts.tenantId';
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
}

const isInForce = (key: Key | undefined, at: string): boolean =>
  key !== undefined && !key.revoked && (key.expiresAt === null || key.expiresAt > at);

const areScopes = (scopes: unknown): boolean => Array.isArray(scopes) && scopes.every((scope: string) => SCOPES.has(scope));
