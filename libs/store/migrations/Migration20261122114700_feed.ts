import { Migration } from '@mikro-orm/migrations';

const LARGEST = '9223372036854775807';

/**
 * Entries of the log say whose they are, so that a tenant's are read in order without a look at those of others. A trigger fills it in, so that also a saga of
 * the build before does. Only the sequencers wait while older entries are filled in.
 */
export class Migration20261122114700_feed extends Migration {
  override up(): void {
    this.addSql('alter table log_entry add column tenant_id text collate "C"');
    this.addSql(`
      create function tell_tenant_of_entry() returns trigger language plpgsql as $$
      begin
        new.tenant_id := (select coalesce(event.tenant_id,
            (select facts ->> 'tenantId' from event as first where first.stream_id = new.stream_id and first.version = 1))
          from event where event.stream_id = new.stream_id and event.version = new.version);
        return new;
      end $$`);
    this.addSql('create trigger log_entry_tenant before insert on log_entry for each row execute function tell_tenant_of_entry()');
    this.addSql(`
      update log_entry set tenant_id = coalesce(event.tenant_id,
          (select facts ->> 'tenantId' from event as first where first.stream_id = event.stream_id and first.version = 1))
        from event where event.stream_id = log_entry.stream_id and event.version = log_entry.version`);
    this.addSql('create index log_entry_by_tenant on log_entry (tenant_id, index)');
    // Rows are compared as a whole, so that only the index over both columns has their order, whatever the statistics say.
    // The api may not read whose the entries are: it is told those of the tenants that its statement names.
    this.addSql(`
      create function log_of_tenant(tenant text, streams text[], after bigint, most int)
      returns table (index bigint, stream_id text, version int, leaf_hash bytea) language plpgsql stable as $$
      begin
        if not (has_function_privilege(session_user, 'all_tenants()', 'execute')
            or tenant = any (string_to_array(current_setting('research_threads.tenants', true), ','))) is true then
          return;
        end if;
        if streams is null then
          return query select entry.index, entry.stream_id::text, entry.version, entry.leaf_hash from log_entry as entry
            where (entry.tenant_id, entry.index) > (tenant, after) and (entry.tenant_id, entry.index) <= (tenant, ${LARGEST})
            order by entry.tenant_id, entry.index limit most;
        else
          return query with own as materialized (
              select entry.* from log_entry as entry where entry.stream_id = any (streams))
            select own.index, own.stream_id::text, own.version, own.leaf_hash from own
            where own.tenant_id = tenant and own.index > after order by own.index limit most;
        end if;
      end $$`);
    this.addSql(`
      do $$
      begin
        execute format('alter function log_of_tenant(text, text[], bigint, int) security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
