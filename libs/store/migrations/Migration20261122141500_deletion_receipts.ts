import { Migration } from '@mikro-orm/migrations';

/**
 * Receipts of deletions: a row without a note for each deleted thread, as soon as the log has its deletion, whichever build put it there; whoever signs the log
 * fills it in. A statement that appends to the log looks at the threads' events among its own.
 */
export class Migration20261122141500_deletion_receipts extends Migration {
  override up(): void {
    this.addSql(`
      create table deletion_receipt (
        thread_id text collate "C" primary key,
        tenant_id text collate "C" not null,
        size bigint,
        note text,
        streams text
      )`);
    this.addSql('create index deletion_receipt_unsigned on deletion_receipt (thread_id) where note is null');
    this.addSql(`
      create function expect_receipts() returns trigger language plpgsql as $$
      begin
        insert into deletion_receipt (thread_id, tenant_id)
          select entry.stream_id, entry.tenant_id from entries as entry
            join event on event.stream_id = entry.stream_id and event.version = entry.version
          where entry.stream_id > 'thr_' and event.type = 'ThreadDeleted' and entry.tenant_id is not null
          on conflict do nothing;
        return null;
      end $$`);
    this.addSql(`
      create trigger log_entry_receipts after insert on log_entry referencing new table as entries
        for each statement execute function expect_receipts()`);
    this.addSql(`
      insert into deletion_receipt (thread_id, tenant_id)
        select entry.stream_id, entry.tenant_id from log_entry as entry
          join event on event.stream_id = entry.stream_id and event.version = entry.version
        where entry.stream_id > 'thr_' and event.type = 'ThreadDeleted' and entry.tenant_id is not null
        on conflict do nothing`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
