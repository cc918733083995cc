import type { Logger } from 'pino';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { Admitted, Gate } from '@lib/store/agenda/admission-table';
import { isOfTenant, tenantGate } from '@lib/store/agenda/tenant-gate';

interface Known extends Gate {
  /** By the monotonic clock. */
  heldUntil: number;
  waiting: boolean;
}

const UNKNOWN: Readonly<Known> = { failures: 0, down: false, heldMs: 0, heldUntil: 0, waiting: false };

/** What this process knows of the gates of providers, for all tenants and for single tenants. The database decides; this only saves queries. */
export class KnownGates {
  /** By provider, or by the name of a gate that is down for one tenant. */
  private readonly known = new Map<string, Known>();

  /** @param wentDown called when a provider becomes known to be down, for all tenants or for one */
  constructor(
    private readonly logger: Logger,
    private readonly wentDown: (provider: ProviderId) => void,
  ) {}

  of(name: string): Readonly<Known> {
    return this.known.get(name) ?? UNKNOWN;
  }

  /** @param name the provider, or the name of its gate for one tenant */
  learn(name: string, gate: Gate | Admitted | null, errorClass?: string): void {
    if (!gate) return;
    const before = this.of(name);
    const { failures, down, heldMs } = gate;
    const waiting = 'waiting' in gate ? gate.waiting : before.waiting;
    this.known.set(name, { failures, down, heldMs, waiting, heldUntil: performance.now() + heldMs });
    const provider = PROVIDERS.find((one) => one === name.split('/', 1)[0]);
    if (!provider) return;
    if (down && !before.down) {
      this.logger.warn({ reason: 'circuit_opened', provider, failures, errorClass, ...(isOfTenant(name) && { forOneTenant: true }) });
      this.wentDown(provider);
    }
    if (!down && before.down) this.logger.info({ reason: 'circuit_closed', provider });
  }

  /** @param down all gates of tenants that are down now; every other one is up again */
  learnOfTenants(down: ReadonlyMap<string, Gate>): void {
    for (const name of [...this.known.keys()].filter((one) => isOfTenant(one) && !down.has(one))) {
      this.learn(name, UNKNOWN);
      this.known.delete(name);
    }
    for (const [name, gate] of down) this.learn(name, gate);
  }

  markWaiting(provider: ProviderId): void {
    this.known.set(provider, { ...this.of(provider), waiting: true });
  }

  /** Whether the provider is down for all or for this tenant; without a tenant, whether it is down for anybody. */
  isDown(provider: ProviderId, tenantId?: string): boolean {
    if (this.of(provider).down) return true;
    if (tenantId !== undefined) return this.of(tenantGate(provider, tenantId)).down;
    return this.known.entries().some(([name, { down }]) => down && name.startsWith(`${provider}/`));
  }

  /** Whether any provider is down or held, for all or for one tenant. */
  isAnyDownOrHeld(): boolean {
    const now = performance.now();
    return this.known.values().some(({ down, heldUntil }) => down || heldUntil > now);
  }

  /** Whether any provider has failed since its last answer. */
  hasAnyFailed(): boolean {
    return this.known.values().some(({ failures }) => failures > 0);
  }
}
