import { connectAlone } from '@lib/store/postgres/pool';
import { migrate } from '@lib/store/postgres/migrations';
import { schemaDrift } from '@lib/store/postgres/schema-drift';
import { createSeparatedDatabase } from '../support/separated-roles';
import { createDatabase, type TestDatabase } from '../servers/database';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
  await migrate(database.url);
});
afterEach(() => database.drop());

async function change(statement: string): Promise<void> {
  const client = await connectAlone(database.url);
  await client.query(statement);
  await client.end();
}

it('the migrations make what the entities say', async () => {
  expect(await schemaDrift(database.url)).toEqual([]);
});

it('the walls that `research grants` makes are no change by hand', async () => {
  const separated = await createSeparatedDatabase();
  expect(await schemaDrift(separated.url)).toEqual([]);
  await separated.drop();
});

it.each([
  ['a column more', 'alter table api_key add column note text'],
  ['a column less', 'alter table api_key drop column name'],
  ['another type', 'alter table api_key alter column name type varchar(10)'],
  ['a null that is allowed', 'alter table api_key alter column hmac drop not null'],
  ['a default that is gone', 'alter table tenant alter column created_at drop default'],
  ['an index that is gone', 'drop index api_key_tenant'],
  ['a foreign key that is gone', 'alter table api_key drop constraint api_key_tenant_id_fkey'],
  ['a table without an entity', 'create table note (id text primary key)'],
])('finds %s, and changes nothing', async (_, statement) => {
  await change(statement);
  const drift = await schemaDrift(database.url);
  expect(drift).not.toEqual([]);
  expect(await schemaDrift(database.url)).toEqual(drift);
});
