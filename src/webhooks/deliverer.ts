import type { Logger } from 'pino';
import { MAX_UNSEEN, retryDelayMs } from '@lib/domain/webhook';
import { Repeats } from '@lib/memory/repeats';
import { Unsealable } from '@lib/store/sealing/seal';
import type { Store } from '@lib/store/store';
import type { TakenDelivery } from '@lib/store/webhooks/deliveries';
import type { SealedWebhook } from '@lib/store/webhooks/sealed-webhook';
import { killPoint } from '../runtime/kill-point';
import { startRounds } from '../runtime/rounds';
import { ToldFailures } from '../runtime/told-failures';
import type { TraceDelivery } from '../telemetry/delivery-spans';
import type { Metrics } from '../telemetry/metrics';
import { Lane } from './lane';
import type { Sender, Sent } from './sender';
import { SharedRoom, type RoomSettings } from './shared-room';

export interface DeliverySettings extends RoomSettings {
  lookMs: number;
  most: number;
}

export const DELIVERY_SETTINGS: Omit<DeliverySettings, 'lookMs'> = { leaseMs: 60_000, most: 128, perWebhook: 4, perTenant: 16 };

const CLEAN_MS = 60_000;
/** How long ended deliveries can be looked up. */
const KEPT_HOURS = 30 * 24;

interface Tools {
  store: Store;
  sender: Sender;
  settings: DeliverySettings;
  logger: Logger;
  metrics?: Pick<Metrics, 'webhookAttempts' | 'webhooksDisabled' | 'alerts'> | null;
  /** Null if nothing is traced. */
  trace?: TraceDelivery | null;
}

/**
 * Delivers what is due. Any number of processes may: each row is taken by one of them, with a lease, in a committed statement. So an attempt whose
 * process dies is repeated: an event may arrive twice, but none is lost.
 */
export class Deliverer {
  private readonly stopping = new AbortController();
  private readonly lanes: readonly Lane[];
  private readonly attempting: ToldFailures;
  private readonly cleaning: ToldFailures;
  private readonly lacks = new Repeats();
  private endCleaning = async (): Promise<void> => undefined;

  constructor(private readonly tools: Tools) {
    const { store, settings, logger } = tools;
    // One for each activity: that deliveries are taken again does not say that an attempt succeeds.
    const failures = () => new ToldFailures(logger, 'webhook_delivery_failed', 'what was not done is done later');
    [this.attempting, this.cleaning] = [failures(), failures()];
    const attempt = (taken: TakenDelivery) => this.attemptSafely(taken);
    const room = new SharedRoom(store.deliveries, settings);
    this.lanes = [false, true].map((failing) => new Lane(room, { ...settings, failing }, attempt, failures()));
  }

  start(): void {
    for (const lane of this.lanes) lane.start();
    this.endCleaning = startRounds((stopped) => this.clean(stopped), CLEAN_MS);
  }

  /** Attempts that are still under way after that time are given up and repeated later. */
  async stop(withinMs: number): Promise<void> {
    const cut = setTimeout(() => this.stopping.abort(), withinMs);
    await Promise.all([this.endCleaning(), ...this.lanes.map((lane) => lane.stop())]);
    clearTimeout(cut);
  }

  private async attemptSafely(taken: TakenDelivery): Promise<void> {
    try {
      await this.attempt(taken);
    } catch (error) {
      // The attempt is repeated once its lease has ended.
      this.attempting.failed(error);
    }
  }

  private async attempt(taken: TakenDelivery): Promise<void> {
    const { store, logger, metrics } = this.tools;
    const { deliveries } = store;
    const { webhookId, eventId, attempts, failures } = taken;
    if (taken.tenantId === null) return deliveries.removeOf(webhookId);
    if (!taken.enabled) return deliveries.end(taken, 'failed', { responseStatus: null, error: 'webhook_disabled' });
    if (taken.unseen > MAX_UNSEEN) return deliveries.end(taken, 'failed', { responseStatus: null, error: 'interrupted' });
    const webhook = this.open(taken);
    const attempted: Sent = webhook ? await this.send(webhook, taken) : { responseStatus: null, error: 'corrupt_content' };
    // Given up because the process stops, so its outcome is unknown.
    if (attempted.error !== null && this.stopping.signal.aborted) return;
    killPoint('webhook.after-answer');
    const { error, responseStatus: status, lack } = attempted;
    if (lack !== undefined) this.tellLack(lack);
    metrics?.webhookAttempts.inc({ outcome: error ?? 'delivered' });
    if (error === null) return deliveries.delivered(taken, attempted);
    logger.info({ reason: 'webhook_failed', webhookId, eventId, attempts, error, status });
    const retryInMs = retryDelayMs(failures, Math.random(), attempted.askedMs);
    const disabled = await deliveries.failed(taken, attempted, retryInMs);
    if (disabled) metrics?.webhooksDisabled.inc({ reason: disabled });
    if (disabled) logger.warn({ reason: 'webhook_disabled', webhookId, why: disabled }, 'nothing more is delivered to a webhook');
  }

  /** A webhook is tried later and is not at fault, so this is for the operator alone. */
  private tellLack(lack: string): void {
    const told = this.lacks.failed(lack);
    if (told) this.tools.logger.warn({ reason: 'webhook_not_called', ...told, why: lack }, 'this process could not connect to webhooks');
  }

  private send(webhook: SealedWebhook, taken: TakenDelivery): Promise<Sent> {
    const { sender, trace } = this.tools;
    const send = (traceparent?: string) => sender.send(webhook, { ...taken, traceparent }, this.stopping.signal);
    return trace ? trace(taken, send) : send();
  }

  private open(taken: TakenDelivery) {
    try {
      return this.tools.store.deliveries.open(taken);
    } catch (error) {
      if (!(error instanceof Unsealable)) throw error;
      const alert = { reason: 'corrupt_content', alert: true, webhookId: taken.webhookId, err: error };
      this.tools.logger.error(alert, 'a webhook cannot be opened');
      this.tools.metrics?.alerts.inc({ reason: alert.reason });
      return null;
    }
  }

  private async clean(stopped: AbortSignal): Promise<void> {
    await this.tools.store.deliveries.removeOld(KEPT_HOURS, stopped).catch((error: unknown) => this.cleaning.failed(error));
  }
}
