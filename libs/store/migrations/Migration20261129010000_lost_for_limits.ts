import { Migration } from '@mikro-orm/migrations';

const MICROS = (name: string) =>
  `case when jsonb_typeof(new.facts -> '${name}') = 'number' then (new.facts -> '${name}')::numeric else 0 end`;

/**
 * An ended job counts for the cents of a day also with what was held for runs whose cost is unknown: their providers may charge that. It counted with what its
 * tenant pays, so whoever cancelled each job while its providers worked could have any number of runs.
 */
export class Migration20261129010000_lost_for_limits extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function tell_end_of_limited_job() returns trigger language plpgsql as $$
      begin
        update limited_job set ended_cents = least(cents, ceil((${MICROS('chargedMicros')} + ${MICROS('lostMicros')}) / 10000))
          where tenant_id = new.tenant_id and job_id = new.stream_id;
        return null;
      end $$`);
    // A function that is replaced loses this; its owner and who may call it stay.
    this.addSql(`
      do $$
      begin
        execute format('alter function tell_end_of_limited_job() security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
