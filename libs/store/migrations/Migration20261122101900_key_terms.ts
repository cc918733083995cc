import { Migration } from '@mikro-orm/migrations';

/**
 * What a key may be used for, until when, when it was last used, and an HMAC over its row. An earlier build knows none of it and leaves all
 * of it null.
 */
export class Migration20261122101900_key_terms extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_key add column scopes text[] null, add column expires_at timestamptz null, add column last_used_at timestamptz null,
        add column row_hmac bytea null`);
  }
}
