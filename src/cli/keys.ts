import { USUAL_SCOPES } from '@lib/domain/scopes';
import { createKey, listKeys, revokeKey } from '@lib/store/access/api-keys';
import type { KeyStore } from '@lib/store/access/stored-key';
import { migrate } from '@lib/store/postgres/migrations';
import { operatorMeta } from './operator-meta';
import { withDatabase } from './with-database';

export async function createKeyCommand({ tenant, name }: { tenant: string; name?: string }): Promise<void> {
  await withKeys(async (keys) => {
    const wishes = { tenantId: tenant, name: name ?? null, scopes: USUAL_SCOPES, expiresAt: null };
    console.log(await createKey(keys, wishes, operatorMeta()));
    process.stderr.write('This is the only time the key is shown: keep it safe.\n');
  });
}

export async function listKeysCommand({ tenant }: { tenant?: string }): Promise<void> {
  await withKeys(async (keys) => {
    for (const { keyId, tenantId, name, createdAt, revokedAt } of await listKeys(keys, tenant)) {
      console.log(
        [keyId, tenantId, name ?? '-', createdAt.toISOString(), revokedAt ? `revoked ${revokedAt.toISOString()}` : 'in force'].join('\t'),
      );
    }
  });
}

export async function revokeKeyCommand(keyId: string, { tenant }: { tenant?: string }): Promise<void> {
  await withKeys(async (keys) => {
    const owner = (await listKeys(keys, tenant)).find((key) => key.keyId === keyId);
    if (!owner || !(await revokeKey(keys, keyId, operatorMeta()))) {
      throw new Error(
        `There is no key ${keyId} in force${tenant ? ` of the tenant ${tenant}` : ''}: \`research keys list\` shows those there are.`,
      );
    }
    console.log(`${keyId} is revoked; every process refuses it within ten seconds.`);
  });
}

function withKeys(use: (keys: KeyStore) => Promise<void>): Promise<void> {
  return withDatabase(async ({ databaseUrl, store, pepper }) => {
    await migrate(databaseUrl);
    await use({ pool: store.pool, pepper });
  });
}
