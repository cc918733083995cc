import type { Settlement, Totals } from './facts';
import { microsFromCents, withMarkup, type Charge } from '../money';

/**
 * One paid run at a provider with its reservation. Several attempts may follow one run; it settles once, against its own reservation.
 * At any time `committed + reserved + synthesis reserve <= cap` holds for a job.
 */
export interface PaidRun {
  run: number;
  reservedMicros: number;
  /** Whether the reservation is held: until the charge is known, or it turns out that the run was never submitted. */
  held: boolean;
  /** An attempt was granted for it, so the provider may have been called. */
  submitted: boolean;
  settled: boolean;
  /** The run is over, according to the provider or because its result is known, so it is not resumed. */
  ended: boolean;
  committedMicros: number;
  overrunMicros: number;
  /** Version of the event that holds the provider's run id; null if none is known. */
  external: { version: number } | null;
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

/** Splits a charge: the customer pays up to the run's reservation, the operator the rest. */
export function settlementOf(run: PaidRun, charge: Charge | null, markupBasisPoints: number): Settlement {
  if (!charge || run.settled) return { charge, committedMicros: 0, overrunMicros: 0 };
  const micros = withMarkup(charge.micros, markupBasisPoints);
  const committedMicros = run.held ? Math.min(micros, run.reservedMicros) : 0;
  return { charge, committedMicros, overrunMicros: micros - committedMicros };
}

/** A known charge settles the run and releases the rest of its reservation. With an unknown charge the run keeps its reservation. */
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

/** Releases the reservations of runs for which no attempt was granted. */
export const releaseUnsubmittedRuns = (runs: readonly PaidRun[]): readonly PaidRun[] =>
  runs.map((run) => (run.submitted ? run : { ...run, held: false }));

/** The part of a job that the sums are computed from. */
export interface JobAmounts {
  budgetCapCents: number;
  /** Kept back for a synthesis, whose first attempt takes it over as its reservation. */
  synthesisReserveMicros: number;
  /** Set once the job is final: the synthesis reserve is no longer needed. */
  totals: Totals | null;
  steps: readonly { runs: readonly PaidRun[] }[];
  syntheses: readonly { run: PaidRun }[];
}

const allRuns = ({ steps, syntheses }: JobAmounts): PaidRun[] => [...steps.flatMap(({ runs }) => runs), ...syntheses.map(({ run }) => run)];
const keptForSynthesis = ({ totals, syntheses, synthesisReserveMicros }: JobAmounts): number =>
  totals || syntheses.length > 0 ? 0 : synthesisReserveMicros;
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const committedMicros = (state: JobAmounts): number => sum(allRuns(state).map((run) => run.committedMicros));
export const reservedMicros = (state: JobAmounts): number =>
  sum(allRuns(state).map((run) => (run.held ? run.reservedMicros : 0))) + keptForSynthesis(state);

export const availableMicros = (state: JobAmounts): number =>
  microsFromCents(state.budgetCapCents) - committedMicros(state) - reservedMicros(state);

/** The totals in the final event. Lost reservations are not charged to the customer, and later charges change nothing. */
export const totalsOf = (state: JobAmounts): Totals => ({
  chargedMicros: committedMicros(state),
  lostMicros: sum(allRuns(state).map((run) => (run.held && run.submitted ? run.reservedMicros : 0))),
  overrunMicros: sum(allRuns(state).map((run) => run.overrunMicros)),
});
