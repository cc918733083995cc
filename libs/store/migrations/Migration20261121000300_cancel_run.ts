import { Migration } from '@mikro-orm/migrations';

/**
 * Runs that are to be cancelled at their provider. Their id is content, but it must outlive its thread's key, so a row of this kind
 * keeps it sealed under the master key until the provider was told.
 */
export class Migration20261121000300_cancel_run extends Migration {
  override up(): void {
    this.addSql('alter table agenda add column run int, add column sealed_run bytea');
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
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
