import { Migration } from '@mikro-orm/migrations';

/**
 * The cents of a day are kept where a statement of the day before is counted after the first one of the day, as happens about midnight and after a clock was
 * set back: it counts for the day that has begun. Each such change of the day set the count to 0, and what ended later took from it what it had never held.
 * Where the clock was set back further, the count begins with the jobs of that day that are still counted.
 */
export class Migration20261130003000_days_of_limits extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function settle_limits(tenant text, key text, today date, out open_now int, out cents_now bigint)
      language plpgsql volatile as $$
      declare
        counted_day date;
        ended record;
      begin
        select case when day = today + 1 then day else today end into counted_day from limit_usage where tenant_id = tenant and key_id = key;
        with gone as (
            delete from limited_job where tenant_id = tenant and key_id = key and ended_cents is not null returning day, cents - ended_cents as left_over)
          select count(*)::int as jobs, coalesce(sum(left_over) filter (where day = counted_day), 0) as left_over into ended from gone;
        update limit_usage set open_jobs = open_jobs - ended.jobs, day = counted_day,
            day_cents = case when day = counted_day then greatest(day_cents - ended.left_over, 0)
              else coalesce((
                select sum(cents) from limited_job own where own.tenant_id = tenant and own.key_id = key and own.day = counted_day), 0) end
          where tenant_id = tenant and key_id = key and (ended.jobs > 0 or day <> counted_day);
        select open_jobs, day_cents into open_now, cents_now from limit_usage where tenant_id = tenant and key_id = key;
      end $$`);
    // The statement that records jobs has settled what they count for, and so set the day.
    this.addSql(`
      create or replace function record_limited_jobs(tenants text[], keys text[], jobs text[], costs bigint[]) returns void
      language plpgsql volatile as $$
      begin
        insert into limited_job (tenant_id, key_id, job_id, day, cents)
          select given.tenant_id, given.key_id, given.job_id, used.day, given.cents
            from unnest(tenants, keys, jobs, costs) as given (tenant_id, key_id, job_id, cents) join limit_usage used using (tenant_id, key_id);
        update limit_usage set open_jobs = open_jobs + given.jobs, day_cents = day_cents + given.cents
          from (
            select tenant_id, key_id, count(*) as jobs, sum(cents) as cents from unnest(tenants, keys, costs) as given (tenant_id, key_id, cents)
            group by tenant_id, key_id) as given
          where limit_usage.tenant_id = given.tenant_id and limit_usage.key_id = given.key_id;
      end $$`);
    // A function that is replaced loses this; its owner and who may call it stay.
    this.addSql(`
      do $$
      begin
        execute format(
          'alter function record_limited_jobs(text[], text[], text[], bigint[]) security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
