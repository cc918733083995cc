import type { ClientBase } from 'pg';
import { USUAL_SCOPES, type Scope } from '@lib/domain/scopes';
import type { LimitChanges, Limits } from '@lib/domain/limits';
import { TENANT_ID, ownLimits, type TenantCommand, type TenantState } from '@lib/domain/tenant';
import type { KeyTerms } from '@lib/domain/tenant-keys';
import { DomainError } from '@lib/domain/errors';
import { ormOver } from '../postgres/orm';
import { withStoreErrors } from '../postgres/store-unavailable';
import { Tenants, type ChangeMeta, type TenantChange } from '../tenants/tenants';
import { ApiKey } from './access-entities';
import { generateKey, type GeneratedKey } from './key-format';
import { changedKeys, insertKeyRow, updateKeyRow, type KeySecret } from './key-rows';
import { hmacOf, type KeyStore } from './stored-key';
import type { KeyHolder } from './verify-key';

/** A key without its secret. */
export interface ListedKey extends KeyHolder {
  name: string | null;
  /** Null if it was made by a build that knew none. */
  scopes: Scope[] | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** The properties of a new key. */
export interface NewKey extends KeyTerms {
  tenantId: string;
  name: string | null;
  /** Limits that differ from the settings. */
  limits?: LimitChanges;
}

/** Makes a key for a tenant, which begins to exist with its first key. The returned text is shown once and never stored. */
export async function createKey(store: KeyStore, newKey: NewKey, meta: ChangeMeta): Promise<string> {
  const key = generateKey();
  await insertKey(store, key, newKey, meta);
  return key.keyText;
}

/** All keys of one tenant, or of every tenant, oldest first; those that ended too. */
export const listKeys = (store: Pick<KeyStore, 'pool'>, tenantId?: string): Promise<ListedKey[]> =>
  readKeys(store, tenantId === undefined ? {} : { tenant: tenantId });

async function readKeys({ pool }: Pick<KeyStore, 'pool'>, where: { tenant?: string; keyId?: string }): Promise<ListedKey[]> {
  const orm = ormOver(pool).em.fork();
  const keys = await withStoreErrors(() => orm.find(ApiKey, where, { orderBy: { createdAt: 'asc', keyId: 'asc' } }));
  return keys.map(({ keyId, tenant, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
    keyId,
    tenantId: tenant.id,
    name: name ?? null,
    scopes: (scopes as Scope[] | null | undefined) ?? null,
    createdAt,
    expiresAt: expiresAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
    revokedAt: revokedAt ?? null,
  }));
}

/** Revokes a key. A process that has just verified it may accept it for ten more seconds. False if no such key is in force. */
export async function revokeKey(store: KeyStore, keyId: string, meta: ChangeMeta): Promise<boolean> {
  const [known] = await readKeys(store, { keyId });
  if (!known || known.revokedAt !== null) return false;
  const { tenantId } = known;
  await changeKeys(store, { tenantId, commands: [adoptionOf(known), { type: 'RevokeKey', tenantId, keyId }], meta });
  return true;
}

/**
 * Changes what a key may be used for, or until when; omitted terms stay.
 * @throws DomainError key_not_found if the tenant has no such key in force
 */
export async function changeKey(store: KeyStore, keyId: string, terms: Partial<KeyTerms>, meta: ChangeMeta): Promise<void> {
  const { tenantId } = await requireKey(store, keyId);
  await changeKeys(store, { tenantId, commands: [{ type: 'ChangeKey', tenantId, keyId, ...terms }], meta });
}

/**
 * Changes the limits of a key.
 * @returns the limits that now differ from the settings
 * @throws DomainError key_not_found if the tenant has no such key in force
 */
export async function limitKey(
  store: KeyStore,
  { tenantId, keyId, changes }: { tenantId: string; keyId: string; changes: LimitChanges },
  meta: ChangeMeta,
): Promise<Limits> {
  const known = await requireKey(store, keyId);
  if (known.tenantId !== tenantId || hasEnded(known)) throw new DomainError('key_not_found');
  const commands: TenantCommand[] = [adoptionOf(known), { type: 'ChangeLimits', tenantId, keyId, changes }];
  return ownLimits(await changeKeys(store, { tenantId, commands, meta }), keyId) ?? {};
}

const hasEnded = ({ revokedAt, expiresAt }: ListedKey): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= Date.now());

