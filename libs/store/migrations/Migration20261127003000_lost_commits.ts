import { Migration } from '@mikro-orm/migrations';

/**
 * A stream has also moved on if its last event is not the one that the next is chained to: a database that has lost its last commits, as a standby that
 * took over, may not hold that event any more, or another one in its place. Whoever still remembered it left a gap or a broken chain. The function without
 * hashes stays for processes of the release before.
 */
export class Migration20261127003000_lost_commits extends Migration {
  override up(): void {
    // Volatile, so that it looks at the events with a snapshot that was taken after the locks.
    this.addSql(`
      create function lock_or_set_aside(
        answer_by timestamptz,
        stream_ids text[], versions int[], hashes bytea[], stream_threads int[],
        held_ids text[], held_threads int[],
        entry_jobs text[], entry_kinds text[], entry_refs text[], entry_threads int[],
        out moved int[], out locked int[], out deleted int[])
      language plpgsql volatile as $$
      declare
        jobs text[];
        threads text[];
        keys text[];
        entries int;
      begin
        if clock_timestamp() > answer_by then
          raise exception 'a statement came after its answer was due' using errcode = 'RT004';
        end if;
        -- What is not locked here (two processes that begin one stream) is waited for, but not for long.
        perform set_config('lock_timeout', '100', true);
        select array_agg(id) into jobs from (select job.id from unnest(stream_ids) as given (id)
          join job on job.id = given.id order by given.id for no key update of job skip locked) as mine;
        select array_agg(id) into threads from (select thread.id from unnest(stream_ids) as given (id)
          join thread on thread.id = given.id order by given.id for no key update of thread skip locked) as mine;
        select array_agg(thread_id) into keys from (select thread_key.thread_id from unnest(held_ids) as given (id)
          join thread_key on thread_key.thread_id = given.id order by given.id for share of thread_key skip locked) as mine;
        select count(*) into entries from (select 1 from unnest(entry_jobs, entry_kinds, entry_refs) as given (job_id, kind, ref)
          join agenda on agenda.job_id = given.job_id and agenda.kind = given.kind and agenda.ref = given.ref
          order by given.job_id, given.kind, given.ref for update of agenda skip locked) as mine;
        if coalesce(cardinality(jobs), 0) + coalesce(cardinality(threads), 0) < cardinality(stream_ids) then
          select array_agg(given.thread_index) into locked from unnest(stream_ids, stream_threads) as given (id, thread_index)
            where given.id <> all (coalesce(jobs || threads, jobs, threads, '{}'))
              and (exists (select from job where job.id = given.id) or exists (select from thread where thread.id = given.id));
        end if;
        if coalesce(cardinality(keys), 0) < cardinality(held_ids) then
          select array_agg(given.thread_index) filter (where thread_key.thread_id is null),
              locked || array_agg(given.thread_index) filter (where thread_key.thread_id is not null) into deleted, locked
            from unnest(held_ids, held_threads) as given (id, thread_index) left join thread_key on thread_key.thread_id = given.id
            where given.id <> all (coalesce(keys, '{}'));
        end if;
        if entries < cardinality(entry_jobs) then
          select locked || array_agg(given.thread_index) into locked
            from unnest(entry_jobs, entry_kinds, entry_refs, entry_threads) as given (job_id, kind, ref, thread_index)
            join agenda on agenda.job_id = given.job_id and agenda.kind = given.kind and agenda.ref = given.ref
            where not exists (select from agenda as free where free.job_id = given.job_id and free.kind = given.kind and free.ref = given.ref
              for update skip locked);
        end if;
        -- A thread without a version is touched by one of its jobs, and not continued.
        select array_agg(given.thread_index) into moved
          from unnest(stream_ids, versions, hashes, stream_threads) as given (stream_id, version, hash, thread_index)
          left join lateral (select event.version, event.hash from event where event.stream_id = given.stream_id
            order by event.version desc limit 1) as head on true
          where given.version is not null and (head.version, head.hash) is distinct from (given.version, given.hash);
        moved := coalesce(moved, '{}');
        locked := coalesce(locked, '{}');
        deleted := coalesce(deleted, '{}');
      end $$`);
    this.addSql(`
      do $$
      begin
        execute format('alter function lock_or_set_aside(timestamptz, text[], int[], bytea[], int[], text[], int[], text[], text[], text[], int[])
          security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
