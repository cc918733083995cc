import {
  availableMicros,
  committedMicros,
  openRun,
  releaseUnsubmittedRuns,
  reservedMicros,
  settlementOf,
  settleRun,
  totalsOf,
  type PaidRun,
} from '@lib/domain/job/reservations';

const charge = (micros: number) => ({ micros, provenance: 'reported' as const });
const submitted = (run: number, reserved: number): PaidRun => ({ ...openRun(run, reserved), submitted: true });
const settledWith = (run: PaidRun, micros: number): PaidRun[] => [
  ...settleRun([run], run.run, settlementOf(run, charge(micros), 0), { ended: true }),
];

/** A job of 100 cents with these runs. */
const ledger = (...runs: PaidRun[]) => ({
  budgetCapCents: 100,
  synthesisReserveMicros: 50_000,
  totals: null,
  steps: [{ runs }],
  syntheses: [],
});
const figures = (...runs: PaidRun[]) => {
  const job = ledger(...runs);
  return { committed: committedMicros(job), reserved: reservedMicros(job), available: availableMicros(job) };
};

describe('the ledger of a job', () => {
  it('reserves for each run and for the synthesis', () => {
    expect(figures(openRun(1, 400_000))).toEqual({ committed: 0, reserved: 450_000, available: 550_000 });
  });

  it('no longer needs the synthesis reserve once the job is final', () => {
    const totals = { chargedMicros: 0, lostMicros: 0, overrunMicros: 0 };
    expect(reservedMicros({ ...ledger(openRun(1, 400_000)), totals })).toBe(400_000);
  });

  it('settles a run against its own reservation and frees the rest', () => {
    expect(figures(...settledWith(submitted(1, 400_000), 150_000))).toEqual({ committed: 150_000, reserved: 50_000, available: 800_000 });
  });

  it('lets the operator bear what a run costs beyond its reservation', () => {
    const runs = settledWith(submitted(1, 400_000), 900_000);
    expect(runs).toMatchObject([{ committedMicros: 400_000, overrunMicros: 500_000, held: false, settled: true }]);
    expect(totalsOf(ledger(...runs))).toEqual({ chargedMicros: 400_000, lostMicros: 0, overrunMicros: 500_000 });
  });

  it('keeps the reservation of a run whose charge is unknown, and counts it as lost at the end', () => {
    const run = submitted(1, 400_000);
    const runs = settleRun([run], 1, settlementOf(run, null, 0), { ended: false });
    expect(figures(...runs)).toEqual({ committed: 0, reserved: 450_000, available: 550_000 });
    expect(totalsOf(ledger(...runs))).toEqual({ chargedMicros: 0, lostMicros: 400_000, overrunMicros: 0 });
  });

  it('settles a run once: a second charge is neither the customer’s nor an overrun that replaces the first', () => {
    const runs = settledWith(submitted(1, 400_000), 100_000);
    const [run] = runs as [PaidRun];
    expect(settlementOf(run, charge(300_000), 0)).toEqual({ charge: charge(300_000), committedMicros: 0, overrunMicros: 0 });
    expect(settleRun(runs, 1, settlementOf(run, charge(300_000), 0), { ended: true })).toMatchObject([
      { committedMicros: 100_000, overrunMicros: 0 },
    ]);
  });

  it('charges nothing to a customer whose reservation was given back', () => {
    const released = { ...submitted(1, 400_000), held: false };
    expect(settlementOf(released, charge(70_000), 0)).toEqual({ charge: charge(70_000), committedMicros: 0, overrunMicros: 70_000 });
  });

  it('gives back what no attempt was granted for, and nothing else', () => {
    const runs = releaseUnsubmittedRuns([submitted(1, 400_000), openRun(2, 200_000)]);
    expect(runs.map(({ held }) => held)).toEqual([true, false]);
  });

  it('takes back that a run was submitted if it never was, unless the provider knows it', () => {
    const run = submitted(1, 400_000);
    const known: PaidRun = { ...run, external: { version: 2 } };
    const nothing = settlementOf(run, charge(0), 0);
    expect(settleRun([run], 1, nothing, { ended: false, neverSubmitted: true })).toMatchObject([{ submitted: false, held: false }]);
    expect(settleRun([known], 1, settlementOf(known, null, 0), { ended: false, neverSubmitted: true })).toMatchObject([
      { submitted: true, held: true },
    ]);
  });

  it('leaves other runs alone', () => {
    const runs = [submitted(1, 100), submitted(2, 200)];
    expect(settleRun(runs, 2, settlementOf(submitted(2, 200), charge(50), 0), { ended: true })).toMatchObject([
      { held: true, settled: false },
      { committedMicros: 50 },
    ]);
  });
});
