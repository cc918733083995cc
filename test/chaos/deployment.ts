import { Client as Postgres } from 'pg';
import { connect } from 'nats';
import { WORK_STREAM } from '@lib/messaging/subjects';
import { eventually } from '../messaging/eventually';
import type { Entrance } from '../support/client';
import { Supervisor } from '../support/supervisor';
import { SLOTS, type SlotName } from './schedule';
import { Slot } from './slot';
import { SmallDisks } from './small-disks';

/** Two processes of each role on a PostgreSQL and one nats-server or a cluster of three, all that connects them through proxies. */
export class Deployment implements Entrance {
  private constructor(
    readonly supervisor: Supervisor,
    readonly disks: SmallDisks,
    readonly slots: ReadonlyMap<SlotName, Slot>,
  ) {}

  /** @param receiver the port on which webhooks are received */
  static async start(brokers: 1 | 3, receiver: number): Promise<Deployment> {
    const disks = new SmallDisks();
    const place = (server: 'postgres' | 'jetstream', folder: string) => disks.place(server, folder);
    const supervisor = await Supervisor.start({ brokers, place }).catch(async (error: unknown) => {
      await disks.unmount();
      throw error;
    });
    const slots = new Map<SlotName, Slot>();
    const deployment = new Deployment(supervisor, disks, slots);
    try {
      for (const name of SLOTS) slots.set(name, await Slot.open(name, supervisor, receiver));
      await Promise.all([...slots.values()].map((slot) => slot.up()));
      await deployment.replicate();
      return deployment;
    } catch (error) {
      await deployment.close();
      throw error;
    }
  }

  slot(name: SlotName): Slot {
    const slot = this.slots.get(name);
    if (!slot) throw new Error(`there is no slot ${name}`);
    return slot;
  }

  get apiKey(): string {
    return this.supervisor.apiKey;
  }

  apiAddresses(): string[] {
    return [...this.slots.values()].flatMap(({ address }) => address ?? []);
  }

  /** By which port a process that delivers webhooks reaches the receiver, through a network of its own. */
  receiverPorts(): [SlotName, number][] {
    return [...this.slots.values()].flatMap((slot) =>
      slot.connectionsTo('receivers').map(({ port }): [SlotName, number] => [slot.name, port]),
    );
  }

  /** The operator's way into the brokers. */
  brokerUrls(): string[] {
    return this.supervisor.brokers.map(({ url }) => url);
  }

  /** As an operator of a cluster does: the service makes its stream with one replica. */
  async replicate(): Promise<void> {
    const replicas = this.supervisor.brokers.length;
    if (replicas === 1) return;
    const connection = await connect({ servers: this.brokerUrls(), ignoreClusterUpdates: true, maxReconnectAttempts: -1 });
    try {
      const replicated = async () => {
        const manager = await connection.jetstreamManager({ checkAPI: false });
        const { config } = await manager.streams.info(WORK_STREAM);
        if (config.num_replicas !== replicas) await manager.streams.update(WORK_STREAM, { num_replicas: replicas });
        return config.num_replicas;
      };
      await eventually(replicas, () => replicated().catch(() => 0), 60_000);
    } finally {
      await connection.close();
    }
  }

  /** As its operator, straight to the server. */
  async sql<Row extends object>(text: string): Promise<Row[]> {
    const client = new Postgres({ connectionString: this.supervisor.database.url, connectionTimeoutMillis: 5000, query_timeout: 15_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    const slots = [...this.slots.values()];
    await Promise.all(slots.map((slot) => slot.down('SIGKILL')));
    await Promise.all(slots.map((slot) => slot.close()));
    // The servers keep their open files; their folder can be removed.
    await this.disks.unmount();
    await this.supervisor.close();
  }
}
