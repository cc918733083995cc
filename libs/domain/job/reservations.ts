import type { Settlement, Totals } from './events';
import { microsFromCents, withMarkup, type Charge } from '../money';

/**
 * One paid run at a provider and the reservation that belongs to it. Several attempts may follow one run; it settles once,
 * against its own reservation. At every instant `committed + reserved + synthesis reserve <= cap` holds for a job.
 */
export interface PaidRun {
  run: number;
  reservedMicros: number;
  /** A reservation is held until the run's charge is known or the run turns out never to have been submitted. */
  held: boolean;
  /** An attempt was granted for it: the provider may have been called. */
  submitted: boolean;
  settled: boolean;
  /** The provider said that it is over, or its result is in: never resumed. */
  ended: boolean;
  committedMicros: number;
  overrunMicros: number;
  external: { sha256: string; version: number } | null;
}

export const openRun = (run: number, reservedMicros: number): PaidRun => ({
  run,
  reservedMicros,
  held: true,
  submitted: false,
  settled: false,
  ended: false,
  committedMicros: 0,
  overrunMicros: 0,
  external: null,
});

/** How a charge meets the run's reservation: the customer pays at most what was reserved for it, the operator bears the rest. */
export function settlementOf(run: PaidRun, charge: Charge | null, markupBasisPoints: number): Settlement {
  if (!charge || run.settled) return { charge, committedMicros: 0, overrunMicros: 0 };
  const micros = withMarkup(charge.micros, markupBasisPoints);
  const committedMicros = run.held ? Math.min(micros, run.reservedMicros) : 0;
  return { charge, committedMicros, overrunMicros: micros - committedMicros };
}

/** A known charge settles the run and frees what is left of its reservation; an unknown one keeps all of it. */
export function settleRun(
  runs: readonly PaidRun[],
  number: number,
  settlement: Settlement,
  { ended, neverSubmitted = false }: { ended: boolean; neverSubmitted?: boolean },
): readonly PaidRun[] {
  return runs.map((run) => {
    if (run.run !== number) return run;
    const submitted = run.submitted && !(neverSubmitted && run.external === null);
    if (!settlement.charge || run.settled) return { ...run, submitted, ended: run.ended || ended };
    const { committedMicros, overrunMicros } = settlement;
    return { ...run, submitted, held: false, settled: true, ended: true, committedMicros, overrunMicros };
  });
}

/** A reservation that no attempt was granted for costs nothing: it is given back. */
export const releaseUnsubmittedRuns = (runs: readonly PaidRun[]): readonly PaidRun[] =>
  runs.map((run) => (run.submitted ? run : { ...run, held: false }));

/** What the ledger reads of a job. */
export interface Ledger {
  budgetCapCents: number;
  /** Kept back until a synthesis takes it over as its own reservation. */
  synthesisReserveMicros: number;
  /** Set once the job is final: the synthesis reserve is no longer needed. */
  totals: Totals | null;
  steps: readonly { runs: readonly PaidRun[] }[];
  syntheses: readonly { run: PaidRun }[];
}

const allRuns = ({ steps, syntheses }: Ledger): PaidRun[] => [...steps.flatMap(({ runs }) => runs), ...syntheses.map(({ run }) => run)];
const keptForSynthesis = ({ totals, syntheses, synthesisReserveMicros }: Ledger): number =>
  totals || syntheses.length > 0 ? 0 : synthesisReserveMicros;
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const committedMicros = (state: Ledger): number => sum(allRuns(state).map((run) => run.committedMicros));
export const reservedMicros = (state: Ledger): number =>
  sum(allRuns(state).map((run) => (run.held ? run.reservedMicros : 0))) + keptForSynthesis(state);

export const availableMicros = (state: Ledger): number =>
  microsFromCents(state.budgetCapCents) - committedMicros(state) - reservedMicros(state);

/** What the final event freezes: lost reservations are not charged to the customer, and later charges change none of it. */
export const totalsOf = (state: Ledger): Totals => ({
  chargedMicros: committedMicros(state),
  lostMicros: sum(allRuns(state).map((run) => (run.held && run.submitted ? run.reservedMicros : 0))),
  overrunMicros: sum(allRuns(state).map((run) => run.overrunMicros)),
});
