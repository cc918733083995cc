import { setTimeout as delay } from 'node:timers/promises';
import { inTime } from '../../src/runtime/in-time';
import type { Deployment } from './deployment';
import type { Evidence, Fault } from './faults/evidence';
import { holdOf, type FaultKind, type PlannedFault } from './schedule';

/** Far more than any fault takes with its undoing: one that never ends is told, and does not hold up the run. */
const MAX_MS = 180_000;

/** A fault as it came. */
export interface Deed extends PlannedFault {
  /** From the start of the run. */
  beganMs: number;
  endedMs: number;
  /** On the clock of this process. */
  endedAt: number;
  /** What shows that it happened; null if it did not. */
  evidence: Evidence;
  /** Why it could not be done or undone. */
  error: string | null;
}

/** Does what the schedule says; faults that take hold of the same wait for each other. */
export class Nemesis {
  readonly deeds: Deed[] = [];
  private readonly holds = new Map<string, Promise<void>>();
  private readonly began = performance.now();

  constructor(
    private readonly deployment: Deployment,
    private readonly faults: Partial<Record<FaultKind, Fault>>,
    private readonly tell: (deed: Deed) => void,
  ) {}

  async play(plan: readonly PlannedFault[]): Promise<void> {
    for (const planned of plan) {
      await delay(Math.max(0, planned.atMs - this.elapsedMs()));
      const hold = holdOf(planned);
      const before = this.holds.get(hold) ?? Promise.resolve();
      this.holds.set(
        hold,
        before.then(() => this.commit(planned)),
      );
    }
    await Promise.all(this.holds.values());
  }

  elapsedMs(): number {
    return Math.round(performance.now() - this.began);
  }

  private async commit(planned: PlannedFault): Promise<void> {
    const beganMs = this.elapsedMs();
    const fault = this.faults[planned.kind];
    const result = { evidence: null as Evidence, error: null as string | null };
    try {
      if (fault) result.evidence = await inTime(fault(this.deployment, planned), MAX_MS, 'end of the fault');
    } catch (error) {
      result.error = error instanceof Error ? error.message : String(error);
    }
    const deed = { ...planned, ...result, beganMs, endedMs: this.elapsedMs(), endedAt: performance.now() };
    this.deeds.push(deed);
    this.tell(deed);
  }
}
