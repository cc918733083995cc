import { batch } from '@lib/batching/batch';
import type { Deliveries, TakenDelivery } from '@lib/store/webhooks/deliveries';

export interface RoomSettings {
  /** The most at a time for one webhook, and for one tenant. */
  perWebhook: number;
  perTenant: number;
  /** Must be longer than any attempt may take. */
  leaseMs: number;
}

/** What the lanes of a process have under way together: a webhook that begins to fail changes lanes while its attempts run. */
export class SharedRoom {
  private readonly underWay = new Set<TakenDelivery>();
  /** One lane at a time, so that each knows what the other has taken. */
  private readonly inTurn = batch(async ([take]: (() => Promise<TakenDelivery[]>)[]) => [(await take?.()) ?? []], { maxItems: 1 });

  constructor(
    private readonly deliveries: Pick<Deliveries, 'take'>,
    private readonly settings: RoomSettings,
  ) {}

  /** @returns deliveries that are under way until they `leave` */
  take(free: number, failing: boolean): Promise<TakenDelivery[]> {
    const { perWebhook, perTenant, leaseMs } = this.settings;
    // Failing webhooks leave their tenant's others room for one.
    const most = failing ? perTenant - perWebhook : perTenant;
    return this.inTurn(async () => {
      const underWay = [...this.underWay];
      const taken = await this.deliveries.take({ free, perWebhook, perTenant: most, failing, underWay, leaseMs });
      for (const one of taken) this.underWay.add(one);
      return taken;
    });
  }

  leave(taken: TakenDelivery): void {
    this.underWay.delete(taken);
  }
}
