import { Migration } from '@mikro-orm/migrations';

/**
 * A thread's row sums its history up, see `thread-summary.ts`. Rows of earlier builds have no summary until the thread is next written
 * to, so that adding the columns takes no longer with many threads.
 */
export class Migration20261122010000_thread_summaries extends Migration {
  override up(): void {
    this.addSql('alter table thread add column version int, add column job_count int, add column shape int');
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
