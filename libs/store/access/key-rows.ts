import type { ClientBase } from 'pg';
import type { KeyState } from '@lib/domain/tenant';
import { isGenuine, KEY_ROW, rowHmac, type KeyRow } from './row-hmac';

/** What a key's row holds beside what its tenant's history says of it. */
export type KeySecret = Pick<KeyRow, 'name' | 'hmac'>;

const INSERT = `insert into api_key (key_id, tenant_id, name, hmac, created_at, scopes, expires_at, row_hmac)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const LOCK = `select ${KEY_ROW} from api_key where key_id = $1 for no key update`;
const UPDATE = 'update api_key set scopes = $2, expires_at = $3, revoked_at = $4, row_hmac = $5 where key_id = $1';

interface OfTenant {
  tenantId: string;
  pepper: string;
}

export async function insertKeyRow(client: ClientBase, { tenantId, pepper }: OfTenant, key: KeyState, secret: KeySecret): Promise<void> {
  const row = rowOf(tenantId, key, secret);
  const { keyId, name, hmac, createdAt, scopes, expiresAt } = row;
  await client.query(INSERT, [keyId, tenantId, name, hmac, createdAt, scopes, expiresAt, rowHmac(row, pepper)]);
}

/**
 * @param known what the row must be until now: `unsealed` where it has no HMAC yet
 * @throws Error if the row is another tenant's or was changed by somebody who does not have the pepper; a key that ends is sealed all the same
 */
export async function updateKeyRow(
  client: ClientBase,
  { tenantId, pepper }: OfTenant,
  key: KeyState,
  known: 'sealed' | 'unsealed' = 'sealed',
): Promise<void> {
  const { rows } = await client.query<KeyRow & { rowHmac: Buffer | null }>(LOCK, [key.keyId]);
  const [stored] = rows;
  const isKnown = known === 'unsealed' ? stored?.rowHmac === null : stored && isGenuine(stored, pepper);
  if (stored?.tenantId !== tenantId || (!isKnown && key.revokedAt === null)) {
    throw new Error(
      `The row of the key ${key.keyId} is not what was recorded for ${tenantId} under this API_KEY_PEPPER, so it is not changed: ` +
        'set the pepper that is in use, or revoke the key.',
    );
  }
  const row = rowOf(tenantId, key, stored);
  await client.query(UPDATE, [row.keyId, row.scopes, row.expiresAt, row.revokedAt, rowHmac(row, pepper)]);
}

function rowOf(tenantId: string, key: KeyState, { name, hmac }: KeySecret): KeyRow {
  const { keyId, scopes, createdAt, expiresAt, revokedAt } = key;
  return {
    keyId,
    tenantId,
    name,
    hmac,
    scopes,
    createdAt: new Date(createdAt),
    expiresAt: timeOf(expiresAt),
    revokedAt: timeOf(revokedAt),
  };
}

const timeOf = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));
