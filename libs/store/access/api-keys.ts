import { ormOver } from '../postgres/orm';
import { ApiKey, Tenant } from './access-entities';
import { generateKey, type GeneratedKey } from './key-format';
import { hmacOf, type KeyStore } from './stored-key';
import type { KeyHolder } from './verify-key';

/** A key without its secret. */
export interface ListedKey extends KeyHolder {
  name: string | null;
  createdAt: Date;
  revokedAt: Date | null;
}

const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes a key for a tenant, which begins to exist with its first key. The returned text is shown once and never stored. */
export async function createKey(store: KeyStore, tenantId: string, name: string | null): Promise<string> {
  const key = generateKey();
  await insertKey(store, key, tenantId, name);
  return key.keyText;
}

/** All keys of one tenant, or of every tenant, oldest first; revoked ones too. */
export async function listKeys({ pool }: KeyStore, tenantId?: string): Promise<ListedKey[]> {
  const keys = await ormOver(pool)
    .em.fork()
    .find(ApiKey, tenantId === undefined ? {} : { tenant: tenantId }, { orderBy: { createdAt: 'asc', keyId: 'asc' } });
  return keys.map(({ keyId, tenant, name, createdAt, revokedAt }) => ({
    keyId,
    tenantId: tenant.id,
    name: name ?? null,
    createdAt,
    revokedAt: revokedAt ?? null,
  }));
}

/** Ends a key, within ten seconds also where it was verified just before. False if no such key is in force. */
export async function revokeKey({ pool }: KeyStore, keyId: string): Promise<boolean> {
  const em = ormOver(pool).em.fork();
  const key = await em.findOne(ApiKey, { keyId, revokedAt: null });
  if (!key) return false;
  key.revokedAt = new Date();
  await em.flush();
  return true;
}

/** Leaves a key with the same id as it is. */
export async function insertKey(
  { pool, pepper }: KeyStore,
  { keyId, keyText }: GeneratedKey,
  tenantId: string,
  name: string | null,
): Promise<void> {
  if (!TENANT_ID.test(tenantId)) {
    throw new Error(
      `The tenant id ${JSON.stringify(tenantId.slice(0, 80))} must start with a letter or digit and have at most 64 letters, digits, dots, dashes and underscores.`,
    );
  }
  await ormOver(pool)
    .em.fork()
    .transactional(async (em) => {
      await em.upsert(Tenant, { id: tenantId }, { onConflictAction: 'ignore' });
      await em.upsert(ApiKey, { keyId, tenant: tenantId, name, hmac: hmacOf(keyText, pepper) }, { onConflictAction: 'ignore' });
    });
}
