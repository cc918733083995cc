import { Migration } from '@mikro-orm/migrations';

/** Limits of tenants and their keys that differ from the settings. Those of the tenant itself have an empty key. */
export class Migration20261122103500_limits extends Migration {
  override up(): void {
    this.addSql(`
      create table tenant_limit (
        tenant_id text not null,
        key_id text not null,
        limits jsonb not null,
        primary key (tenant_id, key_id)
      )`);
  }

  override down(): void {
    this.addSql('drop table tenant_limit');
  }
}
