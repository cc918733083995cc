import { Migration } from '@mikro-orm/migrations';

/** Tenants and their API keys. */
export class Migration20261121000100_access extends Migration {
  override readonly name = 'Migration20261121000100_access';

  override up(): void {
    this.addSql('create table tenant (id text primary key, created_at timestamptz not null default now())');
    this.addSql(`
      create table api_key (
        key_id text primary key,
        tenant_id text not null references tenant (id),
        name text null,
        hmac bytea not null,
        created_at timestamptz not null default now(),
        revoked_at timestamptz null
      )`);
    this.addSql('create index api_key_tenant on api_key (tenant_id, created_at)');
  }
}
