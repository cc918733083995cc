import { Migration } from '@mikro-orm/migrations';

/** Which of the listed threads are there, whosesoever: a process that sees only the tenants that it names deletes them again after a restore. */
export class Migration20261122103000_find_threads extends Migration {
  override up(): void {
    this.addSql(`
      create function find_threads(ids text[]) returns table (id text, tenant_id text, updated_at timestamptz) language plpgsql stable as $$
      begin
        return query select thread.id::text, thread.tenant_id, thread.updated_at from unnest(ids) as asked (id)
          join thread on thread.id = asked.id;
      end $$`);
    this.addSql(`
      do $$
      begin
        execute format('alter function find_threads(text[]) security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
