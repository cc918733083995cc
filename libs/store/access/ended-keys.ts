import type { Pool } from 'pg';
import type { Scope } from '@lib/domain/scopes';
import { textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';

const ENDED = {
  name: 'ended_keys',
  text: `select asked.key_id, case when known.key_id is null or known.revoked_at is not null or known.expires_at <= clock_timestamp()
      then 'key_revoked' else 'scope_lost' end as why
    from unnest($1::text[]) as asked (key_id) left join find_api_keys($1) as known on known.key_id = asked.key_id
    where known.key_id is null or known.revoked_at is not null or known.expires_at <= clock_timestamp()
      or ($2::text is not null and $2 = any (known.scopes) is not true)`,
};

/** Why a key may no longer be used: it was revoked, has expired or was removed, or its scopes have changed. */
export type KeyEnd = 'key_revoked' | 'scope_lost';

/**
 * The keys that may no longer be used.
 * @param scope that a key must still have; null if it does not matter
 */
export async function endedKeys(pool: Pool, keyIds: readonly string[], scope: Scope | null = null): Promise<ReadonlyMap<string, KeyEnd>> {
  const rows = await rowsOf<{ key_id: string; why: KeyEnd }>(pool, { ...ENDED, values: [textArray(keyIds), scope] });
  return new Map(rows.map(({ key_id: keyId, why }) => [keyId, why]));
}
