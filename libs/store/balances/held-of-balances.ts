import { FINAL_JOB_EVENTS } from '@lib/domain/job/events';
import { MICROS_PER_CENT } from '@lib/domain/money';

export const number = (value: string): string => `case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end`;

/**
 * The amounts that jobs held of balances and were charged, by their events alone: amounts are rounded up once, and nobody pays more than was held.
 * @param condition further conditions on the event `held`
 */
export const HELD_OF_BALANCES = (condition = ''): string => `held_of_balances as (
    select job_id, tenant_id, held, is_final, case when is_final then least(held, ceil(charged_micros / ${MICROS_PER_CENT})) end as charged from (
      select held.stream_id as job_id, first.facts ->> 'tenantId' as tenant_id, ${number("held.facts -> 'cents'")} as held,
        final.type is not null as is_final, ${number("final.facts -> 'chargedMicros'")} as charged_micros
      from event as held join event as first on first.stream_id = held.stream_id and first.version = 1
      left join event as final on final.stream_id = held.stream_id and final.type in (${FINAL_JOB_EVENTS.map((type) => `'${type}'`).join(', ')})
      where held.type = 'BalanceReserved' ${condition}) as of_jobs)`;
