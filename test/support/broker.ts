import { rm } from 'node:fs/promises';
import { connect } from 'nats';
import { WORK_STREAM } from '@lib/messaging/subjects';
import { startNats, type RunningNats } from '../servers/nats';
import { stablePort } from './stable-port';

/** A nats-server that can die and come back on its port, with what it stored unless that was wiped. */
export class Broker {
  private server: RunningNats | null = null;

  private constructor(
    readonly port: number,
    readonly storeDir: string,
  ) {}

  static async start(storeDir: string): Promise<Broker> {
    const broker = new Broker(await stablePort(), storeDir);
    await broker.start();
    return broker;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.server !== null;
  }

  async start(): Promise<void> {
    this.server = await startNats({ port: this.port, storeDir: this.storeDir });
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
