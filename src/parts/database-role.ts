import { databaseAccess } from '@lib/store/postgres/database-access';
import { privilegeDifferences } from '@lib/store/postgres/held-privileges';
import { nameTenants } from '@lib/store/postgres/named-query';
import type { Pool } from '@lib/store/postgres/pool';
import type { Process } from './process';

/**
 * Looks at what the database's role of this process may do. One that sees only the tenants that it is told has every statement name them.
 * @returns whether it does
 * @throws Error if the role may do less than the roles of this process need
 */
export async function useDatabaseRole({ env, roles, logger }: Process, pool: Pool): Promise<boolean> {
  const { role, isOwner, isConfined } = await databaseAccess(pool);
  if (isOwner) {
    if (env.DATABASE_URL)
      logger.warn(
        { reason: 'database_owner', role },
        'the database\u2019s role owns the tables: no policy and no missing privilege stops it; see `research grants`',
      );
    return false;
  }
  const others = [...roles].filter((one) => one !== 'api' && one !== 'worker');
  if (isConfined && others.length > 0)
    throw new Error(
      `The database's role ${role} sees only the tenants that it names, which ${others.join(', ')} cannot: give this process the service role in DATABASE_URL, or run \`research grants --to ${role} --as service\` as the owner.`,
    );
  const as = isConfined ? 'api' : 'service';
  const { lacking } = await privilegeDifferences(pool, role, as);
  if (lacking.length > 0)
    throw new Error(
      `The database's role ${role} lacks ${lacking.join(', ')}: run \`research grants --to ${role} --as ${as}\` as the owner, after each \`research migrate\`.`,
    );
  if (isConfined) nameTenants(pool);
  return isConfined;
}
