import type { JobEvent } from './job/events';
import type { JobTerms, PlanEntry, Settlement, Totals } from './job/facts';
import { microsFromCents, withMarkup, type Charge } from './money';
import type { ProviderId } from './vocabulary';

/**
 * What happened to an amount. It is `reserved` from what is left of the cap. The customer pays the `committed` part of a reservation, and the rest
 * is `released`. If the charge is still unknown when the job ends, the reservation is `lost`. The operator bears an `overrun` of the reservation
 * and a charge that comes `late`, after the job's end. A charge reported again is `repeated` and moves nothing.
 */
export type Movement = 'reserved' | 'committed' | 'released' | 'lost' | 'overrun' | 'late' | 'repeated';

export interface LedgerLine {
  /** Version of the event that moved the money. */
  version: number;
  event: JobEvent['type'];
  /** Null for the synthesis. */
  stepId: string | null;
  /** Number of the step's run, or of the synthesis attempt. */
  run: number;
  movement: Movement;
  micros: number;
  /** The provider's charge, if the line results from one. */
  charge: Charge | null;
  /** Balance of the whole job after this line. */
  balance: { committedMicros: number; reservedMicros: number };
}

export interface LedgerTotals {
  reservedMicros: number;
  /** The remaining reservations; 0 once the job is final. */
  heldMicros: number;
  committedMicros: number;
  releasedMicros: number;
  lostMicros: number;
  overrunMicros: number;
  lateMicros: number;
}

/** One paid run: `reserved = held + committed + released + lost` holds after every line. */
export interface LedgerAccount extends LedgerTotals {
  stepId: string | null;
  run: number;
  /** Null for the synthesis. */
  provider: ProviderId | null;
  /** Date of the price table; for a synthesis it is known once it is claimed. */
  priceDate: string | null;
  /** Whether an attempt was granted, so that the provider may have been called. */
  submitted: boolean;
  /** Whether the provider returned the run's id: the run then exists even if a worker says that it did not call. */
  known: boolean;
  /** The first reported charge; null if none is known. */
  charge: Charge | null;
}

const NOTHING: LedgerTotals = {
  reservedMicros: 0,
  heldMicros: 0,
  committedMicros: 0,
  releasedMicros: 0,
  lostMicros: 0,
  overrunMicros: 0,
  lateMicros: 0,
};
const AMOUNTS = Object.keys(NOTHING) as (keyof LedgerTotals)[];

/** Keeps the accounts of one job while its history is read, and notes contradictions. */
export class LedgerBook {
  readonly lines: LedgerLine[] = [];
  readonly accounts: LedgerAccount[] = [];
  readonly totals: LedgerTotals = { ...NOTHING };
  readonly discrepancies: string[] = [];
  capMicros = 0;
  markupBasisPoints = 0;
  frozen: Totals | null = null;
  private readonly plan: PlanEntry[] = [];
  private page: Pick<LedgerLine, 'version' | 'event'> = { version: 0, event: 'JobRequested' };

  /** Sets the event that causes the next lines. */
  turnTo(version: number, event: JobEvent['type']): void {
    this.page = { version, event };
  }

  open({ plan, budgetCapCents, markupBasisPoints, synthesisReserveMicros }: JobTerms & { plan: readonly PlanEntry[] }): void {
    this.capMicros = microsFromCents(budgetCapCents);
    this.markupBasisPoints = markupBasisPoints;
    if (!Number.isSafeInteger(this.capMicros)) this.note('names no cap');
    if (synthesisReserveMicros > 0) this.reserve(null, 1, synthesisReserveMicros);
    this.enter(plan);
  }

  /** Enters steps, planned at the start or for a topic, with the reservations of their first runs. */
  enter(steps: readonly PlanEntry[]): void {
    this.plan.push(...steps);
    for (const { stepId, reservedMicros } of steps) this.reserve(stepId, 1, reservedMicros);
  }

  reserve(stepId: string | null, run: number, micros: number): void {
    if (this.find(stepId, run)) this.note(`reserves for ${nameOf(stepId, run)} again`);
    const { provider = null, priceDate = null } = this.plan.find((entry) => entry.stepId === stepId) ?? {};
    const account = { ...NOTHING, stepId, run, provider, priceDate, submitted: false, known: false, charge: null };
    this.accounts.push(account);
    if (micros !== 0) this.move(account, 'reserved', micros);
  }

  grant(stepId: string | null, run: number, micros: number): void {
    const account = this.accountOf(stepId, run);
    if (account.reservedMicros !== micros)
      this.note(`grants ${micros} to ${nameOf(stepId, run)}, which reserved ${account.reservedMicros}`);
    if (this.frozen) this.note(`grants ${nameOf(stepId, run)} after the end`);
    account.submitted = true;
  }

