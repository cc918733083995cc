import { Migration } from '@mikro-orm/migrations';

/** Which pepper the rows of keys are sealed under, and when those were that earlier builds had made: one row. */
export class Migration20261122103000_pepper extends Migration {
  override up(): void {
    this.addSql(`
      create table api_key_pepper (fingerprint text primary key, first_used_at timestamptz not null default now(), keys_sealed_at timestamptz)`);
  }
}
