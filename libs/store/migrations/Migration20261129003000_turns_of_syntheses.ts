import { Migration } from '@mikro-orm/migrations';

/**
 * Tenants take turns also at syntheses. `taken_at` says when a process last said that it is at one, so that it is nobody else's turn. A build of the release
 * before does not write it: what it is at may be begun by a second process, and only one of the two can complete or claim it.
 */
export class Migration20261129003000_turns_of_syntheses extends Migration {
  override up(): void {
    this.addSql('alter table agenda add column taken_at timestamptz');
    this.addSql(`create index agenda_syntheses on agenda (tenant_id, due_at) where kind = 'dispatch synthesis'`);
  }

  override down(): void {
    this.addSql('drop index agenda_syntheses');
    this.addSql('alter table agenda drop column taken_at');
  }
}
