import { createKey, listKeys, revokeKey } from '@lib/store/access/api-keys';
import { migrate } from '../database';
import { withDatabase } from './with-database';

export async function createKeyCommand({ tenant, name }: { tenant: string; name?: string }): Promise<void> {
  await withDatabase(async (session) => {
    await migrate(session.orm);
    console.log(await createKey(session, tenant, name ?? null));
    process.stderr.write('This is the only time the key is shown: keep it safe.\n');
  });
}

export async function listKeysCommand({ tenant }: { tenant?: string }): Promise<void> {
  await withDatabase(async (session) => {
    await migrate(session.orm);
    for (const { keyId, tenantId, name, createdAt, revokedAt } of await listKeys(session, tenant)) {
      console.log(
        [keyId, tenantId, name ?? '-', createdAt.toISOString(), revokedAt ? `revoked ${revokedAt.toISOString()}` : 'in force'].join('\t'),
      );
    }
  });
}

export async function revokeKeyCommand(keyId: string, { tenant }: { tenant?: string }): Promise<void> {
  await withDatabase(async (session) => {
    await migrate(session.orm);
    const owner = (await listKeys(session, tenant)).find((key) => key.keyId === keyId);
    if (!owner || !(await revokeKey(session, keyId))) {
      throw new Error(
        `There is no key ${keyId} in force${tenant ? ` of the tenant ${tenant}` : ''}: \`research keys list\` shows those there are.`,
      );
    }
    console.log(`${keyId} is revoked; every process refuses it within ten seconds.`);
  });
}
