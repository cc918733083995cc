import { Migration } from '@mikro-orm/migrations';

/** Notes when keys were last used, also for an api that may not touch their table. It waits for nobody: what is locked is noted the next time. */
export class Migration20261122111500_key_use extends Migration {
  override up(): void {
    this.addSql(`
      create function mark_keys_used(ids text[], ages_ms int[]) returns void language plpgsql volatile as $$
      begin
        update api_key set last_used_at = used.at from (
            select api_key.key_id, clock_timestamp() - given.age * interval '1 millisecond' as at
              from unnest(ids, ages_ms) as given (id, age) join api_key on api_key.key_id = given.id
              where last_used_at is null or last_used_at < clock_timestamp() - interval '30 seconds'
              order by api_key.key_id for no key update of api_key skip locked) as used
          where api_key.key_id = used.key_id and (last_used_at is null or last_used_at < used.at);
      end $$`);
    this.addSql(`
      do $$
      begin
        execute format('alter function mark_keys_used(text[], int[]) security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }
}
