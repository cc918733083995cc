import { Migration } from '@mikro-orm/migrations';

/** Functions that the api needs with the rights of their owner, since they look past the tenants of one statement, or at tables that it may not. */
const OF_OWNER = [
  'belongs_to(text, text[])',
  'find_api_keys(text[])',
  'lock_or_set_aside(timestamptz, text[], int[], int[], text[], int[], text[], text[], text[], int[])',
  'record_requests(bytea[], bytea[], text[], int[], int[], int[])',
  'reserve_balances(text[], text[], text[], bigint[], bigint[], int[], int[], bytea[], int[])',
  'room_of(text, int)',
];

/**
 * What separate roles of the database need, see `privileges.ts`; nothing changes until `research grants` is run. Events and keys say whose they are, for the
 * policies: those of earlier builds do not, and are known by their stream's first event.
 */
export class Migration20261122100900_database_roles extends Migration {
  override up(): void {
    this.addSql('alter table event add column tenant_id text collate "C"');
    this.addSql('alter table thread_key add column tenant_id text collate "C"');
    // Whoever may call it sees all tenants: policies ask for this privilege of the session's user, also within functions of the owner.
    this.addSql(`create function all_tenants() returns void language sql as ''`);
    this.addSql('revoke all on function all_tenants() from public');
    this.addSql(`
      create function belongs_to(stream text, tenants text[]) returns bool language plpgsql stable as $$
      begin
        return (select facts ->> 'tenantId' = any (tenants) from event where stream_id = stream and version = 1);
      end $$`);
    this.addSql(`comment on function belongs_to is 'null if there is no such stream'`);
    this.addSql(`
      create function find_api_keys(ids text[]) returns setof api_key language plpgsql stable rows 1 as $$
      begin
        return query select api_key.* from unnest(ids) as asked (id) join api_key on api_key.key_id = asked.id;
      end $$`);
    this.addSql(`
      do $$
      declare
        one regprocedure;
      begin
        foreach one in array array[${OF_OWNER.map((name) => `'${name}'`).join(', ')}]::regprocedure[]
        loop
          execute format('alter function %s security definer set search_path = %I, pg_temp', one, current_schema());
        end loop;
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
