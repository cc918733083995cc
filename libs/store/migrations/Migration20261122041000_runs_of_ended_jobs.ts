import { Migration } from '@mikro-orm/migrations';

/**
 * No row that keeps a run's id outlives its job, whichever build ends the job: a build removes only rows of the kinds that it knows, and those of
 * the release before do not know this one.
 */
export class Migration20261122041000_runs_of_ended_jobs extends Migration {
  override up(): void {
    this.addSql(`
      create function forget_runs_of_job() returns trigger language plpgsql as $$
      begin
        delete from agenda where job_id = old.id and kind = 'run';
        return null;
      end $$`);
    this.addSql(`
      create trigger job_ended after update of status on job for each row
        when (new.status is distinct from old.status and new.status in ('completed', 'failed', 'cancelled'))
        execute function forget_runs_of_job()`);
    // A deleted job may be ended and erased in one commit.
    this.addSql(`create trigger job_erased after delete on job for each row execute function forget_runs_of_job()`);
    this.addSql(`
      delete from agenda where kind = 'run'
        and not exists (select from job where job.id = agenda.job_id and job.status not in ('completed', 'failed', 'cancelled'))`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
