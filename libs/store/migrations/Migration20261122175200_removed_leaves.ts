import { Migration } from '@mikro-orm/migrations';

/**
 * Of each event that is removed its hash and the time of its append stay: with them its entry of the log shows that it is of this event. `remove_skeleton` keeps
 * them, compares how much was recorded as well, and removes nothing that was appended after it had looked.
 */
export class Migration20261122175200_removed_leaves extends Migration {
  override up(): void {
    this.addSql('alter table removed_stream add column hashes bytea[], add column appended_at timestamptz[]');
    this.addSql(`
      create or replace function remove_skeleton(removed_thread text) returns boolean language plpgsql volatile as $$
      declare
        tenant text;
        record_version int;
        streams text[];
        recorded_events bigint;
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
        select array_agg(stream_id::text), sum(version) into streams, recorded_events from removed_stream where thread_id = removed_thread;
        if (select count(*) from event where stream_id = any (streams)) <> recorded_events
            or not exists (select from event where stream_id = 'ten_' || tenant and version = record_version
              and facts -> 'threads' @> jsonb_build_array(jsonb_build_object('threadId', removed_thread, 'events', recorded_events,
                'streams', jsonb_build_object('count', cardinality(streams)))))
            or exists (select from unnest(streams) as of_thread (stream_id) join removed_stream using (stream_id)
            where not exists (select from event where event.stream_id = of_thread.stream_id
                and event.version = removed_stream.version and event.hash = removed_stream.hash)
              or exists (select from event where event.stream_id = of_thread.stream_id
                and (event.version > removed_stream.version or event.sealed is not null or not exists (
                  select from log_entry where log_entry.stream_id = event.stream_id and log_entry.version = event.version)))) then
          raise exception 'the histories of % are not those that were recorded, not erased, or not in the log', removed_thread using errcode = 'RT003';
        end if;
        update removed_stream set removed_at = clock_timestamp(), hashes = kept.hashes, appended_at = kept.appended_at
          from (select stream_id, array_agg(hash order by version) as hashes, array_agg(event.appended_at order by version) as appended_at
            from event where stream_id = any (streams) group by stream_id) as kept
          where kept.stream_id = removed_stream.stream_id and thread_id = removed_thread;
        perform set_config('research_threads.removing', 'on', true);
        delete from event using removed_stream as recorded
          where event.stream_id = any (streams) and recorded.stream_id = event.stream_id and event.version <= recorded.version;
        perform set_config('research_threads.removing', 'off', true);
        if exists (select from event where stream_id = any (streams)) then
          raise exception 'something was appended to the histories of % meanwhile', removed_thread using errcode = 'RT003';
        end if;
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
