import { Migration } from '@mikro-orm/migrations';

/**
 * What is left of a deleted thread is erased in pieces; `erase_thread` stays for processes of the release before. And the agenda, whose
 * rows move all the time, is vacuumed by their number and not by its share: an empty look read what had long been moved away.
 */
export class Migration20261122021000_erasure_in_pieces extends Migration {
  override up(): void {
    this.addSql(`
      create function bury_threads(thread_ids text[]) returns void
      language plpgsql volatile security definer set search_path from current as $$
      begin
        delete from thread_key where thread_id = any (thread_ids);
        delete from thread where id = any (thread_ids);
      end $$`);
    this.addSql(`
      create function erase_jobs(job_ids text[]) returns void
      language plpgsql volatile security definer set search_path from current as $$
      begin
        perform set_config('research_threads.erasing', 'on', true);
        update event set sealed = null where stream_id = any (job_ids) and sealed is not null;
        delete from job where id = any (job_ids);
        perform set_config('research_threads.erasing', 'off', true);
      end $$`);
    this.addSql(`
      create function erase_piece_of_thread(erased_thread text, most int) returns int
      language plpgsql volatile security definer set search_path from current as $$
      declare
        messages int;
        events int;
      begin
        perform set_config('research_threads.erasing', 'on', true);
        delete from message where id in (select id from message where thread_id = erased_thread order by version limit most);
        get diagnostics messages = row_count;
        update event set sealed = null where stream_id = erased_thread and version in (
          select version from event where stream_id = erased_thread and sealed is not null order by version limit most);
        get diagnostics events = row_count;
        perform set_config('research_threads.erasing', 'off', true);
        return messages + events;
      end $$`);
    this.addSql(`
      alter table agenda set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.2, autovacuum_vacuum_cost_delay = 0)`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
