import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Backlog, Transport } from '@lib/messaging/transport';
import { fromServer } from './server-gauges';

/** Gauges of the queues that this process consumes. All consumers of a queue report the same value: use the maximum, not the sum. */
export function measureQueues(registry: Registry, transport: Pick<Transport, 'backlog'>, logger: Pick<Logger, 'warn'>): void {
  const collect = fromServer({
    server: 'the broker',
    read: () => transport.backlog(),
    fill: (backlog) => fill(backlog),
    leaveOut: () => {
      pending.reset();
      unacknowledged.reset();
    },
    logger,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['kind', 'provider'], registers: [registry], collect });
  const pending = gauge(
    'research_queue_pending',
    'Wake-ups in a queue that no process was given yet. The agenda has what waits for its turn.',
  );
  const unacknowledged = gauge(
    'research_queue_unacknowledged',
    'Wake-ups of a queue that a process was given and has not acknowledged, or has handed back for later.',
  );
  const fill = (backlog: readonly Backlog[]): void => {
    pending.reset();
    unacknowledged.reset();
    for (const { queue, ...counts } of backlog) {
      const labels = { kind: queue.kind, provider: 'provider' in queue ? queue.provider : '' };
      pending.set(labels, counts.pending);
      unacknowledged.set(labels, counts.unacknowledged);
    }
  };
}