export interface Rotation {
  /** How long the old key remains valid. */
  overlapMs: number;
  /** When the new key expires; undefined: after as long a time as the old one was given. */
  expiresAt?: string | null;
}

/**
 * Makes a key that replaces another one: same tenant, name, scopes and limits.
 * @returns its text, which is shown once, and when the old one ends
 * @throws DomainError key_not_found if there is no such key in force
 */
export async function rotateKey(
  store: KeyStore,
  replacedKeyId: string,
  { overlapMs, expiresAt }: Rotation,
  meta: ChangeMeta,
): Promise<{ keyText: string; replacedExpiresAt: string }> {
  const { tenantId, name } = await requireKey(store, replacedKeyId);
  const { keyId, keyText } = generateKey();
  const secret = { name, hmac: hmacOf(keyText, store.pepper) };
  const command: TenantCommand = { type: 'RotateKey', tenantId, keyId, replacedKeyId, overlapMs, expiresAt };
  const after = await changeKeys(store, { tenantId, commands: [command], meta }, new Map([[keyId, secret]]));
  const replaced = after.keys.find((key) => key.keyId === replacedKeyId);
  return { keyText, replacedExpiresAt: replaced?.expiresAt ?? '' };
}

/** Does nothing if a key with this id exists. */
export async function insertKey(store: KeyStore, { keyId, keyText }: GeneratedKey, newKey: NewKey, meta: ChangeMeta): Promise<void> {
  const { tenantId, name, scopes, expiresAt, limits = {} } = newKey;
  if (!TENANT_ID.test(tenantId)) {
    throw new Error(
      `The tenant id ${JSON.stringify(tenantId.slice(0, 80))} must start with a letter or digit and have at most 64 letters, digits, dots, dashes and underscores.`,
    );
  }
  const secret = { name, hmac: hmacOf(keyText, store.pepper) };
  const commands: TenantCommand[] = [
    { type: 'CreateKey', tenantId, keyId, scopes, expiresAt },
    { type: 'ChangeLimits', tenantId, keyId, changes: limits },
  ];
  await changeKeys(store, { tenantId, commands, meta }, new Map([[keyId, secret]]));
}

/** @param fresh the columns of new keys that the history does not contain */
function changeKeys(
  { pool, pepper }: KeyStore,
  change: Omit<TenantChange, 'write'>,
  fresh: ReadonlyMap<string, KeySecret> = new Map(),
): Promise<TenantState> {
  const { tenantId } = change;
  const write = async (client: ClientBase, after: TenantState, before: TenantState) => {
    const owner = { tenant: after, tenantId, pepper };
    for (const key of changedKeys(before, after)) {
      const secret = fresh.get(key.keyId);
      if (secret) await insertKeyRow(client, owner, key, secret);
      else await updateKeyRow(client, owner, key);
    }
  };
  return new Tenants(pool).execute({ ...change, write });
}

/** The command that adds a key to its tenant's history; without effect for a key that has one. */
export function adoptionOf({ tenantId, keyId, createdAt, revokedAt, scopes, expiresAt }: ListedKey): TenantCommand {
  const times = { createdAt: isoOf(createdAt) ?? new Date(0).toISOString(), revokedAt: isoOf(revokedAt), expiresAt: isoOf(expiresAt) };
  return { type: 'AdoptKey', tenantId, keyId, scopes: scopes ?? USUAL_SCOPES, ...times };
}

/** Null also for `infinity`, which only somebody with access to the database can have written: such a key can be revoked like any other. */
const isoOf = (time: Date | null): string | null => (time === null || Number.isNaN(time.getTime()) ? null : time.toISOString());

/** The tenant that the key's row names, even if the row was changed: the tenant's history decides what happens to the key. */
async function requireKey(store: KeyStore, keyId: string): Promise<ListedKey> {
  const [known] = await readKeys(store, { keyId });
  if (!known) throw new DomainError('key_not_found');
  return known;
}
