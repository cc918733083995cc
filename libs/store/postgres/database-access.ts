import type { Pool } from 'pg';

/** What this process's database role may see and do. */
export interface DatabaseAccess {
  /** The role's name. */
  role: string;
  /** It owns the tables, or has all rights of their owner: no policy and no missing privilege stops it. */
  isOwner: boolean;
  isSuperuser: boolean;
  /** It sees only the rows of tenants that its statements name. */
  isConfined: boolean;
}

/** An owner may call `all_tenants` like a role that it was granted to, so an owner is not confined. */
const READ = `
  select current_user as role, rolsuper as "isSuperuser", pg_has_role(event.relowner, 'usage') as "isOwner",
    event.relrowsecurity and not rolbypassrls and not has_function_privilege(session_user, 'all_tenants()', 'execute') as "isConfined"
  from pg_roles, pg_class as event where rolname = current_user and event.oid = 'event'::regclass`;

/** The database must have this build's schema. */
export async function databaseAccess(pool: Pool): Promise<DatabaseAccess> {
  const { rows } = await pool.query<DatabaseAccess>(READ);
  return (rows as [DatabaseAccess])[0];
}
