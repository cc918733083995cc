import type { TestStore } from './store';

/** A clock of a test's database that can be set, for whoever connects by this URL. */
export interface DatabaseClock {
  url: string;
  set(aheadMs: number): Promise<void>;
}

/** Whoever looks for functions there first is told another time. */
export async function databaseClock({ store, databaseUrl }: TestStore): Promise<DatabaseClock> {
  await store.pool.query(`
    create schema set_clock;
    create table set_clock.clock as select interval '0' as ahead;
    create function set_clock.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + ahead from set_clock.clock';
    create function set_clock.statement_timestamp() returns timestamptz language sql stable as
      'select pg_catalog.statement_timestamp() + ahead from set_clock.clock'`);
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=set_clock,public,pg_catalog');
  return {
    url: url.href,
    set: async (aheadMs) => {
      await store.pool.query(`update set_clock.clock set ahead = $1::int4 * interval '1 millisecond'`, [aheadMs]);
    },
  };
}
