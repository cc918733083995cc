import { Migration } from '@mikro-orm/migrations';

/**
 * Of the streams that a batch writes to, those that another process was faster on are found before anything is written, so that they
 * alone are decided again. A stream is locked by its view's row, jobs before threads and each by id, the same order in every process.
 */
export class Migration20261121000400_stale_threads extends Migration {
  override up(): void {
    // Volatile, so that it looks at the events with a snapshot that was taken after the locks.
    this.addSql(`
      create function lock_streams(stream_ids text[], versions int[], thread_indexes int[]) returns int[]
      language plpgsql volatile as $$
      declare
        stale int[];
      begin
        perform 1 from unnest(stream_ids) as given (id) join job on job.id = given.id order by given.id for no key update of job;
        perform 1 from unnest(stream_ids) as given (id) join thread on thread.id = given.id order by given.id for no key update of thread;
        select array_agg(given.thread_index) into stale
          from unnest(stream_ids, versions, thread_indexes) as given (stream_id, version, thread_index)
          where exists (select 1 from event where event.stream_id = given.stream_id and event.version = given.version + 1);
        return coalesce(stale, '{}');
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
