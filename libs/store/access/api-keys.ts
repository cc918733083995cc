import { createHmac, timingSafeEqual } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Orm } from '../postgres/orm';
import { asStoreError } from '../postgres/store-unavailable';
import { ApiKey, Tenant } from './access-entities';
import { generateKey, keyIdOf, type GeneratedKey } from './key-format';

/** Where keys are kept and the secret under which their HMACs are made. */
export interface KeyStore {
  orm: Orm;
  /** `API_KEY_PEPPER`: with another pepper every stored key is refused. */
  pepper: string;
}

/** Whose key it is. */
export interface KeyHolder {
  keyId: string;
  tenantId: string;
}

/** A key without its secret. */
export interface ListedKey extends KeyHolder {
  name: string | null;
  createdAt: Date;
  revokedAt: Date | null;
}

const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const VERIFIED_FOR_MS = 10_000;
const VERIFIED_KEYS = 1000;

/** Makes a key for a tenant, which begins to exist with its first key. The returned text is shown once and never stored. */
export async function createKey(store: KeyStore, tenantId: string, name: string | null): Promise<string> {
  const key = generateKey();
  await insertKey(store, key, tenantId, name);
  return key.keyText;
}

/**
 * Makes sure that a given key works, for a key that the operator chose (`BOOTSTRAP_API_KEY`). Repeating it changes nothing.
 * @throws Error if the text is no key, or its id stands for another key, another tenant or a revoked key
 */
export async function ensureKey(store: KeyStore, keyText: string, tenantId: string): Promise<void> {
  const keyId = keyIdOf(keyText);
  if (keyId === null)
    throw new Error(
      'The given API key is not of the form rt_live_<id>_<secret><checksum>, or its checksum is wrong; make one with `research keys create`.',
    );
  let stored = await findKey(store, keyId);
  if (stored === null) {
    // Another process that starts at the same time may insert it first: what stands then is checked like any other.
    await insertKey(store, { keyId, keyText }, tenantId, null);
    stored = await findKey(store, keyId);
  }
  if (stored === null) throw new Error(`The given API key ${keyId} was removed while it was made; start again.`);
  if (stored.revokedAt) throw new Error(`The given API key ${keyId} was revoked; use another one.`);
  if (stored.tenant.id !== tenantId)
    throw new Error(`The given API key ${keyId} belongs to the tenant ${stored.tenant.id}, not to ${tenantId}.`);
  if (!timingSafeEqual(hmacOf(keyText, store.pepper), stored.hmac)) {
    throw new Error(
      `The given API key ${keyId} is stored with another secret or under another API_KEY_PEPPER; restore the pepper or use another key.`,
    );
  }
}

/** All keys of one tenant, or of every tenant, oldest first; revoked ones too. */
export async function listKeys({ orm }: KeyStore, tenantId?: string): Promise<ListedKey[]> {
  const keys = await orm.em
    .fork()
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
export async function revokeKey({ orm }: KeyStore, keyId: string): Promise<boolean> {
  return (await orm.em.fork().nativeUpdate(ApiKey, { keyId, revokedAt: null }, { revokedAt: new Date() })) > 0;
}

/** Says whose key a text is; null for every text that is no key in force, whatever the reason. */
export type VerifyKey = (keyText: string) => Promise<KeyHolder | null>;

/** A verifier that remembers verified keys for ten seconds, and asks the database only about keys with a right checksum. */
export function createKeyVerifier(store: KeyStore): VerifyKey {
  const verified = new LRUCache<string, KeyHolder>({ max: VERIFIED_KEYS, ttl: VERIFIED_FOR_MS });
  return async (keyText) => {
    const remembered = verified.get(keyText);
    if (remembered) return remembered;
    const holder = await holderOf(store, keyText);
    if (holder) verified.set(keyText, holder);
    return holder;
  };
}

async function holderOf(store: KeyStore, keyText: string): Promise<KeyHolder | null> {
  const keyId = keyIdOf(keyText);
  if (keyId === null) return null;
  const stored = await findKey(store, keyId);
  if (stored === null || !timingSafeEqual(hmacOf(keyText, store.pepper), stored.hmac)) return null;
  return stored.revokedAt ? null : { keyId, tenantId: stored.tenant.id };
}

async function findKey({ orm }: KeyStore, keyId: string) {
  try {
    return await orm.em.fork().findOne(ApiKey, { keyId });
  } catch (error) {
    throw asStoreError(error);
  }
}

async function insertKey(
  { orm, pepper }: KeyStore,
  { keyId, keyText }: GeneratedKey,
  tenantId: string,
  name: string | null,
): Promise<void> {
  if (!TENANT_ID.test(tenantId)) {
    throw new Error(
      `The tenant id ${JSON.stringify(tenantId.slice(0, 80))} must start with a letter or digit and have at most 64 letters, digits, dots, dashes and underscores.`,
    );
  }
  await orm.em.fork().transactional(async (em) => {
    await em.upsert(Tenant, { id: tenantId }, { onConflictAction: 'ignore' });
    await em.upsert(ApiKey, { keyId, tenant: tenantId, name, hmac: hmacOf(keyText, pepper) }, { onConflictAction: 'ignore' });
  });
}

function hmacOf(keyText: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(keyText).digest();
}
