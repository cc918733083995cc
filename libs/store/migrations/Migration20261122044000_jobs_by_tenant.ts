import { Migration } from '@mikro-orm/migrations';

/** A tenant's jobs are listed newest first, whatever their thread. Its columns never change, so that updates of a job need not touch it. */
export class Migration20261122044000_jobs_by_tenant extends Migration {
  override up(): void {
    this.addSql('create index job_by_tenant on job (tenant_id, created_at desc, id desc)');
  }

  override down(): void {
    this.addSql('drop index job_by_tenant');
  }
}
