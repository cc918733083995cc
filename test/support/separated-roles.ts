import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { grant } from '@lib/store/postgres/grant';
import { migrate } from '@lib/store/postgres/migrations';
import { createPool } from '@lib/store/postgres/pool';
import { DATABASE_ROLES, type DatabaseRole } from '@lib/store/postgres/privileges';
import type { TestDatabase } from '../servers/database';

/** A migrated database that a plain role owns, with a role of each kind beside it. */
export interface SeparatedDatabase extends TestDatabase {
  /** Of the owner. */
  url: string;
  urls: Readonly<Record<DatabaseRole, string>>;
}

/** The same roles for all databases of a server. */
export const SEPARATED_ROLES = { owner: 'test_owner', api: 'test_api', service: 'test_service', audit: 'test_audit' } as const;
const TEMPLATE = 'separated';

/** A copy of one that was migrated, and in which the grants were made, once for all of them. */
export async function createSeparatedDatabase(): Promise<SeparatedDatabase> {
  const server = process.env.TEST_DATABASE_URL ?? '';
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(server, async (admin) => {
    await admin.query(`select pg_advisory_lock(hashtext('${TEMPLATE}'))`);
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [TEMPLATE]);
    if (rowCount === 0) await makeTemplate(admin, server);
    await admin.query(`create database ${name} template ${TEMPLATE} owner ${SEPARATED_ROLES.owner}`);
  });
  const urlOf = (role: string): string => urlFor(server, role, name);
  const { owner, ...others } = SEPARATED_ROLES;
  return {
    url: urlOf(owner),
    urls: { api: urlOf(others.api), service: urlOf(others.service), audit: urlOf(others.audit) },
    drop: () => asAdmin(server, async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

async function makeTemplate(admin: Client, server: string): Promise<void> {
  for (const role of Object.values(SEPARATED_ROLES)) {
    const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
    if (rowCount === 0) await admin.query(`create role ${role} login`);
  }
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`);
  await admin.query(`create database ${TEMPLATE} owner ${SEPARATED_ROLES.owner}`);
  const url = urlFor(server, SEPARATED_ROLES.owner, TEMPLATE);
  await migrate(url);
  const pool = createPool(url, 1);
  for (const as of DATABASE_ROLES) await grant(pool, { role: SEPARATED_ROLES[as], as }, { isDry: false });
  await pool.end();
  await admin.query(`alter database ${TEMPLATE} is_template true`);
}

const urlFor = (server: string, username: string, name: string): string =>
  Object.assign(new URL(server), { username, pathname: `/${name}` }).href;

async function asAdmin(server: string, work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: server });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
