import { Migration } from '@mikro-orm/migrations';

/**
 * A provider may be down for one tenant: `provider_gate` then has a row of the name that libs/store/agenda/tenant-gate.ts makes. Steps of that tenant wait, but
 * for one in `open_ms` that tries the provider, and those of others are let go. A build of the release before knows no such rows: it neither makes nor ends
 * any. So one counts for an hour after the last failure, in case such a build has taken over meanwhile.
 */
export class Migration20261128003000_gates_of_tenants extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function admit_steps(wanted text, size int, pace_ms int, open_ms int, again_ms int, most int) returns jsonb language plpgsql volatile as $$
      declare
        gate provider_gate;
        own provider_gate;
        is_down_for_some boolean;
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
          is_down_for_some := exists (select 1 from provider_gate where provider like wanted || '/%' and down);
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
            own := null;
            if is_down_for_some then
              select * into own from provider_gate
                where provider = wanted || '/' || left(encode(sha256(convert_to(next_tenant, 'UTF8')), 'hex'), 16) and down and left_of(held_from, 3600000) > 0;
              continue when greatest(left_of(own.held_from, own.held_ms), left_of(own.admitted_at, open_ms)) > 0;
            end if;
            select job_id, kind, ref, step_id into chosen from agenda
              where provider = wanted and waiting and tenant_id = next_tenant and due_at <= clock_timestamp()
              order by due_at limit 1 for update skip locked;
            continue when not found;
            update agenda set waiting = false, look_at = clock_timestamp() + again_ms * interval '1 millisecond'
              where job_id = chosen.job_id and kind = chosen.kind and ref = chosen.ref;
            if own.provider is not null then
              -- The one step of this tenant that tries the provider.
              update provider_gate set trial_step = chosen.step_id, admitted_at = clock_timestamp() where provider = own.provider;
            end if;
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
