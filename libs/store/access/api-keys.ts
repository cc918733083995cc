import type { ClientBase } from 'pg';
import { USUAL_SCOPES, type Scope } from '@lib/domain/scopes';
import type { KeyState, KeyTerms, TenantCommand, TenantState } from '@lib/domain/tenant';
import { ormOver } from '../postgres/orm';
import { Tenants, type ChangeMeta } from '../tenants/tenants';
import { ApiKey } from './access-entities';
import { generateKey, type GeneratedKey } from './key-format';
import { insertKeyRow, updateKeyRow } from './key-rows';
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

/** What is wished of a new key. */
export interface KeyWishes extends KeyTerms {
  tenantId: string;
  name: string | null;
}

const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes a key for a tenant, which begins to exist with its first key. The returned text is shown once and never stored. */
export async function createKey(store: KeyStore, wishes: KeyWishes, meta: ChangeMeta): Promise<string> {
  const key = generateKey();
  await insertKey(store, key, wishes, meta);
  return key.keyText;
}

/** All keys of one tenant, or of every tenant, oldest first; those that ended too. */
export const listKeys = (store: Pick<KeyStore, 'pool'>, tenantId?: string): Promise<ListedKey[]> =>
  readKeys(store, tenantId === undefined ? {} : { tenant: tenantId });

async function readKeys({ pool }: Pick<KeyStore, 'pool'>, where: { tenant?: string; keyId?: string }): Promise<ListedKey[]> {
  const keys = await ormOver(pool)
    .em.fork()
    .find(ApiKey, where, { orderBy: { createdAt: 'asc', keyId: 'asc' } });
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

/** Ends a key, within ten seconds also where it was verified just before. False if no such key is in force. */
export async function revokeKey(store: KeyStore, keyId: string, meta: ChangeMeta): Promise<boolean> {
  const [known] = await readKeys(store, { keyId });
  if (!known || known.revokedAt !== null) return false;
  const { tenantId } = known;
  await changeKeys(store, tenantId, [adoptionOf(known), { type: 'RevokeKey', tenantId, keyId }], meta);
  return true;
}

/** Leaves a key with the same id as it is. */
export async function insertKey(store: KeyStore, { keyId, keyText }: GeneratedKey, wishes: KeyWishes, meta: ChangeMeta): Promise<void> {
  const { tenantId, name, scopes, expiresAt } = wishes;
  if (!TENANT_ID.test(tenantId)) {
    throw new Error(
      `The tenant id ${JSON.stringify(tenantId.slice(0, 80))} must start with a letter or digit and have at most 64 letters, digits, dots, dashes and underscores.`,
    );
  }
  const write = async (client: ClientBase, after: TenantState, before: TenantState) => {
    for (const key of changedKeys(before, after)) await insertKeyRow(client, tenantId, key, { name, hmac: hmacOf(keyText, store.pepper) });
  };
  await new Tenants(store.pool).execute({
    tenantId,
    commands: [{ type: 'CreateKey', tenantId, keyId, scopes, expiresAt }],
    meta,
    write,
  });
}

/** Changes keys that have a row already. */
async function changeKeys({ pool }: KeyStore, tenantId: string, commands: TenantCommand[], meta: ChangeMeta): Promise<void> {
  const write = async (client: ClientBase, after: TenantState, before: TenantState) => {
    for (const key of changedKeys(before, after)) await updateKeyRow(client, tenantId, key);
  };
  await new Tenants(pool).execute({ tenantId, commands, meta, write });
}

/** Without effect for a key that has a history. */
function adoptionOf({ tenantId, keyId, createdAt, revokedAt, scopes, expiresAt }: ListedKey): TenantCommand {
  const times = {
    createdAt: createdAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
  return { type: 'AdoptKey', tenantId, keyId, scopes: scopes ?? USUAL_SCOPES, ...times };
}

/** `evolveTenant` makes a new object of each key that it changes. */
const changedKeys = (before: TenantState, after: TenantState): KeyState[] => after.keys.filter((key) => !before.keys.includes(key));
