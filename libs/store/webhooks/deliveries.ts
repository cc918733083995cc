import type { Pool } from 'pg';
import { MAX_FAILING_MS, type DeliveryError, type DeliveryStatus, type DeliveryType } from '@lib/domain/webhook';
import { textArray } from '../postgres/array-parameter';
import { withStoreErrors } from '../postgres/store-unavailable';
import type { KeyRing } from '../sealing/key-ring';
import { openWebhook, type SealedWebhook } from './sealed-webhook';

/** What a delivery sends: ids and a type, never content. */
export interface WebhookEvent {
  /** The event's id in the history: the same for every webhook that is told, and for every attempt. */
  eventId: string;
  type: DeliveryType;
  threadId: string | null;
  jobId: string | null;
  occurredAt: Date;
}

/** A delivery as it stands. */
export interface StoredDelivery extends WebhookEvent {
  status: DeliveryStatus;
  attempts: number;
  dueAt: Date | null;
  attemptedAt: Date | null;
  responseStatus: number | null;
  error: DeliveryError | null;
  endedAt: Date | null;
}

/** A delivery that this process may attempt, until its lease is over. */
export interface TakenDelivery extends WebhookEvent {
  webhookId: string;
  /** Identifies this taking of the delivery: if another process has taken it since, this one changes nothing. */
  attempts: number;
  /** Attempts of this round that failed or were not seen to their end, this one included. */
  failures: number;
  /** When it was taken, by the database's clock, since that of this process may be wrong. */
  attemptedAt: Date;
  /** Null if the webhook was removed. */
  tenantId: string | null;
  enabled: boolean;
  isFailing: boolean;
  sealed: Buffer;
}

export interface Attempted {
  responseStatus: number | null;
  /** Null if it was delivered. */
  error: DeliveryError | null;
  /** How long the receiver asks to be left alone; undefined if it does not say. */
  askedMs?: number | undefined;
}

interface Room {
  /** Deliveries to take at most. */
  free: number;
  /** Deliveries of one webhook, and of one tenant, that may be under way. */
  perWebhook: number;
  perTenant: number;
  /** Whether to take deliveries of webhooks that fail at the moment, or those of the others. */
  failing: boolean;
  underWay: readonly Pick<TakenDelivery, 'webhookId' | 'tenantId'>[];
  leaseMs: number;
}

const EVENT = 'event_id as "eventId", type, thread_id as "threadId", job_id as "jobId", occurred_at as "occurredAt"';
export const DELIVERY_COLUMNS = `${EVENT}, status, attempts, due_at as "dueAt", attempted_at as "attemptedAt", response_status as "responseStatus",
  error, ended_at as "endedAt"`;

/**
 * Takes one step in the index to each webhook with something to deliver, however much waits for it, and takes as many deliveries as the
 * webhook and its tenant have room for. The rows come again when their lease is over.
 */
const TAKE = {
  name: 'webhook_delivery_take',
  text: `with recursive waiting as (
      (select webhook_id, due_at from webhook_delivery where due_at is not null order by webhook_id, due_at limit 1)
      union all
      select later.webhook_id, later.due_at from waiting cross join lateral (
        select webhook_id, due_at from webhook_delivery where due_at is not null and webhook_id > waiting.webhook_id
        order by webhook_id, due_at limit 1) as later),
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
        where webhook_delivery.webhook_id = turns.webhook_id and due_at <= statement_timestamp()
        order by due_at limit turns.room for update skip locked) as due limit $1::int4)
    update webhook_delivery set attempts = attempts + 1, failures = failures + 1, attempted_at = clock_timestamp(), response_status = null, error = null,
        due_at = clock_timestamp() + $6::int4 * interval '1 millisecond'
      from taken left join webhook on webhook.id = taken.webhook_id
      where webhook_delivery.webhook_id = taken.webhook_id and webhook_delivery.event_id = taken.event_id
      returning webhook_delivery.webhook_id as "webhookId", webhook_delivery.event_id as "eventId", type, thread_id as "threadId",
        job_id as "jobId", occurred_at as "occurredAt", attempts, failures,
        attempted_at as "attemptedAt", webhook.tenant_id as "tenantId",
        coalesce(webhook.enabled, false) as enabled, webhook.failing_since is not null as "isFailing", webhook.sealed`,
};

/**
 * Only if it is still the delivery that was taken: a client who asks for the event again sets `failures` to 0, and then this attempt
 * changes nothing.
 */
const END = {
  name: 'webhook_delivery_end',
  text: `update webhook_delivery set status = $5, response_status = $6, error = $7, due_at = null, ended_at = clock_timestamp()
    where webhook_id = $1 and event_id = $2 and attempts = $3::int4 and failures = $4::int4 and (status = 'pending' or $5 = 'delivered')`,
};

const RETRY = {
  name: 'webhook_delivery_retry',
  text: `update webhook_delivery set response_status = $6, error = $7, due_at = clock_timestamp() + $5::int4 * interval '1 millisecond'
    where webhook_id = $1 and event_id = $2 and attempts = $3::int4 and failures = $4::int4 and status = 'pending'`,
};

