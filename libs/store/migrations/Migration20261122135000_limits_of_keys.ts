import { Migration } from '@mikro-orm/migrations';

const LIMITED = 'text[], text[], bigint[], int[], bigint[], bigint[], int[], int[], bytea[], int[]';
/** Functions that write what nobody else may. The last two are called by the build before. */
const OF_OWNER = [
  'tell_end_of_limited_job()',
  `check_limits(${LIMITED})`,
  'record_limited_jobs(text[], text[], text[], bigint[])',
  'check_limits(text[], bigint[], int[], bigint[], bigint[], int[], int[], bytea[], int[])',
  'record_limited_jobs(text[], text[], bigint[])',
];

const CHARGED = (facts: string) =>
  `case when jsonb_typeof(${facts} -> 'chargedMicros') = 'number' then (${facts} -> 'chargedMicros')::numeric else 0 end`;
const FINAL = `('JobCompleted', 'JobFailed', 'JobCancelled')`;
const OUTPUTS =
  'out beyond int[], out locked int[], out refused_jobs int[], out by_cents bool[], out used float8[], out near int[], out near_cents float8[]';

/**
 * Limits of jobs for keys too: what a key uses is counted beside what its tenant uses, under an empty key. A trigger tells of a job that counts that it
 * has ended, so that whoever creates the next one looks at what has ended since, and not at all that is open.
 */
