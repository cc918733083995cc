import { Migration } from '@mikro-orm/migrations';

/**
 * Steps wait on the agenda for their turn at the provider: `waiting` rows are neither dispatched nor looked at until the provider has room.
 * `provider_gate` holds what each provider has said last, for all processes together.
 *
 * A time during which nothing is admitted is stored as its beginning and length, and counts only between the two: a clock that is set back or
 * ahead ends it early and never prolongs it.
 */
export class Migration20261122012500_admission extends Migration {
  override up(): void {
    this.addSql(`
      alter table agenda
        add column tenant_id text collate "C" not null default '',
        add column waiting boolean not null default false,
        add column gives_up_at timestamptz`);
    this.addSql('create index agenda_by_turn on agenda (provider, tenant_id, due_at) where waiting');
    this.addSql('create index agenda_waiting on agenda (provider, due_at) where waiting');
    this.addSql(
      `create index agenda_admitted on agenda (provider, look_at) where kind in ('dispatch step', 'retry') and run is null and not waiting`,
    );
    this.addSql(`
      create table provider_gate (
        provider text collate "C" primary key,
        failures int not null default 0,
        down boolean not null default false,
        held_from timestamptz,
        held_ms int not null default 0,
        admitted_at timestamptz,
        trial_step text collate "C",
        last_tenant text collate "C" not null default ''
      ) with (fillfactor = 50)`);
    this.addFunctions();
  }

  /** In plpgsql, which keeps their plans for the session; a function in plain SQL is planned anew in each statement before PostgreSQL 18. */
  private addFunctions(): void {
    this.addSql(`
      create function left_of(begun timestamptz, length_ms int) returns int language sql volatile as $$
        select case when clock_timestamp() >= begun and clock_timestamp() < begun + length_ms * interval '1 millisecond'
          then ceil(extract(epoch from begun + length_ms * interval '1 millisecond' - clock_timestamp()) * 1000)::int else 0 end
      $$`);
    this.addSql(`
      create function admitted_to(wanted text, most int) returns int language plpgsql volatile as $$
      begin
        return (select count(*)::int from (
          select 1 from agenda where provider = wanted and kind in ('dispatch step', 'retry') and run is null and not waiting
            and look_at > statement_timestamp() limit most) as admitted);
      end
      $$`);
    // For a writer, who may not overtake those that wait.
    this.addSql(`
      create function room_of(wanted text, size int) returns int language plpgsql volatile as $$
      begin
        return case
          when exists (select 1 from provider_gate where provider = wanted and (down or left_of(held_from, held_ms) > 0)) then 0
          when exists (select 1 from agenda where provider = wanted and waiting and due_at <= statement_timestamp()) then 0
          else greatest(0, size - (select count(*)::int from (
            select 1 from agenda where provider = wanted and kind in ('dispatch step', 'retry') and run is null and not waiting
              and look_at > statement_timestamp() limit size) as admitted)) end;
      end
      $$`);
    // Lets go `most` at a time: looking for the next step goes past all that this transaction has let go.
    this.addSql(`
      create function admit_steps(wanted text, size int, pace_ms int, open_ms int, again_ms int, most int) returns jsonb language plpgsql volatile as $$
      declare
        gate provider_gate;
        is_waiting boolean := exists (select 1 from agenda where provider = wanted and waiting and due_at <= clock_timestamp());
        steps jsonb := '[]';
        room int := 0;
        held int;
        next_tenant text;
        misses int := 0;
        chosen record;
      begin
        if is_waiting then
          insert into provider_gate (provider) values (wanted) on conflict do nothing;
          select * into gate from provider_gate where provider = wanted for update;
          held := greatest(left_of(gate.held_from, gate.held_ms), left_of(gate.admitted_at, pace_ms));
          if held = 0 then
            room := case when gate.down then 1 else least(size - admitted_to(wanted, size), most) end;
            if pace_ms > 0 then room := least(room, 1); end if;
          end if;
          while room > 0 and misses < 2 loop
            select tenant_id into next_tenant from agenda
              where provider = wanted and waiting and tenant_id > gate.last_tenant and due_at <= clock_timestamp() order by tenant_id limit 1;
            if not found then
              -- Past the last tenant: the turn begins again.
              misses := misses + 1;
              gate.last_tenant := '';
              select tenant_id into next_tenant from agenda
                where provider = wanted and waiting and due_at <= clock_timestamp() order by tenant_id limit 1;
              exit when not found;
            end if;
            gate.last_tenant := next_tenant;
            select job_id, kind, ref, step_id into chosen from agenda
              where provider = wanted and waiting and tenant_id = next_tenant and due_at <= clock_timestamp()
              order by due_at limit 1 for update skip locked;
            continue when not found;
            update agenda set waiting = false, look_at = clock_timestamp() + again_ms * interval '1 millisecond'
              where job_id = chosen.job_id and kind = chosen.kind and ref = chosen.ref;
            steps := steps || jsonb_build_object('jobId', chosen.job_id, 'stepId', chosen.step_id);
            room := room - 1;
            misses := 0;
          end loop;
          if steps <> '[]' then
            if gate.down then
              -- The one step that tries the provider; the next one may when this one's time is over.
              gate.trial_step := chosen.step_id;
              gate.held_from := clock_timestamp();
              gate.held_ms := open_ms;
            end if;
            gate.admitted_at := clock_timestamp();
            update provider_gate set trial_step = gate.trial_step, held_from = gate.held_from, held_ms = gate.held_ms,
              admitted_at = gate.admitted_at, last_tenant = gate.last_tenant where provider = wanted;
          end if;
          is_waiting := exists (select 1 from agenda where provider = wanted and waiting and due_at <= clock_timestamp());
        else
          select * into gate from provider_gate where provider = wanted;
        end if;
        return jsonb_build_object('steps', steps, 'waiting', is_waiting, 'down', coalesce(gate.down, false),
          'failures', coalesce(gate.failures, 0), 'heldMs', coalesce(left_of(gate.held_from, gate.held_ms), 0),
          'nextMs', coalesce(greatest(left_of(gate.held_from, gate.held_ms), left_of(gate.admitted_at, pace_ms)), 0));
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
