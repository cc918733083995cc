import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { grant } from '@lib/store/postgres/grant';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { FUNCTIONS, TABLES } from '@lib/store/postgres/privileges';
import { createSeparatedDatabase, type SeparatedDatabase } from '../support/separated-roles';
import { createTestStore, type TestStore } from '../support/store';

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

const names = async (query: string): Promise<string[]> =>
  (await test.store.pool.query<{ name: string }>(query)).rows.map(({ name }) => name);

const relations = (kinds: string) =>
  names(`select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in (${kinds}) order by 1`);

describe('what roles of the database may do', () => {
  it('is decided for each table and view', async () => {
    expect(await relations(`'r', 'p', 'v', 'm', 'f'`)).toEqual(Object.keys(TABLES).sort());
  });

  it('is decided for each sequence', async () => {
    // No role has a right on these: only the owner's inserts use them, and identity columns need no privilege.
    expect(await relations(`'S'`)).toEqual(['audit_read_id_seq', 'event_position_seq', 'mikro_orm_migrations_id_seq']);
  });

  it('is decided for each function', async () => {
    const found = await names(
      `select distinct proname as name from pg_proc where pronamespace = current_schema()::regnamespace order by 1`,
    );
    expect(found).toEqual(Object.keys(FUNCTIONS).sort());
  });

  it('is told of functions that run with the rights of their owner, whose search path nobody else can write to', async () => {
    const found = await test.store.pool.query<{ name: string; as: string; path: string | null }>(
      `select distinct proname as name, case when prosecdef then 'owner' else 'caller' end as as, array_to_string(proconfig, ' ') as path
        from pg_proc where pronamespace = current_schema()::regnamespace order by 1`,
    );
    expect(Object.fromEntries(found.rows.map(({ name, as }) => [name, as]))).toEqual(
      Object.fromEntries(Object.entries(FUNCTIONS).map(([name, { runsAs }]) => [name, runsAs])),
    );
    const ofOwner = found.rows.filter(({ as }) => as === 'owner');
    expect(new Set(ofOwner.map(({ path }) => path))).toEqual(new Set(['search_path=public, pg_temp']));
  });

  it('lets nobody change, remove or own an event', () => {
    const { api, service, audit } = TABLES.event ?? {};
    expect([api, service, audit]).toEqual(['select, insert', 'select, insert', 'select']);
  });
});

const SECURITY = readFileSync(join(__dirname, '../../docs/security.md'), 'utf8');
const PLACES = { api: 2, service: 3, audit: 4 };

/** Of the role, as the page for operators tells it: its rights on each table, and the functions that it may call. */
function documented(as: keyof typeof PLACES): { tables: Record<string, string>; functions: string[] } {
  const [, part = ''] = /### What each role may do\n([^]*?)\n## /.exec(SECURITY) ?? [];
  const rows = part.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const tables = rows.flatMap((cells) => (/^`\w+`$/.test(cells[1] ?? '') ? [[cells[1]?.slice(1, -1), cells[PLACES[as]]] as const] : []));
  const functions = rows.find(([, role]) => role === as)?.[2] ?? '';
  return { tables: Object.fromEntries(tables), functions: functions.replaceAll('`', '').split(', ') };
}

const HELD = `select relname as name, coalesce(string_agg(told, ', ' order by place), '') as rights
  from pg_class left join lateral (
    select place, case when has_table_privilege($1::name, pg_class.oid, privilege) then privilege
        else privilege || ' (' || string_agg(attname, ', ' order by attname) || ')' end as told
      from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) with ordinality as asked (privilege, place)
      left join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and case
        when privilege in ('select', 'insert', 'update', 'references') then has_column_privilege($1::name, attrelid, attnum, privilege) end
      group by place, privilege) as rights on told is not null
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') group by relname`;
const CALLED = `select distinct proname as name from pg_proc where pronamespace = current_schema()::regnamespace
  and prorettype <> 'trigger'::regtype and has_function_privilege($1::name, oid, 'execute') order by 1`;

describe('a new role', () => {
  let database: SeparatedDatabase;
  let pool: Pool;
  const admin = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  const role = `documented_${randomBytes(4).toString('hex')}`;
  beforeAll(async () => {
    database = await createSeparatedDatabase();
    pool = createPool(database.url, 1);
    await admin.connect();
    await admin.query(`create role ${role}`);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
    await admin.query(`drop role ${role}`);
    await admin.end();
  });

  it.each(['api', 'service', 'audit'] as const)('that becomes %s may do what is documented, and nothing else', async (as) => {
    await grant(pool, { role, as }, { isDry: false });
    const held = await pool.query<{ name: string; rights: string }>(HELD, [role]);
    const called = await pool.query<{ name: string }>(CALLED, [role]);
    expect({
      tables: Object.fromEntries(held.rows.map(({ name, rights }) => [name, rights])),
      functions: called.rows.map(({ name }) => name),
    }).toEqual(documented(as));
  });
});
