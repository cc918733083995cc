import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { LedgerEntry } from '@lib/providers/simulated/ledger';
import { createKey } from './keys';
import { generateKey } from '@lib/store/access/key-format';
import { migrate } from '@lib/store/postgres/migrations';
import { createPool } from '@lib/store/postgres/pool';
import type { KillPoint } from '../../src/runtime/kill-point';
import { JOB_ROLES, type Role } from '../../src/roles';
import { Broker } from './broker';
import { DatabaseServer, type DatabaseOptions } from './database-server';
import { Logs } from './logs';
import { RoleProcess } from './role-process';
import { readLedgers, simulatedProviders } from './simulated-providers';

export const LEASE_MS = 2_000;

/** Everything that takes time takes little of it. */
const INTERVALS = {
  LEASE_MS: String(LEASE_MS),
  HEARTBEAT_MS: '400',
  REDISPATCH_FIRST_MS: '500',
  REDISPATCH_MS: '1000',
  SWEEP_MS: '200',
  DRAIN_MS: '2000',
};

interface SupervisorOptions {
  /** How many nats-servers keep the streams together. */
  brokers?: number;
  /** Where a server keeps its data, below the deployment's folder. */
  place?: (server: 'postgres' | 'jetstream', folder: string) => Promise<string>;
  postgres?: DatabaseOptions;
  /** Makes the schema; by default as the build under test has it. */
  makeSchema?: ((url: string) => Promise<unknown>) | undefined;
}

/** A deployment with a PostgreSQL and a nats-server of its own, each role a process of the built service. */
export class Supervisor {
  readonly logs = new Logs();
  readonly apiKey = generateKey().keyText;
  /** The auditor's own way into the database. */
  readonly pool: Pool;
  isClosed = false;
  /** Length of the reports of processes that are started from now on. */
  reportBytes: number | undefined;
  private readonly processes: RoleProcess[] = [];
  /** What processes share. */
  readonly secrets = { MASTER_KEY: randomBytes(32).toString('base64'), API_KEY_PEPPER: randomBytes(16).toString('hex') };

  private constructor(
    private readonly folder: string,
    readonly database: DatabaseServer,
    readonly brokers: readonly Broker[],
  ) {
    this.pool = createPool(database.url, 2);
  }

  /** Starts the servers and makes the schema; the roles are started one by one. */
  static async start(options: SupervisorOptions = {}): Promise<Supervisor> {
    const { brokers = 1, place = async (_, folder) => folder, postgres, makeSchema = migrate } = options;
    const folder = mkdtempSync(join(tmpdir(), 'research-faults-'));
    const database = await DatabaseServer.start(await place('postgres', folder), postgres);
    try {
      await makeSchema(database.url);
      const streams = await place('jetstream', folder);
      if (brokers === 1) return new Supervisor(folder, database, [await Broker.start(join(streams, 'jetstream'))]);
      const storeDirs = Array.from({ length: brokers }, (_, node) => join(streams, `jetstream-${node + 1}`));
      return new Supervisor(folder, database, await Broker.startCluster(storeDirs));
    } catch (error) {
      await database.stop();
      throw error;
    }
  }

  get broker(): Broker {
    const [broker] = this.brokers;
    if (!broker) throw new Error('this deployment has no broker');
    return broker;
  }

  /** @param main the built service; by default the build under test */
  async start(role: Role, environment: Record<string, string> = {}, main?: string): Promise<RoleProcess> {
    const process = this.spawn(role, environment, main);
    await process.serving;
    return process;
  }

  /** A process that dies at that point, be it before it has quite started. */
  startDoomed(role: Role, point: KillPoint, environment: Record<string, string> = {}): RoleProcess {
    return this.spawn(role, { ...environment, KILL_POINT: point });
  }

  /** One process of each role, as far as it does not run already. */
  async startMissing(environment: Record<string, string> = {}): Promise<void> {
    await Promise.all(JOB_ROLES.filter((role) => this.running(role).length === 0).map((role) => this.start(role, environment)));
  }

