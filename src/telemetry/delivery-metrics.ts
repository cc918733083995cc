import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Pool } from '@lib/store/postgres/pool';
import { countDeliveries, type DeliveryCount } from '@lib/store/views/work-counts';
import { fromServer } from './server-gauges';

/** Gauges of pending webhook deliveries. Each delivering process reports the same values: use the maximum, not the sum. */
export function measureDeliveries(registry: Registry, pool: Pool, logger: Pick<Logger, 'warn'>): void {
  const collect = fromServer({
    server: 'the database',
    read: () => countDeliveries(pool),
    fill: (count) => fill(count),
    leaveOut: () => {
      pending.reset();
      oldest.remove();
      disabled.remove();
    },
    logger,
  });
  const registers = [registry];
  const pending = new Gauge({
    name: 'research_webhook_deliveries_pending',
    help: 'Deliveries to webhooks that are due now, or later.',
    labelNames: ['due'],
    registers,
    collect,
  });
  const oldest = new Gauge({
    name: 'research_webhook_delivery_oldest_seconds',
    help: 'For how long the oldest delivery to a webhook has been due.',
    registers,
    collect,
  });
  const disabled = new Gauge({
    name: 'research_webhooks_disabled',
    help: 'Webhooks to which nothing is delivered.',
    registers,
    collect,
  });
  const fill = ({ due, later, oldestSeconds, disabled: off }: DeliveryCount): void => {
    pending.set({ due: 'now' }, due);
    pending.set({ due: 'later' }, later);
    oldest.set(oldestSeconds);
    disabled.set(off);
  };
}
