import type { Pool } from 'pg';
import type { AgendaKind } from '@lib/domain/job/agenda';
import type { ProviderId } from '@lib/domain/vocabulary';
import { isDown } from '../agenda/gate-statements';

/** How many rows the agenda has of one kind and provider, over all tenants. */
export interface WorkCount {
  kind: AgendaKind;
  /** Empty if no provider is involved. */
  provider: string;
  entries: number;
  /** Due for more than a minute. */
  overdue: number;
  /** For how long the oldest has been due; negative if none is due yet. */
  oldestSeconds: number;
}

const COUNT = {
  name: 'agenda_count',
  text: `select kind, coalesce(provider, '') as provider, count(*)::int as entries,
      count(*) filter (where due_at < statement_timestamp() - interval '1 minute')::int as overdue,
      coalesce(extract(epoch from statement_timestamp() - min(due_at)), 0)::float8 as "oldestSeconds"
    from agenda group by kind, provider`,
};

/** As for `admit_steps`: without the gates of tenants, which hold back only their own steps. */
const HELD = {
  name: 'providers_held',
  text: `select provider from provider_gate gate
    where position('/' in provider) = 0 and (${isDown('gate')} or left_of(held_from, held_ms) > 0)`,
};

/** The newest checkpoint of the log that was opened last, since the clocks of processes may differ. It ages while an event is missing from it. */
const NEWEST_CHECKPOINT = {
  name: 'checkpoint_age',
  text: `
    with newest_event as (
        select stream_id, version from event order by position desc limit 1),
      newest_checkpoint as (
        select newest.size, newest.signed_at from log_origin
          cross join lateral (select size, signed_at from checkpoint where checkpoint.origin = log_origin.origin order by size desc limit 1) as newest
          order by log_origin.number desc limit 1)
    select case
        when not exists (select from newest_event) or exists (
          select from newest_event join log_entry on log_entry.stream_id = newest_event.stream_id and log_entry.version = newest_event.version
            where log_entry.index < newest_checkpoint.size)
        then 0 else extract(epoch from statement_timestamp() - signed_at)::float8 end as age
      from newest_checkpoint`,
};

/** The oldest event after the last one that the log has. A slow transaction may still commit an older one. */
const LOG_LAG = {
  name: 'log_lag',
  text: `
    with newest_entry as (
        select event.position from (select stream_id, version from log_entry order by index desc limit 1) as entry
          join event on event.stream_id = entry.stream_id and event.version = entry.version)
    select coalesce((
        select greatest(0, extract(epoch from statement_timestamp() - (event.meta ->> 'occurredAt')::timestamptz)::float8)
          from event where event.position > newest_entry.position order by event.position limit 1), 0) as lag
      from newest_entry`,
};

/** Deliveries to webhooks over all tenants. */
export interface DeliveryCount {
  /** Now, those that a process has in hand included. */
  due: number;
  /** Due later: nearly all of them are tried again. */
  later: number;
  oldestSeconds: number;
  /** Webhooks to which nothing is delivered. */
  disabled: number;
}

const DELIVERIES = {
  name: 'delivery_count',
  text: `select count(*) filter (where due_at <= statement_timestamp())::int as due,
      count(*) filter (where due_at > statement_timestamp())::int as later,
      greatest(0, coalesce(extract(epoch from statement_timestamp() - min(due_at)), 0))::float8 as "oldestSeconds",
      (select count(*)::int from webhook where not enabled) as disabled
    from webhook_delivery where due_at is not null`,
};

export const countDeliveries = async (pool: Pool): Promise<DeliveryCount> =>
  (await pool.query<DeliveryCount>(DELIVERIES)).rows[0] as DeliveryCount;

/** For how long the oldest event has been waiting for its place in the log, in seconds; null without a log. */
export async function logLag(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ lag: number }>(LOG_LAG);
  return rows[0]?.lag ?? null;
}

/** The waiting and the running work: the agenda holds a row for each. */
export const countWork = async (pool: Pool): Promise<WorkCount[]> => (await pool.query<WorkCount>(COUNT)).rows;

/** The providers that are sent no steps, whoever asks, but one that tries a provider that is down: drained, down, or on a pause that they asked for. */
export const heldProviders = async (pool: Pool): Promise<ProviderId[]> =>
  (await pool.query<{ provider: ProviderId }>(HELD)).rows.map(({ provider }) => provider);

/** The age of the newest signed checkpoint, in seconds: 0 while it has the newest event, null if there is none. */
export async function checkpointAge(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ age: number | null }>(NEWEST_CHECKPOINT);
  return rows[0]?.age ?? null;
}
