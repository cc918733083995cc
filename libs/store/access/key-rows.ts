import type { ClientBase } from 'pg';
import { ownLimits, type TenantState } from '@lib/domain/tenant';
import type { KeyState } from '@lib/domain/tenant-keys';
import { isGenuine, KEY_ROW, rowHmac, type KeyRow } from './row-hmac';

/** The columns of a key's row that are not in its tenant's history. */
export type KeySecret = Pick<KeyRow, 'name' | 'hmac'>;

const INSERT = `insert into api_key (key_id, tenant_id, name, hmac, created_at, scopes, expires_at, limits, row_hmac)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const LOCK = `select ${KEY_ROW} from api_key where key_id = $1 for no key update`;
const UPDATE = 'update api_key set scopes = $2, expires_at = $3, revoked_at = $4, limits = $5, row_hmac = $6 where key_id = $1';

/** Where earlier builds kept the limits of keys. */
const FORGET_LIMITS = 'delete from tenant_limit where tenant_id = $1 and key_id = $2';

interface OfTenant {
  /** As it is after the change. */
  tenant: TenantState;
  tenantId: string;
  pepper: string;
}

export async function insertKeyRow(client: ClientBase, owner: OfTenant, key: KeyState, secret: KeySecret): Promise<void> {
  const row = rowOf(owner, key, secret);
  const { keyId, tenantId, name, hmac, createdAt, scopes, expiresAt, limits } = row;
  await client.query(INSERT, [keyId, tenantId, name, hmac, createdAt, scopes, expiresAt, limits, rowHmac(row, owner.pepper)]);
}

/**
 * @param known the state that the row must have had: `unsealed` if it has no HMAC yet
 * @throws Error if the row is another tenant's or was changed by somebody without the pepper; a key that ends is sealed all the same
 */
export async function updateKeyRow(
  client: ClientBase,
  owner: OfTenant,
  key: KeyState,
  known: 'sealed' | 'unsealed' = 'sealed',
): Promise<void> {
  const { tenantId, pepper } = owner;
  const { rows } = await client.query<KeyRow & { rowHmac: Buffer | null }>(LOCK, [key.keyId]);
  const [stored] = rows;
  const isKnown = known === 'unsealed' ? stored?.rowHmac === null : stored && isGenuine(stored, pepper);
  if (stored?.tenantId !== tenantId || (!isKnown && key.revokedAt === null)) {
    throw new Error(
      `The row of the key ${key.keyId} is not what was recorded for ${tenantId} under this API_KEY_PEPPER, so it is not changed: ` +
        'set the pepper that is in use, or revoke the key.',
    );
  }
  const row = rowOf(owner, key, stored);
  await client.query(UPDATE, [row.keyId, row.scopes, row.expiresAt, row.revokedAt, row.limits, rowHmac(row, pepper)]);
  await client.query(FORGET_LIMITS, [tenantId, key.keyId]);
}

function rowOf({ tenant, tenantId }: OfTenant, key: KeyState, { name, hmac }: KeySecret): KeyRow {
  const { keyId, scopes, createdAt, expiresAt, revokedAt } = key;
  const limits = ownLimits(tenant, keyId) ?? {};
  return {
    keyId,
    tenantId,
    name,
    hmac,
    scopes,
    createdAt: new Date(createdAt),
    expiresAt: timeOf(expiresAt),
    revokedAt: timeOf(revokedAt),
    limits: Object.keys(limits).length > 0 ? limits : null,
  };
}

const timeOf = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));

/** The keys that differ between two states. `evolveTenant` creates a new object for each key, and for the limits of each key, that it changes. */
export const changedKeys = (before: TenantState, after: TenantState): KeyState[] =>
  after.keys.filter((key) => !before.keys.includes(key) || ownLimits(before, key.keyId) !== ownLimits(after, key.keyId));