  /** The first attempt at a synthesis takes over what the job kept back for it; each further one reserves the same amount again. */
  grantSynthesis(attempt: number, micros: number, priceDate: string | null): void {
    if (!this.find(null, attempt)) this.reserve(null, attempt, micros);
    this.accountOf(null, attempt).priceDate = priceDate;
    this.grant(null, attempt, micros);
  }

  recordKnown(stepId: string, run: number): void {
    this.accountOf(stepId, run).known = true;
  }

  /** For a worker that never called the provider. If the run's id is known, an earlier attempt did call. */
  takeBackGrant(stepId: string, run: number): void {
    const account = this.accountOf(stepId, run);
    account.submitted = account.known;
  }

  /** Books a known charge once: the customer pays it from the run's reservation, and the rest is released. */
  settle(stepId: string | null, run: number, { charge, committedMicros, overrunMicros }: Settlement): void {
    const account = this.accountOf(stepId, run);
    const billed = charge && !account.charge ? withMarkup(charge.micros, this.markupBasisPoints) : 0;
    if (committedMicros + overrunMicros !== billed) {
      this.note(`books ${committedMicros} and an overrun of ${overrunMicros} for ${nameOf(stepId, run)}, which costs ${billed}`);
    }
    if (!charge) return;
    if (account.charge) return this.move(account, 'repeated', 0, charge);
    account.charge = charge;
    if (this.frozen) return this.move(account, 'late', billed, charge);
    const payable = Math.min(billed, account.heldMicros);
    if (committedMicros !== payable) this.note(`commits ${committedMicros} for ${nameOf(stepId, run)} instead of ${payable}`);
    this.move(account, 'committed', committedMicros, charge);
    if (overrunMicros > 0) this.move(account, 'overrun', overrunMicros, charge);
    if (account.heldMicros > 0) this.move(account, 'released', account.heldMicros);
  }

  /** Releases the step's reservations for runs without a granted attempt. */
  giveBack(stepId: string): void {
    for (const account of this.accounts) {
      if (account.stepId === stepId && !account.submitted && account.heldMicros > 0) this.move(account, 'released', account.heldMicros);
    }
  }

  /** Ends the job: nothing is held any more, and the final event must state the same totals as the accounts. */
  close({ chargedMicros, lostMicros, overrunMicros }: Totals): void {
    if (this.frozen) this.note('ends the job again');
    for (const account of this.accounts) {
      if (account.heldMicros > 0) this.move(account, account.submitted ? 'lost' : 'released', account.heldMicros);
    }
    const { totals } = this;
    this.frozen = { chargedMicros, lostMicros, overrunMicros };
    const figures = {
      charged: [chargedMicros, totals.committedMicros],
      lost: [lostMicros, totals.lostMicros],
      overrun: [overrunMicros, totals.overrunMicros],
    };
    for (const [name, [told, found]] of Object.entries(figures)) {
      if (told !== found) this.note(`says ${name} ${told}, the accounts say ${found}`);
    }
  }

  private move(account: LedgerAccount, movement: Movement, micros: number, charge: Charge | null = null): void {
    if (!Number.isSafeInteger(micros) || micros < 0) return this.note(`${movement} ${micros} is no amount`);
    const change: LedgerTotals = { ...NOTHING };
    if (movement !== 'repeated') change[`${movement}Micros`] = micros;
    change.heldMicros = change.reservedMicros - change.committedMicros - change.releasedMicros - change.lostMicros;
    for (const amount of AMOUNTS) {
      account[amount] += change[amount];
      this.totals[amount] += change[amount];
    }
    const { stepId, run } = account;
    const balance = { committedMicros: this.totals.committedMicros, reservedMicros: this.totals.heldMicros };
    this.lines.push({ ...this.page, stepId, run, movement, micros, charge, balance });
    if (account.heldMicros < 0) this.note(`takes more than ${nameOf(stepId, run)} holds`);
    if (balance.committedMicros + balance.reservedMicros > this.capMicros) this.note(`goes above the cap of ${this.capMicros}`);
  }

  private find(stepId: string | null, run: number): LedgerAccount | undefined {
    return this.accounts.find((account) => account.stepId === stepId && account.run === run);
  }

  private accountOf(stepId: string | null, run: number): LedgerAccount {
    const account = this.find(stepId, run);
    if (account) return account;
    this.note(`speaks of ${nameOf(stepId, run)}, for which nothing was reserved`);
    this.reserve(stepId, run, 0);
    return this.accountOf(stepId, run);
  }

  private note(what: string): void {
    this.discrepancies.push(`${this.page.version} ${this.page.event} ${what}`);
  }
}

const nameOf = (stepId: string | null, run: number): string => `run ${run} of ${stepId ?? 'the synthesis'}`;
