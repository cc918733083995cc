/** How often a step is left to the other workers, and for how long each time. */
const OFFERS = 8;
const OFFER_MS = 250;
const MAX_REMEMBERED = 1_000;

/**
 * The steps whose provider this worker could not connect to. It may be cut off alone, and a step has few submits; so the next try is left to the
 * other workers first. If they cannot connect either, it is made here again after two seconds.
 */
export class UnreachedSteps {
  /** Oldest first. */
  private readonly stepIds = new Set<string>();

  /** @returns how long the step is left to others before it is offered here again; 0 if it may be tried here */
  offerMs(stepId: string, deliveries: number): number {
    return this.stepIds.has(stepId) && deliveries <= OFFERS ? OFFER_MS : 0;
  }

  /** An attempt at the step has ended here. */
  ended(stepId: string, isUnreached: boolean): void {
    this.stepIds.delete(stepId);
    if (!isUnreached) return;
    this.stepIds.add(stepId);
    const [oldest] = this.stepIds;
    if (oldest !== undefined && this.stepIds.size > MAX_REMEMBERED) this.stepIds.delete(oldest);
  }
}
