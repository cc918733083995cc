import { FUNCTIONS, SEQUENCES, TABLES } from '@lib/store/postgres/privileges';
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
    expect(await relations(`'S'`)).toEqual([...SEQUENCES].sort());
  });

  it('is decided for each function', async () => {
    const found = await names(
      `select distinct proname as name from pg_proc where pronamespace = current_schema()::regnamespace order by 1`,
    );
    expect(found).toEqual(Object.keys(FUNCTIONS).sort());
  });

  it('is told of functions that run with the rights of their owner, whose search path nobody else can write to', async () => {
    const ofOwner = await test.store.pool.query<{ name: string; path: string }>(
      `select distinct proname as name, array_to_string(proconfig, ' ') as path from pg_proc
        where pronamespace = current_schema()::regnamespace and prosecdef order by 1`,
    );
    const expected = Object.entries(FUNCTIONS).flatMap(([name, { runsAs }]) => (runsAs === 'owner' ? [name] : []));
    expect(ofOwner.rows).toEqual(expected.sort().map((name) => ({ name, path: 'search_path=public, pg_temp' })));
  });

  it('lets nobody change, remove or own an event', () => {
    const { api, service, audit } = TABLES.event ?? {};
    expect([api, service, audit]).toEqual(['select, insert', 'select, insert', 'select']);
  });
});
