import { Migration } from '@mikro-orm/migrations';

/**
 * What is left of a thread that was deleted long ago can be removed. A row stays for each of its histories: how long it was, its last hash, and the event of the
 * tenant that records the removal. Nobody deletes an event but `remove_skeleton`, and only what was recorded, signed and erased.
 */
export class Migration20261122163500_removed_skeletons extends Migration {
  override up(): void {
    this.addSql(`
      create table removed_stream (
        stream_id text collate "C" primary key,
        thread_id text collate "C" not null,
        tenant_id text collate "C" not null,
        version int not null,
        hash bytea not null,
        recorded_in int not null,
        removed_at timestamptz
      )`);
    this.addSql('create index removed_stream_by_thread on removed_stream (thread_id)');
    this.addSql('create index removed_stream_pending on removed_stream (thread_id) where removed_at is null');
    this.addSql(`
      create or replace function refuse_event_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and coalesce(current_setting('research_threads.erasing', true), '') = 'on' then
          return null;
        end if;
        if tg_op = 'DELETE' and coalesce(current_setting('research_threads.removing', true), '') = 'on' then
          return null;
        end if;
        raise exception 'events are insert-only: % is refused', tg_op using errcode = 'RT003';
      end $$`);
    this.addRemoval();
  }

  /** False where there is nothing to do: no checkpoint has the record yet, or another process was first. Refuses what would be no removal of that record. */
  private addRemoval(): void {
    this.addSql(`
      create function remove_skeleton(removed_thread text) returns boolean language plpgsql volatile as $$
      declare
        tenant text;
        record_version int;
        streams text[];
      begin
        select tenant_id, recorded_in into tenant, record_version from removed_stream
          where stream_id = removed_thread and removed_at is null for update;
        if not found then
          return false;
        end if;
        if not exists (select from event join log_entry using (stream_id, version)
            where event.stream_id = 'ten_' || tenant and event.version = record_version and event.type = 'SkeletonsRemoved'
              and event.facts -> 'threads' @> jsonb_build_array(jsonb_build_object('threadId', removed_thread))
              and log_entry.index < (select max(checkpoint.size) from checkpoint join log_origin using (origin)
                where log_origin.number = (select max(number) from log_origin))) then
          return false;
        end if;
        if not exists (select from deletion_receipt where thread_id = removed_thread and tenant_id = tenant and note is not null) then
          raise exception 'no receipt of the deletion of % is signed', removed_thread using errcode = 'RT003';
        end if;
        streams := array(select stream_id::text from removed_stream where thread_id = removed_thread);
        if exists (select from unnest(streams) as of_thread (stream_id) join removed_stream using (stream_id)
            where not exists (select from event where event.stream_id = of_thread.stream_id
                and event.version = removed_stream.version and event.hash = removed_stream.hash)
              or exists (select from event where event.stream_id = of_thread.stream_id
                and (event.version > removed_stream.version or event.sealed is not null or not exists (
                  select from log_entry where log_entry.stream_id = event.stream_id and log_entry.version = event.version)))) then
          raise exception 'the histories of % are not those that were recorded, not erased, or not in the log', removed_thread using errcode = 'RT003';
        end if;
        perform set_config('research_threads.removing', 'on', true);
        delete from event where stream_id = any (streams);
        perform set_config('research_threads.removing', 'off', true);
        update removed_stream set removed_at = clock_timestamp() where thread_id = removed_thread;
        return true;
      end $$`);
    this.addSql(`
      do $$
      begin
        execute format('alter function remove_skeleton(text) security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: what was removed stays removed');
  }
}
