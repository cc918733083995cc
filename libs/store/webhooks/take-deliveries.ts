/** The first waiting delivery of each webhook: one index lookup per webhook, however much is waiting. */
const firstOfEach = (which: string): string => `
  (select webhook_id, due_at from webhook_delivery where ${which} order by webhook_id, due_at limit 1)
  union all
  select later.webhook_id, later.due_at from waiting cross join lateral (
    select webhook_id, due_at from webhook_delivery where ${which} and webhook_id > waiting.webhook_id
    order by webhook_id, due_at limit 1) as later`;

/**
 * No waiting delivery was due before this time. A quarter of a minute is left for rows being written now: they are due when their transaction began,
 * which is not longer ago.
 */
export const FLOOR = {
  name: 'webhook_delivery_floor',
  text: `with recursive waiting as (${firstOfEach('due_at is not null')})
    select least(min(due_at), statement_timestamp()) - interval '15 seconds' as floor from waiting`,
};

/** Whether a delivery was taken before and nothing was recorded of it since. */
const UNSEEN = 'failures > 0 and response_status is null and error is null';
/**
 * Such a delivery may be what kills its processes. So it is left alone twice as long each time, up to 64 minutes. A random part, up to a quarter,
 * separates it from deliveries that were taken with it.
 */
const MAX_DOUBLINGS = 6;

/** A thread's key goes when the thread is deleted, what was to be told of its jobs only when its content is erased, soon after. */
const NOT_DELETED = '(job_id is null or exists (select from thread_key where thread_key.thread_id = webhook_delivery.thread_id))';

/**
 * Takes as many deliveries as a webhook and its tenant have room for. The rows come again when their lease is over. Nothing is sent to a disabled
 * webhook, so taking its deliveries is no attempt. A taking of which nothing was recorded (its answer was lost, say) is no failure either. Rows due
 * before the floor are not read: as long as some transaction is open, such as a backup's, the index keeps entries delivered since it began.
 */
export const TAKE = {
  name: 'webhook_delivery_take',
  text: `with recursive waiting as (${firstOfEach('due_at > $8::timestamptz')}),
    busy as materialized (select webhook_id, tenant_id from unnest($3::text[], $4::text[]) as given (webhook_id, tenant_id)),
    candidates as (
      select waiting.webhook_id, waiting.due_at, $2::int4 - (select count(*) from busy where busy.webhook_id = waiting.webhook_id) as room,
        $7::int4 - (select count(*) from busy where busy.tenant_id = webhook.tenant_id) as tenant_room,
        -- The tenant's webhooks before it may take as much as that.
        $2::int4 * (row_number() over (partition by webhook.tenant_id order by waiting.due_at, waiting.webhook_id) - 1) as before
      from waiting left join webhook on webhook.id = waiting.webhook_id
      where waiting.due_at <= statement_timestamp() and (webhook.failing_since is not null) = $5::bool
        and $2::int4 > (select count(*) from busy where busy.webhook_id = waiting.webhook_id)),
    turns as (
      select webhook_id, least(room, tenant_room - before) as room from candidates where tenant_room > before order by due_at limit $1::int4),
    taken as materialized (
      select due.webhook_id, due.event_id from turns cross join lateral (
        select webhook_id, event_id from webhook_delivery
        where webhook_delivery.webhook_id = turns.webhook_id and due_at <= statement_timestamp() and due_at > $8::timestamptz
          and ${NOT_DELETED}
        order by due_at limit turns.room for update skip locked) as due limit $1::int4)
    update webhook_delivery set attempts = attempts + case when webhook.enabled then 1 else 0 end,
        failures = failures + case when ${UNSEEN} then 0 else 1 end,
        unseen = case when ${UNSEEN} then unseen + 1 else 0 end,
        attempted_at = case when webhook.enabled then clock_timestamp() else attempted_at end, response_status = null, error = null,
        due_at = clock_timestamp() + $6::int4 * case when ${UNSEEN} then power(2, least(unseen + 1, ${MAX_DOUBLINGS})) * (1 + random() / 4) else 1 end * interval '1 millisecond'
      from taken left join webhook on webhook.id = taken.webhook_id
      where webhook_delivery.webhook_id = taken.webhook_id and webhook_delivery.event_id = taken.event_id
      returning webhook_delivery.webhook_id as "webhookId", webhook_delivery.event_id as "eventId", type, thread_id as "threadId",
        job_id as "jobId", occurred_at as "occurredAt", attempts, failures, unseen,
        coalesce(attempted_at, clock_timestamp()) as "attemptedAt", webhook.tenant_id as "tenantId",
        coalesce(webhook.enabled, false) as enabled, webhook.failing_since is not null as "isFailing", webhook.sealed`,
};
