import type { JobCommand } from '@lib/domain/job/commands';
import { isFinalEvent, type JobEvent } from '@lib/domain/job/events';
import type { Charge } from '@lib/domain/money';

/** What the customer owes for one run, in micro-dollars. */
export interface Owed {
  committedMicros: number;
  lateMicros: number;
  charge: Charge;
}

/**
 * The other side of a job's ledger: what providers billed, told by the commands alone. A run is billed by the first charge that one
 * of its attempts tells, each attempt being heard once.
 */
export class ProviderBooks {
  private readonly runs = new Map<string, { run: string; reservedMicros: number }>();
  private readonly heard = new Set<string>();
  private readonly named = new Set<string>();
  private readonly bills = new Map<string, Owed>();
  private isFinal = false;

  constructor(private readonly markupBasisPoints: number) {}

  hear(command: JobCommand): void {
    if (command.type === 'RecordStep') {
      const { stepId, attempt, result } = command;
      this.bill(`${stepId}@${attempt}`, result.charge, result.outcome === 'failed' && result.errorClass === 'not_called');
    }
    if (command.type === 'CompleteJob' && command.paid) this.bill(command.paid.claimId, command.paid.charge, false);
  }

  see(event: JobEvent): void {
    if (event.type === 'StepStarted') {
      const { stepId, attempt, run, reservedMicros } = event.facts;
      this.runs.set(`${stepId}@${attempt}`, { run: `${stepId}#${run}`, reservedMicros });
    }
    if (event.type === 'SynthesisClaimed') {
      const { attempt, claimId, reservedMicros } = event.facts;
      this.runs.set(claimId, { run: `null#${attempt}`, reservedMicros });
    }
    if (event.type === 'StepExternalIdRecorded') this.named.add(`${event.facts.stepId}#${event.facts.run}`);
    if (isFinalEvent(event.type)) this.isFinal = true;
  }

  /** Null for a run of which no charge is known. */
  owedFor(stepId: string | null, run: number): Owed | null {
    return this.bills.get(`${stepId}#${run}`) ?? null;
  }

  get committedMicros(): number {
    return [...this.bills.values()].reduce((sum, { committedMicros }) => sum + committedMicros, 0);
  }

  private bill(attempt: string, charge: Charge | null, notCalled: boolean): void {
    const granted = this.runs.get(attempt);
    if (!granted || this.heard.has(attempt)) return;
    this.heard.add(attempt);
    const { run, reservedMicros } = granted;
    // That one attempt did not call says nothing of a run that another had started.
    if (!charge || this.bills.has(run) || (notCalled && this.named.has(run))) return;
    const micros = this.marked(charge.micros);
    const payable = Math.min(micros, reservedMicros);
    this.bills.set(run, { charge, committedMicros: this.isFinal ? 0 : payable, lateMicros: this.isFinal ? micros : 0 });
  }

  private marked(micros: number): number {
    return Number((BigInt(micros) * BigInt(10_000 + this.markupBasisPoints) + 9_999n) / 10_000n);
  }
}
