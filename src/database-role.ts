import { databaseAccess, type DatabaseAccess } from '@lib/store/postgres/database-access';
import { privilegeDifferences, unguardedTables } from '@lib/store/postgres/held-privileges';
import type { Pool } from '@lib/store/postgres/pool';
import type { Role } from './roles';

/** The process's database role, and why it does not suffice for the process's own roles. */
export interface RoleFitness extends DatabaseAccess {
  problem: { detail: string; remedy: string } | null;
}

/** Looks at what the role may do, whatever way it came by it. */
export async function databaseRoleFor(roles: ReadonlySet<Role>, pool: Pool): Promise<RoleFitness> {
  const access = await databaseAccess(pool);
  const { role, isOwner, isConfined } = access;
  const others = [...roles].filter((one) => one !== 'api' && one !== 'worker');
  if (isConfined && others.length > 0) {
    const detail = `the database's role ${role} sees only the tenants that it names, which is not enough for ${others.join(', ')}`;
    return { ...access, problem: { detail, remedy: 'Set DATABASE_URL to a role made by `research grants --to … --as service`.' } };
  }
  const as = isConfined ? 'api' : 'service';
  const { lacking } = isOwner ? { lacking: [] } : await privilegeDifferences(pool, role, as);
  const unguarded = isConfined ? await unguardedTables(pool) : [];
  const remedy = `Run \`research grants --to ${role} --as ${as}\` as the owner of the tables, after each \`research migrate\`.`;
  if (lacking.length > 0) return { ...access, problem: { detail: `the database's role ${role} lacks ${lacking.join(', ')}`, remedy } };
  if (unguarded.length > 0) {
    const detail = `the database's role ${role} sees the rows of all tenants in ${unguarded.join(', ')}, where no policy holds`;
    return { ...access, problem: { detail, remedy } };
  }
  return { ...access, problem: null };
}
