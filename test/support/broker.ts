import { rm } from 'node:fs/promises';
import { connect } from 'nats';
import { WORK_STREAM } from '@lib/messaging/subjects';
import { startNats, type NatsOptions, type RunningNats } from '../servers/nats';
import { stablePort } from './stable-port';

/** A nats-server that can die and come back on its port, with what it stored unless that was wiped. */
export class Broker {
  private server: RunningNats | null = null;

  private constructor(
    readonly port: number,
    readonly storeDir: string,
    private readonly cluster: NatsOptions['cluster'],
  ) {}

  static async start(storeDir: string): Promise<Broker> {
    const broker = new Broker(await stablePort(), storeDir, undefined);
    await broker.start();
    return broker;
  }

  /** Several servers that keep their streams together. */
  static async startCluster(storeDirs: readonly string[]): Promise<Broker[]> {
    const ports = await Promise.all(storeDirs.map(() => stablePort()));
    const nodes = storeDirs.map(async (storeDir, place) => {
      const cluster = { name: `node-${place + 1}`, port: ports[place] ?? 0, peers: ports };
      return new Broker(await stablePort(), storeDir, cluster);
    });
    const brokers = await Promise.all(nodes);
    await Promise.all(brokers.map((broker) => broker.start()));
    return brokers;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.server !== null;
  }

  /** @param settings other ones than before */
  async start(settings: Pick<NatsOptions, 'maxPayload'> = {}): Promise<void> {
    this.server = await startNats({ port: this.port, storeDir: this.storeDir, cluster: this.cluster, ...settings });
  }

  async kill(): Promise<void> {
    await this.server?.kill();
    this.server = null;
  }

  async wipe(): Promise<void> {
    await rm(this.storeDir, { recursive: true });
  }

  /** Work entries that nobody has acknowledged. */
  async queued(): Promise<number> {
    const connection = await connect({ servers: this.url });
    try {
      const { state } = await (await connection.jetstreamManager()).streams.info(WORK_STREAM);
      return state.messages;
    } finally {
      await connection.close();
    }
  }
}
