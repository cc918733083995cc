import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Role } from '../../src/roles';
import { Client } from '../support/client';
import { simulatedProviders } from '../support/simulated-providers';
import { stablePort } from '../support/stable-port';
import { Supervisor } from '../support/supervisor';
import { research } from '../system/support/command';

const ROLES = ['api', 'saga', 'worker', 'synthesizer', 'webhooks'] as const;
const LOG_SETTINGS = { CHECKPOINT_MS: '1000', CHECKPOINT_KEY: Buffer.alloc(32, 3).toString('base64') };

/** A job that was asked for. */
export interface AskedJob {
  jobId: string;
  path: string;
}

/** Every role as a process on servers of its own, and customers: where faults are caused until an alert fires. */
export class AlertStage {
  private readonly traffic = new Set<AbortController>();

  private constructor(
    readonly supervisor: Supervisor,
    readonly client: Client,
    private readonly folder: string,
    private readonly ports: Readonly<Record<string, number>>,
  ) {}

  static async open(): Promise<AlertStage> {
    const supervisor = await Supervisor.start();
    const ports = Object.fromEntries(await Promise.all(ROLES.map(async (role) => [role, await stablePort()] as const)));
    const folder = mkdtempSync(join(tmpdir(), 'research-alerts-'));
    const stage = new AlertStage(supervisor, new Client(supervisor, 5_000), folder, ports);
    for (const role of ROLES) await stage.start(role);
    await stage.create('provider-a');
    return stage;
  }

  /** Where the processes tell their metrics. */
  get targets(): string[] {
    return Object.values(this.ports).map((port) => `http://127.0.0.1:${port}`);
  }

  start(role: Role, environment: Record<string, string> = {}) {
    return this.supervisor.start(role, { ADMIN_PORT: String(this.ports[role]), ...LOG_SETTINGS, ...environment });
  }

  async restart(role: Role, environment: Record<string, string> = {}): Promise<void> {
    await this.supervisor.the(role).kill();
    await this.start(role, environment);
  }

  /** A providers file in which one provider is not as all the others are. */
  providersFile(name: string, provider: ProviderId, changed: Readonly<Record<string, unknown>>): string {
    const file = JSON.parse(simulatedProviders(this.folder, name)) as { providers: Record<string, object> };
    file.providers[provider] = { ...file.providers[provider], ...changed };
    const path = join(this.folder, `${name}.yaml`);
    writeFileSync(path, JSON.stringify(file));
    return path;
  }

  /** Runs a command of a runbook, with what an operator has. */
  async command(...parameters: string[]): Promise<string> {
    const { stdout, stderr } = await research(parameters, { ...this.supervisor.operator, ...LOG_SETTINGS });
    return `${stdout}${stderr}`;
  }

  async create(...providers: ProviderId[]): Promise<AskedJob> {
    const { body } = await this.client.call('POST', '/v1/threads', { message: 'How?', budget: 'S', providers });
    const { id: jobId } = (body.job ?? {}) as { id: string };
    return { jobId, path: `/v1/threads/${String(body.id)}/jobs/${jobId}` };
  }

  /** Customers who go on asking until the case is over, or until this is called. */
  goOn(ask: () => Promise<unknown>, everyMs = 300): () => void {
    const traffic = new AbortController();
    this.traffic.add(traffic);
    void (async () => {
      while (!traffic.signal.aborted) {
        await ask().catch(() => undefined);
        await delay(everyMs);
      }
    })();
    return () => traffic.abort();
  }

  endTraffic(): void {
    for (const each of this.traffic) each.abort();
    this.traffic.clear();
  }

  async close(): Promise<void> {
    this.endTraffic();
    await this.supervisor.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
