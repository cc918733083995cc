import type { JobEvent, JobTerms, PlanEntry, Settlement, Totals } from './job/events';
import { microsFromCents, withMarkup, type Charge } from './money';
import type { ProviderId } from './vocabulary';

/**
 * What happened to a sum. `reserved` out of what was left of the cap; of a reservation some is `committed`, which the customer pays,
 * some `released`, and all that is still held at the end without a known charge is `lost`. The operator bears an `overrun` of the
 * reservation and what is learned of a run too `late`, after the job was final; a charge told twice is `repeated` and moves nothing.
 */
export type Movement = 'reserved' | 'committed' | 'released' | 'lost' | 'overrun' | 'late' | 'repeated';

export interface LedgerLine {
  /** Of the event that moved the money. */
  version: number;
  event: JobEvent['type'];
  /** Null: the synthesis. */
  stepId: string | null;
  /** Of the step; for the synthesis the try. */
  run: number;
  movement: Movement;
  micros: number;
  /** As the provider billed it, on the lines that come from it. */
  charge: Charge | null;
  /** Of the whole job after this line. */
  balance: { committedMicros: number; reservedMicros: number };
}

export interface LedgerTotals {
  reservedMicros: number;
  /** What is left of the reservations: nothing once the job is final. */
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
  /** Of the price table; of the synthesis known once it is claimed. */
  priceDate: string | null;
  /** It was granted, so the provider may have been called. */
  submitted: boolean;
  /** The provider named the run: it exists, whatever a worker says. */
  known: boolean;
  /** The first that was told; null if none is known. */
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

/** Keeps the accounts of one job while its history is read, and notes what does not add up. */
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

  /** The event that the next lines come from. */
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

  /** Steps, planned at the start or for a topic that came up, with the reservations of their first runs. */
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

  /** The first try of a synthesis takes over what was kept back for it; each other one reserves as much again. */
  grantSynthesis(attempt: number, micros: number, priceDate: string | null): void {
    if (!this.find(null, attempt)) this.reserve(null, attempt, micros);
    this.accountOf(null, attempt).priceDate = priceDate;
    this.grant(null, attempt, micros);
  }

  recordKnown(stepId: string, run: number): void {
    this.accountOf(stepId, run).known = true;
  }

  /** The worker never called; a run that the provider named was called by somebody before. */
  takeBackGrant(stepId: string, run: number): void {
    const account = this.accountOf(stepId, run);
    account.submitted = account.known;
  }

  /** A known charge: the customer pays for it out of the run's reservation, once, and what is left goes back. */
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

  /** Frees what the step reserved for runs that nobody was granted. */
  giveBack(stepId: string): void {
    for (const account of this.accounts) {
      if (account.stepId === stepId && !account.submitted && account.heldMicros > 0) this.move(account, 'released', account.heldMicros);
    }
  }

  /** The end of the job: nothing is held any more, and the figures of the final event must be those of the accounts. */
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
