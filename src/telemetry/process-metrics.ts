import { Gauge, type Registry } from 'prom-client';
import { holdings, type Holding } from '@lib/memory/holdings';
import type { Transport } from '@lib/messaging/transport';
import type { Pool } from '@lib/store/postgres/pool';
import type { Readiness } from '../api/health';

/** What this process holds and is connected to. */
export function measureProcess(
  registry: Registry,
  { transport, pool, health }: { transport: Transport; pool: Pool | null; health: Pick<Readiness, 'ask'> },
): void {
  const registers = [registry];
  new Gauge({
    name: 'research_checks_failing',
    help: 'How many checks of readiness fail: of what this process needs, whether or not another process is better.',
    registers,
    async collect() {
      this.set((await health.ask()).failing.length);
    },
  });
  const ofHoldings = (name: string, help: string, of: (holding: Holding) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['name'],
      registers,
      collect() {
        this.reset();
        for (const holding of holdings()) this.set({ name: holding.name }, of(holding));
      },
    });
  ofHoldings('research_held_items', 'Entries, clients or calls that a cache or queue of this process holds.', ({ items }) => items);
  ofHoldings('research_held_bytes', 'What a cache or queue of this process holds.', (holding) => holding.bytes);
  ofHoldings('research_held_max_bytes', 'The bound of a cache or queue of this process.', ({ maxBytes }) => maxBytes);
  new Gauge({
    name: 'research_nats_connected',
    help: '1 while NATS is connected, and in a process that does without it.',
    registers,
    collect() {
      this.set(transport.connectedForMs() === null ? 0 : 1);
    },
  });
  if (!pool) return;
  new Gauge({
    name: 'research_database_connections',
    help: 'Connections of the pool, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'awaited' }, pool.waitingCount);
    },
  });
}
