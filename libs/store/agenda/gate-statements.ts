import { HOUR_MS } from '@lib/domain/durations';

/**
 * Whether the provider is down for those of this gate, in SQL. A tenant's gate counts for an hour after its last failure, because a build that does
 * not know these gates never ends them. `admit_steps` must judge by the same rule: otherwise a step would wait that nobody admits.
 */
export function isDown(gate: string): string {
  return `(${gate}.down and (position('/' in ${gate}.provider) = 0 or left_of(${gate}.held_from, ${HOUR_MS}) > 0))`;
}

/**
 * The state of each provider, in `provider_gate`: a row for all tenants, and one for each tenant whose steps have failed there since its last answer.
 */
const GATE = `failures, ${isDown('gate')} as down, left_of(held_from, held_ms) as "heldMs"`;

/** For each provider the gate that is down, if any: among the one for all and that of this tenant or, without a tenant, of any. */
export const GATES = {
  name: 'gates',
  text: `select distinct on (1) split_part(provider, '/', 1) as provider, ${GATE} from provider_gate gate
    where $1::text is null or split_part(provider, '/', 2) in ('', $1) order by 1, 3 desc, gate.provider`,
};

export const GATES_OF_TENANTS = {
  name: 'gates_of_tenants',
  text: `select provider as name, ${GATE} from provider_gate gate where position('/' in provider) > 0 and ${isDown('gate')}`,
};

/** For a tenant's gate, only if another tenant has one too. */
const IS_DOWN = `gate.failures + 1 >= $2::int4
        and ($4::text is null or exists (select from provider_gate other where other.provider like $1::text || '/%' and other.provider <> $4))`;
/** A longer hold stays, because the provider asked for time or an operator drains it. */
const GOES_DOWN = `${IS_DOWN} and left_of(gate.held_from, gate.held_ms) < $3::int4`;

export const RECORD_FAILURE = {
  name: 'gate_record_failure',
  text: `insert into provider_gate as gate (provider, failures, down, held_from, held_ms)
    values ($1::text, 1, $4::text is null and 1 >= $2::int4, clock_timestamp(), case when $4::text is null and 1 >= $2::int4 then $3::int4 else 0 end)
    on conflict (provider) do update set failures = gate.failures + 1, trial_step = null, down = ${IS_DOWN},
      held_from = case when ${GOES_DOWN} then clock_timestamp() else gate.held_from end,
      held_ms = case when ${GOES_DOWN} then $3::int4 else gate.held_ms end
    returning ${GATE}`,
};

/**
 * Deletes the gates of tenants, which only record failures. So there are few, and reading all of them is fast. A hold longer than the pause of a
 * provider that is down stays, as in `GOES_DOWN`.
 */
export const RECORD_ANSWER = {
  name: 'gate_record_answer',
  text: `with locked as materialized (
      select provider from provider_gate where provider = $1::text or provider like $1::text || '/%' order by provider for update),
    removed as (delete from provider_gate gate using locked where gate.provider = locked.provider and gate.provider <> $1::text)
    update provider_gate gate set failures = 0, down = false, trial_step = null,
        held_ms = case when gate.down and left_of(gate.held_from, gate.held_ms) <= $2::int4 then 0 else gate.held_ms end
      from locked where gate.provider = locked.provider and gate.provider = $1::text
      returning ${GATE}`,
};

export const HOLD = {
  name: 'gate_hold',
  text: `insert into provider_gate as gate (provider, held_from, held_ms) values ($1, clock_timestamp(), $2::int4)
    on conflict (provider) do update set held_from = excluded.held_from, held_ms = excluded.held_ms
      where left_of(gate.held_from, gate.held_ms) < excluded.held_ms
    returning ${GATE}`,
};

export const RELEASE = { name: 'gate_release', text: 'update provider_gate set held_ms = 0 where provider = $1' };
