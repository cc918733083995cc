import type { ClientBase, Pool } from 'pg';
import { FUNCTIONS, TABLES, type DatabaseRole } from './privileges';

interface Held {
  name: string;
  privilege: string;
  /** Of the whole table. */
  whole: boolean;
  /** Of at least one column. */
  some: boolean;
}

/** The privileges that a role holds in any way: granted to it, to a role that it is a member of, or to everybody. */
const HELD = `
  select relname as name, privilege, has_table_privilege($1::name, pg_class.oid, privilege) as whole,
      privilege in ('select', 'insert', 'update', 'references') and has_any_column_privilege($1::name, pg_class.oid, privilege) as some
    from pg_class, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
  union all
  select proname, 'execute', bool_or(allowed), bool_or(allowed)
    from (select proname, has_function_privilege($1::name, oid, 'execute') as allowed from pg_proc
      where pronamespace = current_schema()::regnamespace and prorettype <> 'trigger'::regtype) as function
    group by proname`;

/** Privileges that a role lacks, and privileges that it should not have. */
export interface PrivilegeDifferences {
  lacking: string[];
  excess: string[];
}

/** Compares a role's privileges with those decided for its kind. */
export async function privilegeDifferences(database: ClientBase | Pool, role: string, as: DatabaseRole): Promise<PrivilegeDifferences> {
  const { rows } = await database.query<Held>(HELD, [role]);
  const found: PrivilegeDifferences = { lacking: [], excess: [] };
  for (const { name, privilege, whole, some } of rows) {
    const decided =
      privilege === 'execute' ? (FUNCTIONS[name]?.roles.includes(as) ? 'whole' : null) : decidedFor(TABLES[name]?.[as], privilege);
    const told = `${privilege} on ${name}`;
    if (decided === 'whole' ? !whole : decided === 'columns' && !some) found.lacking.push(told);
    if (decided === null ? whole || some : decided === 'columns' && whole) found.excess.push(told);
  }
  return found;
}

/** Reads a list of privileges as in a grant: `select, update (created_at)`. */
function decidedFor(privileges: string | undefined, privilege: string): 'whole' | 'columns' | null {
  for (const [, name, columns] of (privileges ?? '').matchAll(/(\w+)( \([^)]*\))?/g)) {
    if (name === privilege) return columns ? 'columns' : 'whole';
  }
  return null;
}

const UNGUARDED = `
  select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relname = any ($1)
    and not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = pg_class.oid and polname = 'tenants'))
  order by relname`;

/** Tables with rows of tenants on which no policy holds, as after somebody has switched it off by hand. */
export async function unguardedTables(database: ClientBase | Pool): Promise<string[]> {
  const guarded = Object.keys(TABLES).filter((table) => TABLES[table]?.rows);
  const { rows } = await database.query<{ name: string }>(UNGUARDED, [guarded]);
  return rows.map(({ name }) => name);
}
