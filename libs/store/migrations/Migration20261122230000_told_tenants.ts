import { Migration } from '@mikro-orm/migrations';

/**
 * A sequencer that says whose an entry is has read it beside the event. To look it up again by a trigger, row by row, took as long as half of the append. The entries
 * of a saga of the build before, and of events whose row does not say it, still get it from the trigger.
 */
export class Migration20261122230000_told_tenants extends Migration {
  override up(): void {
    this.addSql(`
      create or replace trigger log_entry_tenant before insert on log_entry for each row
        when (new.tenant_id is null) execute function tell_tenant_of_entry()`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
