import type { ClientBase } from 'pg';
import type { KeyState } from '@lib/domain/tenant';

/** What a key's row holds beside what its tenant's history says of it. */
export interface KeySecret {
  name: string | null;
  hmac: Buffer;
}

const INSERT = `insert into api_key (key_id, tenant_id, name, hmac, created_at, scopes, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7)`;
const UPDATE = 'update api_key set scopes = $3, expires_at = $4, revoked_at = $5 where key_id = $1 and tenant_id = $2';

export async function insertKeyRow(client: ClientBase, tenantId: string, key: KeyState, { name, hmac }: KeySecret): Promise<void> {
  const { keyId, createdAt, scopes, expiresAt } = key;
  await client.query(INSERT, [keyId, tenantId, name, hmac, createdAt, scopes, expiresAt]);
}

export async function updateKeyRow(client: ClientBase, tenantId: string, key: KeyState): Promise<void> {
  const { keyId, scopes, expiresAt, revokedAt } = key;
  await client.query(UPDATE, [keyId, tenantId, scopes, expiresAt, revokedAt]);
}
