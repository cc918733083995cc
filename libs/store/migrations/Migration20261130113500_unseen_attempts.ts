import { Migration } from '@mikro-orm/migrations';

/**
 * How often in a row a delivery was taken and nothing was recorded of it, as where the answer to the taking was lost, or its process ended. That is no
 * failure of the receiver.
 */
export class Migration20261130113500_unseen_attempts extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery add column unseen int not null default 0');
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
