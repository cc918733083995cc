import { Migration } from '@mikro-orm/migrations';

/** Functions that write what nobody else may. */
const OF_OWNER = [
  'check_limits(text[], bigint[], int[], bigint[], bigint[], int[], int[], bytea[], int[])',
  'record_limited_jobs(text[], text[], bigint[])',
];

/** What tenants with limits use of them: open jobs, and what the jobs of a day may cost. Tenants without limits have no rows. */
export class Migration20261122111900_job_limits extends Migration {
  override up(): void {
    this.addSql(`
      create table limit_usage (
        tenant_id text collate "C" primary key,
        day date not null,
        open_jobs int not null,
        day_cents bigint not null
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table limited_job (
        tenant_id text collate "C" not null,
        job_id text collate "C" not null,
        day date not null,
        cents bigint not null,
        primary key (tenant_id, job_id)
      )`);
    this.addSettling();
    this.addChecking();
    this.addRecording();
    this.addSql(`
      do $$
      declare
        one regprocedure;
      begin
        foreach one in array array[${OF_OWNER.map((name) => `'${name}'`).join(', ')}]::regprocedure[]
        loop
          execute format('alter function %s security definer set search_path = %I, pg_temp', one, current_schema());
        end loop;
      end $$`);
  }

  /** Lets go of the jobs of a tenant that have ended. Its row must be locked. */
  private addSettling(): void {
    this.addSql(`
      create function settle_limited_jobs(tenant text, today date) returns void
      language plpgsql volatile as $$
      declare
        one record;
        charged numeric;
        ended int := 0;
        given_back bigint := 0;
      begin
        for one in select job_id, day, cents from limited_job where tenant_id = tenant loop
          select case when jsonb_typeof(facts -> 'chargedMicros') = 'number' then (facts -> 'chargedMicros')::numeric end into charged
            from event where stream_id = one.job_id and type in ('JobCompleted', 'JobFailed', 'JobCancelled');
          continue when not found;
          delete from limited_job where tenant_id = tenant and job_id = one.job_id;
          ended := ended + 1;
          if one.day = today then
            given_back := given_back + one.cents - least(one.cents, ceil(coalesce(charged, 0) / 10000));
          end if;
        end loop;
        update limit_usage set open_jobs = open_jobs - ended, day_cents = case when day = today then day_cents - given_back else 0 end, day = today
          where tenant_id = tenant;
      end $$`);
  }

  /**
   * Locks what tenants use until the statement has committed, and refuses the jobs for which there is no room: nothing of their threads is written,
   * and their requests are not recorded. What somebody else has locked is tried again.
   */
  private addChecking(): void {
    this.addSql(`
      create function check_limits(
        tenants text[], costs bigint[], most_open int[], most_cents bigint[], warnings bigint[], threads int[], set_aside int[],
        request_digests bytea[], request_threads int[],
        out beyond int[], out locked int[], out refused_jobs int[], out by_cents bool[], out used float8[], out near int[], out near_cents float8[])
      language plpgsql volatile as $$
      declare
        today constant date := (statement_timestamp() at time zone 'UTC')::date;
        mine text[];
        one record;
        tenant text;
        thread int;
        thread_fits bool;
        is_settled bool;
        usage record;
        open_now int;
        cents_now bigint;
        open_before int;
        cents_before bigint;
      begin
        beyond := '{}'; locked := '{}'; refused_jobs := '{}'; by_cents := '{}'; used := '{}'; near := '{}'; near_cents := '{}';
        insert into limit_usage (tenant_id, day, open_jobs, day_cents)
          select distinct given.id, today, 0, 0 from unnest(tenants) as given (id)
            where not exists (select from limit_usage where tenant_id = given.id) order by given.id on conflict do nothing;
        select coalesce(array_agg(tenant_id), '{}') into mine from (
          select tenant_id from limit_usage where tenant_id = any (tenants) order by tenant_id for no key update skip locked) as free;
        for one in
          select given.* from unnest(tenants, costs, most_open, most_cents, warnings, threads)
              with ordinality as given (tenant_id, cents, open, most, warning, thread_index, place)
            where given.thread_index <> all (set_aside) order by given.tenant_id, given.thread_index, given.place
        loop
          if one.tenant_id <> all (mine) then
            locked := locked || one.thread_index;
            continue;
          end if;
          if one.tenant_id is distinct from tenant then
            tenant := one.tenant_id;
            is_settled := false;
            thread := null;
            select open_jobs, case when day = today then day_cents else 0 end as cents into usage from limit_usage where tenant_id = tenant;
            open_now := usage.open_jobs;
            cents_now := usage.cents;
          end if;
          if one.thread_index is distinct from thread then
            thread := one.thread_index;
            thread_fits := true;
            open_before := open_now;
            cents_before := cents_now;
          end if;
          -- What has ended counts until it is asked for: only then is it looked for.
          if not is_settled and (open_now + 1 > one.open or cents_now + one.cents > least(one.most, one.warning)) then
            is_settled := true;
            perform settle_limited_jobs(tenant, today);
            open_now := open_now - usage.open_jobs;
            cents_now := cents_now - usage.cents;
            open_before := open_before - usage.open_jobs;
            cents_before := cents_before - usage.cents;
            select open_jobs, day_cents as cents into usage from limit_usage where tenant_id = tenant;
            open_now := open_now + usage.open_jobs;
            cents_now := cents_now + usage.cents;
            open_before := open_before + usage.open_jobs;
            cents_before := cents_before + usage.cents;
          end if;
          if open_now + 1 > one.open or cents_now + one.cents > one.most then
            refused_jobs := refused_jobs || one.place::int;
            by_cents := by_cents || ((open_now + 1 > one.open) is not true);
            used := used || (case when open_now + 1 > one.open then open_now else cents_now end)::float8;
            if thread_fits then
              thread_fits := false;
              beyond := beyond || thread;
              open_now := open_before;
              cents_now := cents_before;
            end if;
          elsif thread_fits then
            open_now := open_now + 1;
            cents_now := cents_now + one.cents;
            if cents_now > one.warning then
              near := near || one.place::int;
              near_cents := near_cents || cents_now::float8;
            end if;
          end if;
        end loop;
        delete from keyed_request where digest in (
          select digest from unnest(request_digests, request_threads) as given (digest, thread_index)
          where thread_index = any (locked || beyond));
      end $$`);
  }

  /** Counts the jobs that are written by the same statement that has checked them. */
  private addRecording(): void {
    this.addSql(`
      create function record_limited_jobs(tenants text[], jobs text[], costs bigint[]) returns void
      language plpgsql volatile as $$
      declare
        today constant date := (statement_timestamp() at time zone 'UTC')::date;
      begin
        insert into limited_job (tenant_id, job_id, day, cents)
          select tenant_id, job_id, today, cents from unnest(tenants, jobs, costs) as given (tenant_id, job_id, cents);
        update limit_usage set open_jobs = open_jobs + given.jobs, day = today,
            day_cents = case when day = today then day_cents else 0 end + given.cents
          from (select tenant_id, count(*) as jobs, sum(cents) as cents from unnest(tenants, costs) as given (tenant_id, cents) group by tenant_id) as given
          where limit_usage.tenant_id = given.tenant_id;
      end $$`);
  }

  override down(): void {
    for (const name of [...OF_OWNER, 'settle_limited_jobs(text, date)']) this.addSql(`drop function ${name}`);
    this.addSql('drop table limited_job');
    this.addSql('drop table limit_usage');
  }
}
