import { Migration } from '@mikro-orm/migrations';

/** Runs that have waited too long to be cancelled are found among their like. */
export class Migration20261122012900_cancellations_index extends Migration {
  override up(): void {
    this.addSql(`create index agenda_cancellations on agenda (due_at) where kind = 'cancel run'`);
  }

  override down(): void {
    this.addSql('drop index agenda_cancellations');
  }
}
