import { Migration } from '@mikro-orm/migrations';

/** What ends by time is found by itself, however much waits to be dispatched. */
export class Migration20261122005900_expiry_index extends Migration {
  override up(): void {
    this.addSql(`create index agenda_by_expiry on agenda (look_at) where kind in ('lease', 'synthesis lease', 'job deadline')`);
  }

  override down(): void {
    this.addSql('drop index agenda_by_expiry');
  }
}
