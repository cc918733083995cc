import type { Pool } from 'pg';
import { loadOnce } from '@lib/batching/load-once';
import { DomainError } from '@lib/domain/errors';
import type { DisabledReason, WebhookEventType } from '@lib/domain/webhook';
import { rowsOf } from '../postgres/rows-of';
import type { KeyRing } from '../sealing/key-ring';
import { openedRows, type OpenedRows } from '../sealing/opened-rows';
import { deliveryNotFound, webhookNotFound } from './not-found';
import { DELIVERY_COLUMNS, type StoredDelivery } from './deliveries';
import { liveSecrets, openWebhook, type SealedWebhook, type WebhookSecret } from './sealed-webhook';
import type { WebhookChanges } from './webhook-changes';

/** A webhook of a tenant, opened, with those of its secrets that are in force by the clock of the database: it is signed by that. */
export interface StoredWebhook extends SealedWebhook {
  id: string;
  eventTypes: WebhookEventType[];
  enabled: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

type Row = Omit<StoredWebhook, keyof SealedWebhook> & { sealed: Buffer; readAt: Date };

const COLUMNS = `id, event_types as "eventTypes", enabled, disabled_reason as "disabledReason", disabled_at as "disabledAt",
  failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt", sealed, clock_timestamp() as "readAt"`;
const GET = { name: 'webhook', text: `select ${COLUMNS} from webhook where tenant_id = $1 and id = $2` };
const EXISTS = { name: 'webhook_exists', text: 'select id from webhook where tenant_id = $1 and id = $2' };
const LIST = { name: 'webhooks', text: `select ${COLUMNS} from webhook where tenant_id = $1 order by id` };
const LIST_DELIVERIES = {
  name: 'webhook_deliveries',
  text: `select ${DELIVERY_COLUMNS} from webhook_delivery where webhook_id = $1 and event_id < $2 order by event_id desc limit $3::int4`,
};
const GET_DELIVERY = {
  name: 'webhook_delivery',
  text: `select ${DELIVERY_COLUMNS} from webhook_delivery where webhook_id = $1 and event_id = $2`,
};
/** Sorts behind every event's identifier in any collation. (Signs such as ~ would not: most collations put them before letters.) */
const NEWEST = `evt_${'z'.repeat(26)}`;

/** Reads the webhooks of tenants. Their changes are loaded with the ORM on first use. */
export class Webhooks {
  /** A single instance per process, since changes wait for each other. */
  readonly changes: () => Promise<WebhookChanges>;

  constructor(
    private readonly pool: Pool,
    private readonly ring: KeyRing,
  ) {
    this.changes = loadOnce(() => import('./webhook-changes.ts').then(({ WebhookChanges }) => new WebhookChanges(pool, ring)));
  }

  /** Oldest first, with the number of those that cannot be opened. */
  async list(tenantId: string): Promise<OpenedRows<StoredWebhook>> {
    const rows = await rowsOf<Row>(this.pool, { ...LIST, values: [tenantId] });
    return openedRows(
      rows,
      async (row) => this.opened(row, tenantId),
      (_, webhook) => webhook,
    );
  }

  /** @throws DomainError webhook_not_found */
  async get(tenantId: string, id: string): Promise<StoredWebhook> {
    const [row] = await rowsOf<Row>(this.pool, { ...GET, values: [tenantId, id] });
    if (!row) throw webhookNotFound(id);
    return this.opened(row, tenantId);
  }

  /**
   * The secret that a request made, for a client that repeats the request.
   * @throws DomainError conflict if it is no longer in force
   */
  async secret(tenantId: string, id: string, number: number): Promise<{ webhook: StoredWebhook; secret: WebhookSecret }> {
    const webhook = await this.get(tenantId, id);
    const secret = webhook.secrets.find((one) => one.number === number);
    if (!secret) throw new DomainError('conflict', `The secret that the request made was replaced since, and is in force no more.`);
    return { webhook, secret };
  }

  /**
   * Newest first.
   * @param before the last one of the page before
   * @throws DomainError webhook_not_found
   */
  async deliveries(tenantId: string, id: string, { before, limit }: { before: string | null; limit: number }): Promise<StoredDelivery[]> {
    await this.exists(tenantId, id);
    return rowsOf<StoredDelivery>(this.pool, { ...LIST_DELIVERIES, values: [id, before ?? NEWEST, limit] });
  }

  /** @throws DomainError delivery_not_found or webhook_not_found */
  async delivery(tenantId: string, id: string, eventId: string): Promise<StoredDelivery> {
    await this.exists(tenantId, id);
    const [delivery] = await rowsOf<StoredDelivery>(this.pool, { ...GET_DELIVERY, values: [id, eventId] });
    if (!delivery) throw deliveryNotFound(id, eventId);
    return delivery;
  }

  /** Deliveries hold nothing sealed, so they are shown also of a webhook that cannot be opened. */
  private async exists(tenantId: string, id: string): Promise<void> {
    if ((await rowsOf(this.pool, { ...EXISTS, values: [tenantId, id] })).length === 0) throw webhookNotFound(id);
  }

  private opened({ sealed, readAt, ...row }: Row, tenantId: string): StoredWebhook {
    const webhook = openWebhook(this.ring, { id: row.id, tenantId }, sealed);
    return { ...row, ...webhook, secrets: liveSecrets(webhook.secrets, readAt) };
  }
}
