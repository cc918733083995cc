import { createHash } from 'node:crypto';
import { escapeIdentifier as quoted, type Pool } from 'pg';
import { FUNCTIONS, TABLES, type DatabaseRole } from './privileges';

/** A role of the database, and the kind that it becomes. */
export interface Grantee {
  role: string;
  as: DatabaseRole;
}

/** The data that the statements of a grant depend on. */
export interface Catalogue {
  owner: string;
  schema: string;
  database: string;
  /** With their arguments. */
  functions: { name: string; signature: string }[];
  /** The digest of each table's policies, as the last grant left them. */
  policies: { table: string; digest: string | null }[];
}

const READ = `
  select relowner::regrole::text as owner, current_schema() as schema, current_database() as database,
    (select jsonb_agg(jsonb_build_object('name', proname, 'signature', oid::regprocedure::text) order by oid::regprocedure::text)
      from pg_proc where pronamespace = current_schema()::regnamespace) as functions,
    (select jsonb_agg(jsonb_build_object('table', relname, 'digest', obj_description(pg_policy.oid)) order by relname)
      from pg_class join pg_policy on polrelid = pg_class.oid and polname = 'tenants'
      where relnamespace = current_schema()::regnamespace and relrowsecurity and relforcerowsecurity) as policies
  from pg_class where oid = 'event'::regclass`;

export async function readCatalogue(database: Pool): Promise<Catalogue> {
  const { rows } = await database.query<Omit<Catalogue, 'policies'> & { policies: Catalogue['policies'] | null }>(READ);
  const [catalogue] = rows as [(typeof rows)[0]];
  return { ...catalogue, policies: catalogue.policies ?? [] };
}

/**
 * The statements that give a role the privileges of its kind and revoke all others. Policies are only created if they are missing or were changed, so
 * that no table is locked needlessly.
 */
export function grantStatements({ role, as }: Grantee, catalogue: Catalogue): string[] {
  const { schema, database, functions, owner } = catalogue;
  const to = quoted(role);
  const tables = Object.keys(TABLES).join(', ');
  const signatures = functions.filter(({ name }) => name in FUNCTIONS).map(({ signature }) => signature);
  const callable = functions.filter(({ name }) => FUNCTIONS[name]?.roles.includes(as)).map(({ signature }) => signature);
  return [
    ...policyStatements(catalogue),
    `revoke all on ${tables} from ${to}, public`,
    `revoke all on function ${signatures.join(', ')} from ${to}, public`,
    // Additions of a later release may not be used by anybody until they are granted.
    `alter default privileges for role ${quoted(owner)} revoke execute on functions from public`,
    `grant connect on database ${quoted(database)} to ${to}`,
    `grant usage on schema ${quoted(schema)} to ${to}`,
    ...Object.entries(TABLES).flatMap(([table, privileges]) => (privileges[as] ? [`grant ${privileges[as]} on ${table} to ${to}`] : [])),
    `grant execute on function ${callable.join(', ')} to ${to}`,
  ];
}

/** Functions of the owner read every row, and write only what the policy of the tenants allows the session. */
function policyStatements({ owner, policies }: Catalogue): string[] {
  const known = new Map(policies.map(({ table, digest }) => [table, digest]));
  return Object.entries(TABLES).flatMap(([table, { rows }]) => {
    if (!rows) return [];
    const all = `(select has_function_privilege(session_user, 'all_tenants()', 'execute'))`;
    const policy = `using (${all} or ${rows.seen}) with check (${all} or ${rows.written ?? rows.seen})`;
    const digest = createHash('sha256').update(`${owner} ${policy}`).digest('hex');
    if (known.get(table) === digest) return [];
    return [
      `alter table ${table} enable row level security, force row level security`,
      `drop policy if exists tenants on ${table}`,
      `create policy tenants on ${table} ${policy}`,
      `drop policy if exists owner_reads on ${table}`,
      `create policy owner_reads on ${table} for select to ${quoted(owner)} using (true)`,
      `comment on policy tenants on ${table} is '${digest}'`,
    ];
  });
}
