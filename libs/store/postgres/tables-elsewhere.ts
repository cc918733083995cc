import type { Asked } from './silent-server';

/** The tables are there, in a schema that this session does not search: whoever takes them for missing would make a second, empty set. */
export class TablesElsewhere extends Error {
  override readonly name = 'TablesElsewhere';
  readonly what: string;
  readonly remedy: string;

  constructor(schema: string, user: string) {
    const what = `the tables are in the schema ${schema}, which the role ${user} does not search`;
    const remedy = searchRemedy(schema, user);
    super(`${what}: ${remedy}`);
    this.what = what;
    this.remedy = remedy;
  }
}

const SCHEMA = `
  select nspname as schema, current_user as user from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relname = 'thread_key' and relkind = 'r' and not pg_table_is_visible(pg_class.oid)
    and exists (select from pg_class as other where other.relnamespace = pg_class.relnamespace and other.relname = 'mikro_orm_migrations')
  order by nspname limit 1`;

/** @throws TablesElsewhere */
export async function requireNoneElsewhere(database: Asked): Promise<void> {
  const { rows } = await database.query<{ schema: string; user: string }>(SCHEMA);
  if (rows[0]) throw new TablesElsewhere(rows[0].schema, rows[0].user);
}

/** What an administrator does so that a role finds the tables of a schema. */
export const searchRemedy = (schema: string, role: string): string =>
  `run \`alter role ${quotedName(role)} set search_path = ${quotedName(schema)}\`, or add options=-c%20search_path%3D${encodeURIComponent(schema)} to its DATABASE_URL`;

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
  const isFound = paths.length === 0 ? schema === 'public' || schema === role : paths.some((path) => namesIn(path).includes(schema));
  return isFound ? null : schema;
}

/** The schemas of a setting such as `search_path=app, "Other"`. */
const namesIn = (setting: string): string[] =>
  setting
    .slice(setting.indexOf('=') + 1)
    .split(',')
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
