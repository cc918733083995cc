import { Migration } from '@mikro-orm/migrations';

/**
 * Functions that an owner without superuser's rights can make: `set` of a parameter of our own in a function's definition needs these, a call of
 * `set_config` does not. And whoever may call a function that runs with its owner's rights cannot lead it to a temporary table of theirs.
 */
export class Migration20261122100500_plain_owner extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function erase_thread(erased_thread text, erased_streams text[]) returns void
      language plpgsql security definer set search_path from current as $$
      begin
        perform set_config('research_threads.erasing', 'on', true);
        delete from thread_key where thread_id = erased_thread;
        update event set sealed = null where stream_id = any (erased_streams) and sealed is not null;
        delete from message where thread_id = erased_thread;
        delete from job where thread_id = erased_thread;
        delete from thread where id = erased_thread;
        delete from agenda where job_id = any (erased_streams) and kind <> 'cancel run';
        perform set_config('research_threads.erasing', 'off', true);
      end $$`);
    this.addSql(`
      create or replace function erase_jobs(job_ids text[]) returns void
      language plpgsql volatile security definer set search_path from current as $$
      begin
        perform set_config('research_threads.erasing', 'on', true);
        update event set sealed = null where stream_id = any (job_ids) and sealed is not null;
        delete from job where id = any (job_ids);
        perform set_config('research_threads.erasing', 'off', true);
      end $$`);
    this.addSql(`
      create or replace function erase_piece_of_thread(erased_thread text, most int) returns int
      language plpgsql volatile security definer set search_path from current as $$
      declare
        messages int;
        events int;
        deliveries int;
      begin
        perform set_config('research_threads.erasing', 'on', true);
        delete from message where id in (select id from message where thread_id = erased_thread order by version limit most);
        get diagnostics messages = row_count;
        update event set sealed = null where stream_id = erased_thread and version in (
          select version from event where stream_id = erased_thread and sealed is not null order by version limit most);
        get diagnostics events = row_count;
        delete from webhook_delivery where (webhook_id, event_id) in (
          select webhook_id, event_id from webhook_delivery where thread_id = erased_thread and job_id is not null
          order by webhook_id, event_id limit most for update);
        get diagnostics deliveries = row_count;
        perform set_config('research_threads.erasing', 'off', true);
        return messages + events + deliveries;
      end $$`);
    this.addSql(`
      do $$
      declare
        erasing regprocedure;
      begin
        foreach erasing in array array['erase_thread(text, text[])', 'erase_jobs(text[])', 'erase_piece_of_thread(text, int)',
          'bury_threads(text[])']::regprocedure[]
        loop
          execute format('alter function %s set search_path = %I, pg_temp', erasing, current_schema());
        end loop;
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
