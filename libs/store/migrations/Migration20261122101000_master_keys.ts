import { Migration } from '@mikro-orm/migrations';

/** With the rights of their owner: they look past the tenants of one statement. */
const asOwner = (name: string): string => `
  do $$
  begin
    execute format('alter function ${name} security definer set search_path = %I, pg_temp', current_schema());
  end $$`;

/** The master keys that processes seal under, so that one that lacks a key in use is refused at its start; and which threads each wraps. */
export class Migration20261122101000_master_keys extends Migration {
  override up(): void {
    this.addSql(`create table master_key (kek_id text primary key, first_used_at timestamptz not null default now())`);
    this.addSql(`create index thread_key_by_kek on thread_key (kek_id)`);
    this.addSql(`insert into master_key (kek_id) select distinct kek_id from thread_key`);
    // One step in the index for each key, however many threads there are.
    this.addSql(`
      create function master_keys_in_use() returns setof text language plpgsql stable as $$
      begin
        return query with recursive wrapped as (
            (select kek_id from thread_key order by kek_id limit 1)
            union all
            select (select kek_id from thread_key where kek_id > wrapped.kek_id order by kek_id limit 1) from wrapped where wrapped.kek_id is not null)
          select kek_id from wrapped where kek_id is not null union select kek_id from master_key order by kek_id;
      end $$`);
    this.addSql(asOwner('master_keys_in_use()'));
    this.addSql(`
      create function find_keyed_requests(known bytea[]) returns setof keyed_request language plpgsql stable rows 1 as $$
      begin
        return query select * from keyed_request where digest = any (known) and expires_at > statement_timestamp() limit 1;
      end $$`);
    this.addSql(asOwner('find_keyed_requests(bytea[])'));
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
