import { Migration } from '@mikro-orm/migrations';

/**
 * Tenants take turns also at syntheses. `taken_at` says when a process last said that it is at one, so that it is nobody else's turn. A build of the release
 * before does not write it: what it is at may be begun by a second process, and only one of the two can complete or claim it.
 */
export class Migration20261129003000_turns_of_syntheses extends Migration {
  /** An index that is built concurrently needs that. So each statement may be repeated after one that failed. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table agenda add column if not exists taken_at timestamptz');
    // What a build that was broken off left is of no use.
    this.addSql('drop index concurrently if exists agenda_syntheses');
    // Without its second condition, which always holds, the index would fit statements that look for one job, and they would read all of it while it seems small.
    this.addSql(
      `create index concurrently agenda_syntheses on agenda (tenant_id, due_at) where kind = 'dispatch synthesis' and step_id is null`,
    );
  }

  override down(): void {
    this.addSql('drop index agenda_syntheses');
    this.addSql('alter table agenda drop column taken_at');
  }
}