const REMOVE = {
  name: 'webhook_delivery_remove',
  text: `delete from webhook_delivery where (webhook_id, event_id) in (
    select webhook_id, event_id from webhook_delivery where webhook_id = $1 limit $2::int4 for update skip locked)`,
};
/** Deliveries that are removed together: so few that others who write meanwhile do not notice. */
const PIECE = 500;

const SUCCEEDED = {
  name: 'webhook_succeeded',
  text: 'update webhook set failing_since = null where id = $1 and failing_since is not null',
};
/** Both only if the webhook is unchanged since the delivery was taken: how the old URL answered says nothing of a new one. */
const FAILED = {
  name: 'webhook_failed',
  text: 'update webhook set failing_since = clock_timestamp() where id = $1 and sealed = $2 and failing_since is null',
};

const DISABLE = {
  name: 'webhook_disable',
  text: `update webhook set enabled = false, disabled_reason = $2, disabled_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = $1 and sealed = $4 and enabled
      and ($2 = 'gone' or failing_since <= statement_timestamp() - $3::int4 * interval '1 millisecond')`,
};

const REMOVE_OLD = {
  name: 'webhook_delivery_remove_old',
  text: `delete from webhook_delivery where (webhook_id, event_id) in (
    select webhook_id, event_id from webhook_delivery where ended_at <= statement_timestamp() - $2::int4 * interval '1 hour'
    order by ended_at limit $1::int4 for update skip locked)`,
};

/** The deliveries to webhooks. Any number of processes may take them; all times are the database's. */
export class Deliveries {
  constructor(
    private readonly pool: Pool,
    private readonly ring: KeyRing,
  ) {}

  async take({ free, perWebhook, perTenant, failing, underWay, leaseMs }: Room): Promise<TakenDelivery[]> {
    const busy = [textArray(underWay.map(({ webhookId }) => webhookId)), textArray(underWay.map(({ tenantId }) => tenantId))];
    return (await this.query<TakenDelivery>({ ...TAKE, values: [free, perWebhook, ...busy, failing, leaseMs, perTenant] })).rows;
  }

  /** @throws Unsealable if the webhook cannot be opened */
  open({ webhookId, tenantId, sealed }: TakenDelivery): SealedWebhook {
    return openWebhook(this.ring, { id: webhookId, tenantId: tenantId ?? '' }, sealed);
  }

  async delivered(taken: TakenDelivery, attempted: Attempted): Promise<void> {
    await this.end(taken, 'delivered', attempted);
    // Even if the webhook did not fail when this was taken: another attempt may have failed since.
    await this.query({ ...SUCCEEDED, values: [taken.webhookId] });
  }

  /**
   * A failure that says nothing of the receiver does not count against its webhook.
   * @param retryInMs null if it was the last attempt
   * @returns why the webhook was disabled for it, if it was
   */
  async failed(taken: TakenDelivery, attempted: Attempted, retryInMs: number | null): Promise<'gone' | 'failing' | null> {
    const { webhookId, eventId, attempts, failures, isFailing, sealed } = taken;
    const { responseStatus, error } = attempted;
    if (retryInMs === null) await this.end(taken, 'failed', attempted);
    else await this.query({ ...RETRY, values: [webhookId, eventId, attempts, failures, retryInMs, responseStatus, error] });
    if (error === 'name_not_resolved') return null;
    const reason = error === 'gone' ? 'gone' : 'failing';
    if (!isFailing) await this.query({ ...FAILED, values: [webhookId, sealed] });
    if (!isFailing && reason === 'failing') return null;
    const { rowCount } = await this.query({ ...DISABLE, values: [webhookId, reason, MAX_FAILING_MS, sealed] });
    return rowCount === 1 ? reason : null;
  }

  /** Ends what cannot be attempted; the webhook does not count as failing for it. */
  async end({ webhookId, eventId, attempts, failures }: TakenDelivery, status: DeliveryStatus, attempted: Attempted): Promise<void> {
    await this.query({ ...END, values: [webhookId, eventId, attempts, failures, status, attempted.responseStatus, attempted.error] });
  }

  /** Removes the deliveries of a webhook that was removed, piece by piece. */
  async removeOf(webhookId: string): Promise<void> {
    for (let removed = PIECE; removed === PIECE;) removed = (await this.query({ ...REMOVE, values: [webhookId, PIECE] })).rowCount ?? 0;
  }

  /** Removes deliveries that ended so long ago, piece by piece. */
  async removeOld(ageHours: number): Promise<void> {
    for (let removed = PIECE; removed === PIECE;) removed = (await this.query({ ...REMOVE_OLD, values: [PIECE, ageHours] })).rowCount ?? 0;
  }

  private query<Row extends object>(statement: { name: string; text: string; values: unknown[] }) {
    return withStoreErrors(() => this.pool.query<Row>(statement));
  }
}
