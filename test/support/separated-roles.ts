import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { grant } from '@lib/store/postgres/grant';
import { migrate } from '@lib/store/postgres/migrations';
import { createPool } from '@lib/store/postgres/pool';
import { DATABASE_ROLES, type DatabaseRole } from '@lib/store/postgres/privileges';
import { createDatabase } from '../servers/database';

/** A migrated database that a plain role owns, with a role of each kind beside it. */
export interface SeparatedDatabase {
  /** Of the superuser that made it. */
  adminUrl: string;
  ownerUrl: string;
  urls: Readonly<Record<DatabaseRole, string>>;
  roles: Readonly<Record<DatabaseRole | 'owner', string>>;
  drop(): Promise<void>;
}

export async function createSeparatedDatabase(): Promise<SeparatedDatabase> {
  const database = await createDatabase();
  const suffix = randomBytes(4).toString('hex');
  const roleOf = (kind: string) => `${kind}_${suffix}`;
  const urlOf = (role: string) => Object.assign(new URL(database.url), { username: role }).href;
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  const name = new URL(database.url).pathname.slice(1);
  const kinds = ['owner', ...DATABASE_ROLES] as const;
  for (const kind of kinds) await admin.query(`create role ${roleOf(kind)} login nosuperuser nobypassrls`);
  await admin.query(`alter database ${name} owner to ${roleOf('owner')}`);
  await admin.end();
  const ownerUrl = urlOf(roleOf('owner'));
  await migrate(ownerUrl);
  for (const as of DATABASE_ROLES) await grantTo(ownerUrl, roleOf(as), as);
  const drop = async () => {
    await database.drop();
    const after = new Client({ connectionString: process.env.TEST_DATABASE_URL });
    await after.connect();
    for (const kind of kinds) await after.query(`drop role if exists ${roleOf(kind)}`);
    await after.end();
  };
  const each = <Value>(of: (role: string) => Value) => Object.fromEntries(kinds.map((kind) => [kind, of(roleOf(kind))]));
  return {
    adminUrl: database.url,
    ownerUrl,
    urls: each(urlOf) as SeparatedDatabase['urls'],
    roles: each((role) => role) as SeparatedDatabase['roles'],
    drop,
  };
}

async function grantTo(ownerUrl: string, role: string, as: DatabaseRole): Promise<string[]> {
  const pool = createPool(ownerUrl, 1);
  try {
    return await grant(pool, { role, as }, { isDry: false });
  } finally {
    await pool.end();
  }
}