  apiAddresses(): string[] {
    return this.running('api').flatMap(({ address }) => address ?? []);
  }

  running(role: Role): RoleProcess[] {
    return this.processes.filter((process) => process.role === role && process.isRunning);
  }

  /** The only process of that role. */
  the(role: Role): RoleProcess {
    const [process, ...others] = this.running(role);
    if (!process || others.length > 0) throw new Error(`${process ? others.length + 1 : 0} processes of ${role} run, not one`);
    return process;
  }

  crashed(): string[] {
    return this.processes.filter(({ isCrashed }) => isCrashed).map(({ name }) => name);
  }

  /** Attempts that belong to a worker at this moment. */
  async heldLeases(): Promise<number> {
    const { rows } = await this.pool.query<{ held: number }>(
      `select count(*)::int as held from agenda where kind = 'lease' and due_at > clock_timestamp()`,
    );
    return rows[0]?.held ?? 0;
  }

  /** How long the last of the leases that are held goes on, unless it is renewed; 0 where none is held. */
  async longestLeaseMs(): Promise<number> {
    const { rows } = await this.pool.query<{ ms: number | null }>(
      `select (extract(epoch from max(due_at) - clock_timestamp()) * 1000)::float8 as ms from agenda where kind = 'lease'`,
    );
    return Math.max(0, rows[0]?.ms ?? 0);
  }

  /** Process ids of the server's sessions that wait for somebody else's lock. */
  async blockedSessions(): Promise<number[]> {
    const { rows } = await this.pool.query<{ pid: number }>('select pid from pg_locks where not granted');
    return rows.map(({ pid }) => pid);
  }

  keyOfAnotherTenant(): Promise<string> {
    return createKey({ pool: this.pool, pepper: this.secrets.API_KEY_PEPPER }, 'another', null);
  }

  /** What no log and no store may show. */
  get secretTexts(): string[] {
    return [this.apiKey, ...Object.values(this.secrets)];
  }

  /** What an operator's command needs. */
  get operator(): Record<string, string> {
    return { DATABASE_URL: this.database.url, NATS_URL: this.broker.url, ...this.secrets };
  }

  /** Folders in which the servers keep what they store. */
  get stores(): string[] {
    return [...this.brokers.map(({ storeDir }) => storeDir), this.database.dataDir];
  }

  /** What the providers saw. */
  ledger(): LedgerEntry[] {
    return [...readLedgers(this.folder).values()].flat();
  }

  callsOf(provider: ProviderId): number {
    return this.ledger().filter((call) => call.provider === provider).length;
  }

  /** How many processes called a provider. */
  callers(): number {
    return readLedgers(this.folder).size;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.processes.map((process) => process.kill()));
    await this.pool.end();
    await Promise.all([...this.brokers.map((broker) => broker.kill()), this.database.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private spawn(role: Role, environment: Record<string, string>, main?: string): RoleProcess {
    const name = `${role}-${this.processes.length + 1}`;
    const providersFile = join(this.folder, `providers-${name}.yaml`);
    writeFileSync(providersFile, simulatedProviders(this.folder, name, this.reportBytes));
    const process = new RoleProcess(
      role,
      name,
      { ...this.environmentOf(role), PROVIDERS_FILE: providersFile, ...environment },
      this.logs,
      main,
    );
    this.processes.push(process);
    return process;
  }

  /** Workers hold no database and the others no providers' keys. */
  private environmentOf(role: Role): Record<string, string> {
    const everybody = { NATS_URL: this.brokers.map(({ url }) => url).join(), LOG_LEVEL: 'trace', ...INTERVALS };
    if (role === 'worker') return everybody;
    const data = { DATABASE_URL: this.database.url, DATABASE_POOL: '4', ...this.secrets };
    return role === 'api' ? { ...everybody, ...data, BOOTSTRAP_API_KEY: this.apiKey } : { ...everybody, ...data };
  }
}
