import { setTimeout as delay } from 'node:timers/promises';
import { ROLES, type Role } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import type { RoleProcess } from '../support/role-process';
import type { Supervisor } from '../support/supervisor';
import type { Balancer } from './balancer';
import { endingOf, type Ending } from './manifests';
import { untilReady } from './readiness';

export const REPLICAS = 2;
/** On a machine that others share, a process that was killed by nobody may take longer than a cluster would give it. */
const PATIENCE_MS = 60_000;

/** One process that was replaced. */
export interface Replaced {
  role: Role;
  code: number | null;
  /** While it drained, and before it had. */
  isKilled: boolean;
  /** From SIGTERM to its end. */
  tookMs: number;
  /** Jobs that were open when it was told to stop; of webhooks, calls that waited for an answer. */
  underWay: number;
}

/** Of the times of the manifests: 1, also where nothing is said, is as they stand there. */
export type Scale = Partial<Record<Role, number>>;

/** A worker's drain is so short that runs in the background do not end in it. */
export const SHORT: Scale = { api: 0.1, saga: 0.1, worker: 0.005, synthesizer: 0.1, webhooks: 0.1 };

interface Tools {
  supervisor: Supervisor;
  balancer: Balancer;
  scale: Scale;
  underWay: (role: Role) => number;
}

/** Two processes of each role, replaced as a Deployment does it: one more first, and then one less. */
export class Rollout {
  readonly replaced: Replaced[] = [];
  private readonly replicas = new Map<Role, RoleProcess[]>(ROLES.map((role) => [role, []]));

  constructor(private readonly tools: Tools) {}

  /** @param main the program; by default the build under test */
  async startAll(main?: string): Promise<void> {
    for (const role of ROLES) await Promise.all(Array.from({ length: REPLICAS }, () => this.startOne(role, main)));
  }

  /** Replaces every process of a role, one after the other. */
  async replaceAll(role: Role): Promise<void> {
    for (let place = 0; place < REPLICAS; place += 1) await this.replaceOne(role);
  }

  /**
   * Replaces the process of a role that has run for longest by one of the build under test.
   * @param isToBeKilled while it drains, as where its node goes down
   */
  async replaceOne(role: Role, isToBeKilled = false): Promise<void> {
    const [old] = this.replicas.get(role) ?? [];
    if (!old) throw new Error(`no process of ${role} runs`);
    await this.startOne(role);
    await this.endOne(role, old, isToBeKilled);
  }

  private async startOne(role: Role, main?: string): Promise<void> {
    const { supervisor, balancer } = this.tools;
    const process = await supervisor.start(role, { DRAIN_MS: String(this.endingOf(role).drainMs), ...EVERYWHERE }, main);
    const address = process.address ?? '';
    await untilReady(address, process.name);
    if (role === 'api') balancer.add(address);
    this.replicas.get(role)?.push(process);
  }

  private async endOne(role: Role, process: RoleProcess, isToBeKilled: boolean): Promise<void> {
    const { supervisor, balancer, underWay } = this.tools;
    const { preStopMs, graceMs } = this.endingOf(role);
    await delay(preStopMs);
    // A restart that meets nobody at work tests nothing.
    await eventually(true, async () => underWay(role) > 0, PATIENCE_MS);
    const met = underWay(role);
    const began = performance.now();
    if (isToBeKilled) void supervisor.logs.next(({ reason }) => reason === 'stopping').then(() => process.kill());
    const ending = await Promise.race([process.stop(), delay(Math.max(graceMs, PATIENCE_MS), null, { ref: false })]);
    if (ending === null) await process.kill();
    balancer.remove(process.address ?? '');
    this.replicas.set(role, this.replicas.get(role)?.filter((other) => other !== process) ?? []);
    this.replaced.push({
      role,
      code: ending?.code ?? null,
      isKilled: ending?.signal === 'SIGKILL',
      tookMs: performance.now() - began,
      underWay: met,
    });
  }

  private endingOf(role: Role): Ending {
    const { preStopMs, drainMs, graceMs } = endingOf(role);
    const scale = this.tools.scale[role] ?? 1;
    return { preStopMs: preStopMs * scale, drainMs: drainMs * scale, graceMs: graceMs * scale };
  }
}

/** Leases are so long that a busy machine loses none, and so short that what a stopping worker leaves is soon gone on with. */
const EVERYWHERE = { LEASE_MS: '8000', HEARTBEAT_MS: '1500', WEBHOOK_LOOPBACK: 'allowed' };
