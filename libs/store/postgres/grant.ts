import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { grantStatements, readCatalogue, type Grantee } from './grants';
import { privilegeDifferences } from './held-privileges';
import { LOCK_NOT_AVAILABLE, sqlStateOf } from './sql-states';
import { inTransaction } from './transaction';

/** If another session holds a table longer than this, the grant is retried later. */
const LOCK_MS = 2_000;
const TRIES = 5;

interface Parties {
  role: string | null;
  roleIsSuperuser: boolean;
  roleBypasses: boolean;
  roleIsOwner: boolean;
  mayCreate: boolean;
  owner: string;
  ownerIsSuperuser: boolean;
  user: string;
  userIsOwner: boolean;
}

const PARTIES = `
  select role.rolname as role, role.rolsuper as "roleIsSuperuser", role.rolbypassrls as "roleBypasses",
    pg_has_role(role.oid, owner.oid, 'member') as "roleIsOwner", has_schema_privilege(role.oid, current_schema()::regnamespace, 'create') as "mayCreate",
    owner.rolname as owner, owner.rolsuper as "ownerIsSuperuser", current_user as user, pg_has_role(owner.oid, 'usage') as "userIsOwner"
  from pg_class join pg_roles as owner on owner.oid = relowner left join pg_roles as role on role.rolname = $1
  where pg_class.oid = 'event'::regclass`;

/**
 * Gives a role the privileges of its kind. The owner of the tables runs it after each migration; repeating it changes nothing.
 * @returns the statements, which were run in one transaction unless it is a dry run
 * @throws Error that says why the role cannot be of this kind, and what to do
 */
export async function grant(pool: Pool, grantee: Grantee, { isDry }: { isDry: boolean }): Promise<string[]> {
  const { rows } = await pool.query<Parties>(PARTIES, [grantee.role]);
  requireParties(grantee, (rows as [Parties])[0]);
  const statements = grantStatements(grantee, await readCatalogue(pool));
  if (!isDry) await run(pool, grantee, statements);
  return statements;
}

async function run(pool: Pool, grantee: Grantee, statements: readonly string[]): Promise<void> {
  const runAll = async (client: ClientBase) => {
    for (const statement of statements) await client.query(statement);
    await requireDecided(client, grantee);
  };
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, runAll, `begin; set local lock_timeout = ${LOCK_MS}`);
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || tries === TRIES) throw error;
      await sleep(LOCK_MS);
    }
  }
}

/** A role may have privileges by others that it is a member of. */
async function requireDecided(client: ClientBase, { role, as }: Grantee): Promise<void> {
  const { lacking, excess } = await privilegeDifferences(client, role, as);
  if (excess.length > 0)
    throw new Error(
      `The role ${role} would still have ${excess.join(', ')}, by a role that it is a member of: it must not as --as ${as}. Revoke that role from it, or use another one. Nothing was changed.`,
    );
  if (lacking.length > 0) throw new Error(`The role ${role} would still lack ${lacking.join(', ')}. Nothing was changed.`);
}

function requireParties({ role, as }: Grantee, parties: Parties): void {
  const { owner, user } = parties;
  if (!parties.userIsOwner)
    throw new Error(`DATABASE_URL is of the role ${user}, and the tables are owned by ${owner}: run this as ${owner}.`);
  if (parties.ownerIsSuperuser)
    throw new Error(
      `The tables are owned by ${owner}, a superuser, whom no policy stops: run \`reassign owned by ${owner} to …\` with a role that is none, or start with a database of such a role.`,
    );
  if (parties.role === null)
    throw new Error(
      `There is no role ${JSON.stringify(role)}: create it first, such as by \`create role ${/^[a-z_][a-z0-9_]*$/.test(role) ? role : '…'} login password '…'\`.`,
    );
  if (parties.roleIsSuperuser) throw new Error(`The role ${role} is a superuser, whom no privilege and no policy stops: use another one.`);
  if (parties.roleIsOwner)
    throw new Error(`The role ${role} is the owner of the tables, or a member of ${owner}: the application needs a role of its own.`);
  if (as === 'api' && parties.roleBypasses)
    throw new Error(
      `The role ${role} has BYPASSRLS and would see all tenants: run \`alter role ${role} nobypassrls\`, or use another one.`,
    );
  if (parties.mayCreate)
    throw new Error(
      `The role ${role} may create tables and functions in the schema: run \`revoke create on schema public from public\` or from ${role}.`,
    );
}
