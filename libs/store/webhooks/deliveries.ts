import type { Pool, QueryConfig } from 'pg';
import { MAX_FAILING_MS, type DeliveryError, type DeliveryStatus, type DeliveryType } from '@lib/domain/webhook';
import { textArray } from '../postgres/array-parameter';
import { withStoreErrors } from '../postgres/store-unavailable';
import type { KeyRing } from '../sealing/key-ring';
import { DISABLE, ENABLED, END, FAILED, RETRY, SUCCEEDED } from './end-deliveries';
import { openWebhook, type SealedWebhook } from './sealed-webhook';
import { FLOOR, TAKE } from './take-deliveries';

/** The body of a delivery: ids and a type, never content. */
export interface WebhookEvent {
  /** The event's id in the history: the same for every webhook and every attempt. */
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
  /** With `failures` it identifies this taking of the delivery: if another process has taken it since, this one changes nothing. */
  attempts: number;
  /** Attempts of this round that failed, and this one. */
  failures: number;
  /** How often in a row it was taken before and nothing was recorded of it. */
  unseen: number;
  /** When it was taken to be sent, by the database's clock, since that of this process may be wrong. */
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

const FLOOR_MS = 5_000;
/** Errors of our own, which do not count against the receiver. */
const NOT_THE_RECEIVERS: ReadonlySet<DeliveryError> = new Set(['name_not_resolved', 'not_called', 'corrupt_content']);

const REMOVE = {
  name: 'webhook_delivery_remove',
  text: `delete from webhook_delivery where (webhook_id, event_id) in (
    select webhook_id, event_id from webhook_delivery where webhook_id = $1 limit $2::int4 for update skip locked)`,
};
const REMOVE_ENDED = {
  name: 'webhook_delivery_remove_ended',
  text: `delete from webhook_delivery where (webhook_id, event_id) in (
    select webhook_id, event_id from webhook_delivery
    where webhook_id = $1 and ended_at is not null and exists (select from webhook where id = $1 and tenant_id = $2)
    limit $3::int4 for update skip locked)`,
};
/** Deliveries removed together, few enough not to disturb other writers. */
const PIECE = 500;

const REMOVE_OLD = {
  name: 'webhook_delivery_remove_old',
  text: `delete from webhook_delivery where (webhook_id, event_id) in (
    select webhook_id, event_id from webhook_delivery where ended_at <= statement_timestamp() - $2::int4 * interval '1 hour'
    order by ended_at limit $1::int4 for update skip locked)`,
};

/** The deliveries to webhooks. Any number of processes may take them; all times are the database's. */
export class Deliveries {
  private floor: Date | null = null;
  private floorAt = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly ring: KeyRing,
  ) {}

  async take({ free, perWebhook, perTenant, failing, underWay, leaseMs }: Room): Promise<TakenDelivery[]> {
    const floor = await this.floorOf();
    const busy = [textArray(underWay.map(({ webhookId }) => webhookId)), textArray(underWay.map(({ tenantId }) => tenantId))];
    return (await this.query<TakenDelivery>({ ...TAKE, values: [free, perWebhook, ...busy, failing, leaseMs, perTenant, floor] })).rows;
  }

  /** Read again every few seconds. Until then it can only be too high for deliveries made due by a clock that was set back. */
  private async floorOf(): Promise<Date> {
    if (this.floor && performance.now() - this.floorAt < FLOOR_MS) return this.floor;
    this.floorAt = performance.now();
    const [row] = (await this.query<{ floor: Date }>({ ...FLOOR, values: [] })).rows;
    return (this.floor = row?.floor ?? new Date(0));
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
   * A failure that says nothing of the receiver does not count against its webhook. A receiver that is gone is asked no more, unless its webhook was
   * changed during the attempt.
   * @param retryInMs null if it was the last attempt
   * @returns why the webhook was disabled for it, if it was
   */
  async failed(taken: TakenDelivery, attempted: Attempted, retryInMs: number | null): Promise<'gone' | 'failing' | null> {
    const { webhookId, isFailing, sealed } = taken;
    const { error } = attempted;
    if (error === 'gone') return this.gone(taken, attempted, retryInMs);
    await this.endOrRetry(taken, attempted, retryInMs);
    if (error !== null && NOT_THE_RECEIVERS.has(error)) return null;
    if (!isFailing) await this.query({ ...FAILED, values: [webhookId, sealed] });
    // A week may have passed since the last event: only an event whose every attempt failed shows that the receiver is still away.
    if (!isFailing || retryInMs !== null) return null;
    return (await this.disable(taken, 'failing')) ? 'failing' : null;
  }

  private async gone(taken: TakenDelivery, attempted: Attempted, retryInMs: number | null): Promise<'gone' | null> {
    if (!taken.isFailing) await this.query({ ...FAILED, values: [taken.webhookId, taken.sealed] });
    // Before the delivery ends: whoever changes the webhook in between still gets it.
    const disabled = await this.disable(taken, 'gone');
    const isEnabled = !disabled && (await this.query({ ...ENABLED, values: [taken.webhookId] })).rowCount === 1;
    await this.endOrRetry(taken, attempted, isEnabled ? retryInMs : null);
    return disabled ? 'gone' : null;
  }

  private async disable({ webhookId, sealed }: TakenDelivery, reason: 'gone' | 'failing'): Promise<boolean> {
    return (await this.query({ ...DISABLE, values: [webhookId, reason, MAX_FAILING_MS, sealed] })).rowCount === 1;
  }

  private async endOrRetry(taken: TakenDelivery, attempted: Attempted, retryInMs: number | null): Promise<void> {
    const { webhookId, eventId, attempts, failures } = taken;
    const { responseStatus, error } = attempted;
    if (retryInMs === null) await this.end(taken, 'failed', attempted);
    else await this.query({ ...RETRY, values: [webhookId, eventId, attempts, failures, retryInMs, responseStatus, error] });
  }

  /** Ends a delivery that cannot be attempted; this does not count as a failure of the webhook. */
  async end({ webhookId, eventId, attempts, failures }: TakenDelivery, status: DeliveryStatus, attempted: Attempted): Promise<void> {
    await this.query({ ...END, values: [webhookId, eventId, attempts, failures, status, attempted.responseStatus, attempted.error] });
  }

  /** Removes the deliveries of a webhook that was removed, piece by piece. */
  async removeOf(webhookId: string): Promise<void> {
    await this.inPieces((piece) => ({ ...REMOVE, values: [webhookId, piece] }));
  }

  /** Removes the deliveries of a webhook that have ended, piece by piece. */
  async removeEnded({ tenantId, id }: { tenantId: string; id: string }): Promise<void> {
    await this.inPieces((piece) => ({ ...REMOVE_ENDED, values: [id, tenantId, piece] }));
  }

  /** Removes deliveries that ended long enough ago, piece by piece, until none is left or the signal aborts. */
  async removeOld(ageHours: number, stopped?: AbortSignal): Promise<void> {
    await this.inPieces((piece) => ({ ...REMOVE_OLD, values: [piece, ageHours] }), stopped);
  }

  private async inPieces(statement: (piece: number) => QueryConfig, stopped?: AbortSignal): Promise<void> {
    for (let removed = PIECE; removed === PIECE && !stopped?.aborted;) removed = (await this.query(statement(PIECE))).rowCount ?? 0;
  }

  private query<Row extends object>(statement: QueryConfig) {
    return withStoreErrors(() => this.pool.query<Row>(statement));
  }
}
