import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Role } from '../../src/roles';
import { stablePort } from '../support/stable-port';
import type { RoleProcess } from '../support/role-process';
import type { Supervisor } from '../support/supervisor';
import { Connections } from './connections';
import { roleOf, type Peer, type SlotName } from './schedule';

const PRELOAD = resolve(__dirname, 'preload.cjs');
/** Far more than a process needs; one that is told to hoard reaches it within seconds. */
const HEAP_MB = 256;
const RESTART_MS = 300;
/** Every saga logs events and signs checkpoints. */
const SIGNS = {
  CHECKPOINT_KEY: Buffer.alloc(32, 5).toString('base64'),
  CHECKPOINT_ORIGIN: 'audit.example.org/chaos',
  CHECKPOINT_MS: '2000',
};

/** A place for one process of a role, which is started again whenever it has ended, and its connections to everything else. */
export class Slot {
  process: RoleProcess | null = null;
  /** Of the build that runs here; null for the build under test. */
  main: string | null = null;
  /** How often a process served here. */
  starts = 0;
  private isWanted = true;
  private running: Promise<void> = Promise.resolve();

  private constructor(
    readonly name: SlotName,
    readonly role: Role,
    private readonly supervisor: Supervisor,
    private readonly environment: Record<string, string>,
    private readonly connections: Record<Peer, Connections[]>,
  ) {}

  /** @param receiver the port on which webhooks are received */
  static async open(name: SlotName, supervisor: Supervisor, receiver: number): Promise<Slot> {
    const role = roleOf(name);
    const port = await stablePort();
    const database = new URL(supervisor.database.url);
    const isNats = true;
    const connections: Slot['connections'] = {
      customers: role === 'api' ? [await Connections.start(port)] : [],
      receivers: role === 'webhooks' ? [await Connections.start(receiver)] : [],
      database: role === 'worker' ? [] : [await Connections.start(Number(database.port))],
      broker: await Promise.all(supervisor.brokers.map((broker) => Connections.start(broker.port, { isNats }))),
    };
    database.port = String(connections.database[0]?.port ?? '');
    const environment = {
      PORT: String(port),
      NATS_URL: connections.broker.map((broker) => `nats://127.0.0.1:${broker.port}`).join(),
      NODE_OPTIONS: `--require ${PRELOAD} --max-old-space-size=${HEAP_MB}`,
      LOG_LEVEL: 'debug',
      FAST_DEADLINE_MS: '40000',
      METHODICAL_DEADLINE_MS: '60000',
      SYNTHESIS_DEADLINE_MS: '60000',
      ...(role === 'worker' ? {} : { DATABASE_URL: database.href, WEBHOOK_LOOPBACK: 'allowed' }),
      ...(role === 'saga' ? SIGNS : {}),
    };
    return new Slot(name, role, supervisor, environment, connections);
  }

  /** The process that runs here, or the next one. */
  async serving(): Promise<RoleProcess> {
    while (!this.process?.isRunning) await delay(50);
    return this.process;
  }

  connectionsTo(peer: Peer): Connections[] {
    return this.connections[peer];
  }

  /** As customers reach it, whether it runs or not. */
  get address(): string | null {
    const [customers] = this.connections.customers;
    return customers ? `http://127.0.0.1:${customers.port}` : null;
  }

  /** Keeps a process running here from now on; resolves once one serves. */
  async up(): Promise<void> {
    this.isWanted = true;
    const before = this.starts;
    this.running = this.keepRunning();
    while (this.starts === before && this.isWanted) await delay(20);
  }

  /** Ends the process and starts none. */
  async down(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null } | null> {
    this.isWanted = false;
    const process = this.process;
    process?.send(signal);
    const ending = process ? await process.ended : null;
    await this.running;
    return ending;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.connections).flatMap((all) => all.map((connections) => connections.close())));
  }

  /** As an orchestrator does: a process that could not start or has ended is started again. */
  private async keepRunning(): Promise<void> {
    while (this.isWanted) {
      try {
        const started = await this.supervisor.start(this.role, this.environment, this.main ?? undefined);
        this.process = started;
        this.starts += 1;
        // It was told to end before it served.
        if (!this.isWanted) await started.kill();
        await started.ended;
      } catch {
        // Its servers are down or cut off; the log has its words.
      }
      this.process = null;
      if (this.isWanted) await delay(RESTART_MS);
    }
  }
}
