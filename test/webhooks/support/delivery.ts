import { pino } from 'pino';
import type { WebhookEventType } from '@lib/domain/webhook';
import type { StoredDelivery } from '@lib/store/webhooks/deliveries';
import type { Store } from '@lib/store/store';
import { Deliverer, DELIVERY_SETTINGS, type DeliverySettings } from '../../../src/webhooks/deliverer';
import type { Resolve } from '../../../src/webhooks/guarded-connector';
import { Sender } from '../../../src/webhooks/sender';
import { eventually } from '../../messaging/eventually';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../../support/store';

const EVERYTHING: WebhookEventType[] = ['job.completed', 'job.failed', 'job.cancelled', 'thread.deleted'];

interface Options extends Partial<DeliverySettings> {
  loopback?: boolean;
  timeoutMs?: number;
  resolve?: Resolve;
}

/** Webhooks on a database of their own, delivered to as fast as the test can look. */
export class Delivery {
  readonly logged: Record<string, unknown>[] = [];
  private readonly deliverers: Deliverer[] = [];

  private constructor(readonly test: TestStore) {}

  static async start(): Promise<Delivery> {
    const test = await createTestStore();
    const delivery = new Delivery(test);
    await delivery.addTenant(TENANT);
    return delivery;
  }

  get store(): Store {
    return this.test.store;
  }

  /** Another process that delivers, as far as the database can tell. */
  deliver({ loopback = true, timeoutMs = 2_000, resolve, ...settings }: Options = {}): Deliverer {
    const sender = new Sender({ rules: { loopback }, timeoutMs, ...(resolve && { resolve }) });
    const logger = pino({ level: 'trace' }, { write: (line) => void this.logged.push(JSON.parse(line) as Record<string, unknown>) });
    const store = this.deliverers.length === 0 ? this.store : this.test.another();
    const deliverer = new Deliverer({ store, sender, settings: { ...DELIVERY_SETTINGS, lookMs: 10, ...settings }, logger });
    deliverer.start();
    this.deliverers.push(deliverer);
    return deliverer;
  }

  async addTenant(tenantId: string): Promise<void> {
    await this.store.pool.query('insert into tenant (id) values ($1)', [tenantId]);
  }

  /** @returns its id and secret */
  async webhook(url: string, { tenantId = TENANT, eventTypes = EVERYTHING } = {}): Promise<{ id: string; secret: string }> {
    const changes = await this.store.webhooks.changes();
    const id = await changes.create(tenantId, { url, description: '', eventTypes, enabled: true }, null);
    return { id, secret: (await this.store.webhooks.secret(tenantId, id, 1)).secret.text };
  }

  /** A job that is cancelled at once. */
  async cancelledJob(): Promise<{ threadId: string; jobId: string }> {
    const job = await createJob(this.store);
    await this.store.jobs.execute(job.jobId, { type: 'CancelJob' }, META);
    return job;
  }

  async deliveriesOf(webhookId: string, tenantId = TENANT): Promise<StoredDelivery[]> {
    return this.store.webhooks.deliveries(tenantId, webhookId, { before: null, limit: 1_000 });
  }

  /** Until the newest delivery has been attempted so often, and what came of it is recorded. */
  async attempted(webhookId: string, attempts: number): Promise<StoredDelivery> {
    const isRecorded = async () => {
      const [newest] = await this.deliveriesOf(webhookId);
      return newest?.attempts === attempts && (newest.error !== null || newest.endedAt !== null);
    };
    await eventually(true, isRecorded, 30_000);
    return (await this.deliveriesOf(webhookId))[0] as StoredDelivery;
  }

  /** The time until the next attempts passes. */
  async letTimePass(): Promise<void> {
    await this.store.pool.query('update webhook_delivery set due_at = clock_timestamp() where due_at > clock_timestamp()');
  }

  async close(): Promise<void> {
    await Promise.all(this.deliverers.map((deliverer) => deliverer.stop(0)));
    await this.test.close();
  }
}
