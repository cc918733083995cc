import type { Asked } from './silent-server';

/** The tables are there, in a schema where this session does not see them: whoever takes them for missing would make a second, empty set. */
export class TablesElsewhere extends Error {
  override readonly name = 'TablesElsewhere';

  constructor(
    readonly what: string,
    readonly remedy: string,
  ) {
    super(`${what}: ${remedy}`);
  }
}

const SCHEMA = `
  select nspname as schema, current_user as user, has_schema_privilege(pg_namespace.oid, 'usage') as "mayUse"
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relname = 'thread_key' and relkind = 'r' and not pg_table_is_visible(pg_class.oid)
    and exists (select from pg_class as other where other.relnamespace = pg_class.relnamespace and other.relname = 'mikro_orm_migrations')
  order by nspname limit 1`;

/** @throws TablesElsewhere */
export async function requireNoneElsewhere(database: Asked): Promise<void> {
  const { rows } = await database.query<{ schema: string; user: string; mayUse: boolean }>(SCHEMA);
  const [found] = rows;
  if (!found) return;
  const { schema, user, mayUse } = found;
  if (mayUse)
    throw new TablesElsewhere(`the tables are in the schema ${schema}, which the role ${user} does not search`, searchRemedy(schema, user));
  const remedy = `run \`research grants --to ${user} --as …\` as their owner`;
  throw new TablesElsewhere(`the tables are in the schema ${schema}, which the role ${user} may not use`, remedy);
}

/** What an administrator does so that a role finds the tables of a schema. */
export function searchRemedy(schema: string, role: string): string {
  const option = encodeURIComponent(`search_path=${quotedName(schema).replaceAll(/[\\ ]/g, '\\$&')}`);
  return `run \`alter role ${quotedName(role)} set search_path = ${quotedName(schema)}\`, or add options=-c%20${option} to its DATABASE_URL`;
}

const quotedName = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

const PATHS = `
  select current_schema() as schema,
    (select coalesce(jsonb_agg(setting), '[]') from pg_db_role_setting, unnest(setconfig) as setting
      where setting like 'search_path=%' and setrole in (0, (select oid from pg_roles where rolname = $1))
        and setdatabase in (0, (select oid from pg_database where datname = current_database()))) as paths`;

/** The schema of the tables if nothing shows that a role searches it, as it is by default for `public` and one named like the role; otherwise null. */
export async function unsearchedSchema(database: Asked, role: string): Promise<string | null> {
  const { rows } = await database.query<{ schema: string; paths: string[] }>(PATHS, [role]);
  const { schema, paths } = (rows as [(typeof rows)[0]])[0];
  const isFound = paths.length === 0 ? schema === 'public' || schema === role : paths.some((path) => namesIn(path, role).includes(schema));
  return isFound ? null : schema;
}

/** The schemas of a setting such as `search_path="$user", app, "Other"`. */
const namesIn = (setting: string, role: string): string[] =>
  setting
    .slice(setting.indexOf('=') + 1)
    .split(',')
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
    .map((name) => (name === '$user' ? role : name));