export class Migration20261122135000_limits_of_keys extends Migration {
  override up(): void {
    this.addTelling();
    this.addSql('alter table api_key add column limits jsonb null');
    this.addSql(`
      alter table limit_usage add column key_id text collate "C" not null default '',
        drop constraint limit_usage_pkey, add primary key (tenant_id, key_id)`);
    this.addSql(`
      alter table limited_job add column key_id text collate "C" not null default '', add column ended_cents bigint null,
        drop constraint limited_job_pkey, add primary key (tenant_id, job_id, key_id)`);
    this.addSql('create index limited_job_ended on limited_job (tenant_id, key_id) where ended_cents is not null');
    this.addSettling();
    this.addChecking();
    this.addRecording();
    this.addFunctionsOfBefore();
    this.addSql(`
      update limited_job set ended_cents = least(cents, ceil(${CHARGED('event.facts')} / 10000))
        from event where stream_id = job_id and type in ${FINAL}`);
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

  /** Lets go of the jobs of a tenant or key that have ended. Its row must be locked. */
  private addSettling(): void {
    this.addSql(`
      create function settle_limits(tenant text, key text, today date, out open_now int, out cents_now bigint)
      language plpgsql volatile as $$
      declare
        ended record;
      begin
        with gone as (
            delete from limited_job where tenant_id = tenant and key_id = key and ended_cents is not null returning day, cents - ended_cents as left_over)
          select count(*)::int as jobs, coalesce(sum(left_over) filter (where day = today), 0) as left_over into ended from gone;
        update limit_usage set open_jobs = open_jobs - ended.jobs, day = today,
            day_cents = case when day = today then day_cents - ended.left_over else 0 end
          where tenant_id = tenant and key_id = key and (ended.jobs > 0 or day <> today);
        select open_jobs, day_cents into open_now, cents_now from limit_usage where tenant_id = tenant and key_id = key;
      end $$`);
  }

  /**
   * Is given each job once for its tenant and once for its key, as far as these have limits. Locks what they use until the statement has committed, and refuses the
   * jobs for which there is no room: nothing of their threads is written, and their requests are not recorded. What somebody else has locked is tried again.
   */
  private addChecking(): void {
    this.addSql(`
      create function check_limits(
        tenants text[], keys text[], costs bigint[], most_open int[], most_cents bigint[], warnings bigint[], threads int[], set_aside int[],
        request_digests bytea[], request_threads int[], ${OUTPUTS})
      language plpgsql volatile as $$
      declare
        today constant date := (statement_timestamp() at time zone 'UTC')::date;
        holders text[] := '{}';
        open_now int[] := '{}';
        cents_now bigint[] := '{}';
        open_before int[];
        cents_before bigint[];
        one record;
        settled record;
        thread int;
        thread_fits bool;
      begin
        beyond := '{}'; locked := '{}'; refused_jobs := '{}'; by_cents := '{}'; used := '{}'; near := '{}'; near_cents := '{}';
        insert into limit_usage (tenant_id, key_id, day, open_jobs, day_cents)
          select distinct given.tenant, given.key, today, 0, 0 from unnest(tenants, keys) as given (tenant, key)
            where not exists (select from limit_usage where tenant_id = given.tenant and key_id = given.key)
            order by given.tenant, given.key on conflict do nothing;
        for one in
          select tenant_id, key_id from limit_usage
            where (tenant_id, key_id) in (select given.tenant, given.key from unnest(tenants, keys) as given (tenant, key))
            order by tenant_id, key_id for no key update skip locked
        loop
          settled := settle_limits(one.tenant_id, one.key_id, today);
          holders := holders || (one.tenant_id || '/' || one.key_id);
          open_now := open_now || settled.open_now;
          cents_now := cents_now || settled.cents_now;
        end loop;
        select coalesce(array_agg(distinct given.thread_index), '{}') into locked
          from unnest(tenants, keys, threads) as given (tenant, key, thread_index)
          where given.thread_index <> all (set_aside) and given.tenant || '/' || given.key <> all (holders);
        for one in
          select given.*, array_position(holders, given.tenant || '/' || given.key) as holder
            from unnest(tenants, keys, costs, most_open, most_cents, warnings, threads)
              with ordinality as given (tenant, key, cents, open, most, warning, thread_index, place)
            where given.thread_index <> all (set_aside || locked) order by given.thread_index, given.place
        loop
          if one.thread_index is distinct from thread then
            thread := one.thread_index;
            thread_fits := true;
            open_before := open_now;
            cents_before := cents_now;
          end if;
          if open_now[one.holder] + 1 > one.open or cents_now[one.holder] + one.cents > one.most then
            refused_jobs := refused_jobs || one.place::int;
            by_cents := by_cents || ((open_now[one.holder] + 1 > one.open) is not true);
            used := used || (case when open_now[one.holder] + 1 > one.open then open_now[one.holder] else cents_now[one.holder] end)::float8;
            if thread_fits then
              thread_fits := false;
              beyond := beyond || thread;
              open_now := open_before;
              cents_now := cents_before;
            end if;
          elsif thread_fits then
            open_now[one.holder] := open_now[one.holder] + 1;
            cents_now[one.holder] := cents_now[one.holder] + one.cents;
            if cents_now[one.holder] > one.warning then
              near := near || one.place::int;
              near_cents := near_cents || cents_now[one.holder]::float8;
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
      create function record_limited_jobs(tenants text[], keys text[], jobs text[], costs bigint[]) returns void
      language plpgsql volatile as $$
      declare
        today constant date := (statement_timestamp() at time zone 'UTC')::date;
      begin
        insert into limited_job (tenant_id, key_id, job_id, day, cents)
          select tenant_id, key_id, job_id, today, cents from unnest(tenants, keys, jobs, costs) as given (tenant_id, key_id, job_id, cents);
        update limit_usage set open_jobs = open_jobs + given.jobs, day = today,
            day_cents = case when day = today then day_cents else 0 end + given.cents
          from (
            select tenant_id, key_id, count(*) as jobs, sum(cents) as cents from unnest(tenants, keys, costs) as given (tenant_id, key_id, cents)
            group by tenant_id, key_id) as given
          where limit_usage.tenant_id = given.tenant_id and limit_usage.key_id = given.key_id;
      end $$`);
  }

  /** The build before knows no limits of keys. */
  private addFunctionsOfBefore(): void {
    const noKeys = `array_fill(''::text, array[cardinality(tenants)])`;
    this.addSql(`
      create or replace function check_limits(
        tenants text[], costs bigint[], most_open int[], most_cents bigint[], warnings bigint[], threads int[], set_aside int[],
        request_digests bytea[], request_threads int[], ${OUTPUTS})
      language plpgsql volatile as $$
      begin
        select checked.* into beyond, locked, refused_jobs, by_cents, used, near, near_cents
          from check_limits(tenants, ${noKeys}, costs, most_open, most_cents, warnings, threads, set_aside, request_digests, request_threads) as checked;
      end $$`);
    this.addSql(`
      create or replace function record_limited_jobs(tenants text[], jobs text[], costs bigint[]) returns void language plpgsql volatile as $$
      begin
        perform record_limited_jobs(tenants, ${noKeys}, jobs, costs);
      end $$`);
  }

  /**
   * Writers of events wait from here on, before they have begun: none of them holds what the rest of the migration waits for, or goes on in a function of before
   * that knows the tables as they were, and no job ends unseen between the trigger and the look at those that have ended already.
   */
  private addTelling(): void {
    this.addSql(`
      create function tell_end_of_limited_job() returns trigger language plpgsql as $$
      begin
        update limited_job set ended_cents = least(cents, ceil(${CHARGED('new.facts')} / 10000))
          where tenant_id = new.tenant_id and job_id = new.stream_id;
        return null;
      end $$`);
    this.addSql(`
      create trigger event_ends_limited_job after insert on event for each row when (new.type in ${FINAL})
        execute function tell_end_of_limited_job()`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
