import fc from '../support/properties';
import { committedMicros, reservedMicros } from '@lib/domain/job/reservations';
import { isFinal } from '@lib/domain/job/state';
import { ledgerOf, type JobLedger } from '@lib/domain/ledger';
import { centsFromMicros, microsFromCents, PLAUSIBLE_CHARGE_MICROS, plausibleCharge, withMarkup, beforeMarkup } from '@lib/domain/money';
import { hostileWork } from '../support/hostile-work';
import { request } from '../support/job-history';
import { ENDINGS, plan, play, type Run } from '../support/job-schedules';
import { ProviderBooks } from '../support/provider-books';

const totalOf = (ledger: JobLedger, movement: string): number =>
  ledger.lines.filter((line) => line.movement === movement).reduce((sum, { micros }) => sum + micros, 0);

function settledOnce({ lines, accounts }: JobLedger): void {
  for (const { stepId, run } of accounts) {
    const settling = lines.filter((line) => line.stepId === stepId && line.run === run && ['committed', 'late'].includes(line.movement));
    expect(settling.length).toBeLessThanOrEqual(1);
  }
}

/** A schedule to its end, with what the providers billed and the ledger checked after every event. */
function playWatched(
  changes: Parameters<typeof request>[0] & object,
  schedule: Parameters<typeof play>[0],
): Run & { books: ProviderBooks } {
  const books = new ProviderBooks(changes.markupBasisPoints ?? 0);
  const run = play([request(changes), ...schedule, ...ENDINGS], {
    command: (command) => books.hear(command),
    event: (_, event, state, events) => {
      books.see(event);
      const ledger = ledgerOf(events);
      expect(ledger.discrepancies).toEqual([]);
      expect(committedMicros(state) + reservedMicros(state)).toBeLessThanOrEqual(ledger.capMicros);
      if (isFinal(state)) expect(ledger.totals.heldMicros).toBe(0);
      else expect(ledger.totals).toMatchObject({ committedMicros: committedMicros(state), heldMicros: reservedMicros(state) });
    },
  });
  return { ...run, books };
}

describe('the money of a job, whatever its providers charge and whenever they say so', () => {
  it('stays under the cap, is charged once for each run and to the run that cost it, and none of a reservation is left at the end', () => {
    fc.assert(
      fc.property(plan, hostileWork, (changes, schedule) => {
        const { events, state, books } = playWatched(changes, schedule);
        if (events.length === 0) return; // refused: nothing fitted under the cap
        const ledger = ledgerOf(events);
        settledOnce(ledger);
        for (const { stepId, run, ...amounts } of ledger.accounts) {
          expect(amounts.reservedMicros).toBe(amounts.committedMicros + amounts.releasedMicros + amounts.lostMicros);
          const { committedMicros: committed, lateMicros, charge } = amounts;
          expect([stepId, run, { committedMicros: committed, lateMicros, charge }]).toEqual([
            stepId,
            run,
            books.owedFor(stepId, run) ?? { committedMicros: 0, lateMicros: 0, charge: null },
          ]);
        }
        const charged = state.totals?.chargedMicros ?? NaN;
        expect([charged, ledger.chargedMicros, totalOf(ledger, 'committed')]).toEqual(Array(3).fill(books.committedMicros));
        expect(centsFromMicros(charged)).toBeLessThanOrEqual(changes.budgetCapCents);
        expect(charged).toBeLessThanOrEqual(microsFromCents(changes.budgetCapCents));
        expect(state.totals).toMatchObject({ lostMicros: totalOf(ledger, 'lost'), overrunMicros: totalOf(ledger, 'overrun') });
      }),
      { numRuns: 3000 },
    );
  });

  it('meets on these schedules all that it is about', () => {
    const met = new Set<string>();
    for (const [changes, schedule] of fc.sample(fc.tuple(plan, hostileWork), { numRuns: 1500, seed: 7 })) {
      const { events } = play([request(changes), ...schedule, ...ENDINGS]);
      for (const { type } of events) met.add(type);
      for (const { movement, stepId } of ledgerOf(events).lines) met.add(`${stepId ? 'step' : 'synthesis'} ${movement}`);
    }
    const movements = ['reserved', 'committed', 'released', 'lost', 'overrun', 'late'];
    const everything = [...movements.flatMap((movement) => [`step ${movement}`, `synthesis ${movement}`]), 'step repeated'];
    expect([...met]).toEqual(
      expect.arrayContaining([
        ...everything,
        'StepAttemptLost',
        'StepRetryRedirected',
        'StepRunCancelled',
        'TopicsPlanned',
        'ContentErased',
        'JobCompleted',
      ]),
    );
  });
});

describe('a markup', () => {
  const micros = fc.integer({ min: 0, max: 1e12 });
  const markup = fc.integer({ min: 0, max: 100_000 });

  it('never lets a provider that keeps its limit cost more than was reserved, and wastes less than one micro-dollar of it', () => {
    fc.assert(
      fc.property(micros, markup, (reserved, points) => {
        const limit = beforeMarkup(reserved, points);
        expect(withMarkup(limit, points)).toBeLessThanOrEqual(reserved);
        expect(withMarkup(limit + 1, points)).toBeGreaterThan(reserved);
      }),
      { numRuns: 5000 },
    );
  });

  it('is exact to the micro-dollar, rounded up', () => {
    fc.assert(
      fc.property(micros, markup, (billed, points) => {
        const exact = BigInt(billed) * BigInt(10_000 + points);
        expect(BigInt(withMarkup(billed, points))).toBe((exact + 9_999n) / 10_000n);
      }),
      { numRuns: 5000 },
    );
  });

  it('gives back what a reservation was made from', () => {
    fc.assert(fc.property(micros, markup, (billed, points) => expect(beforeMarkup(withMarkup(billed, points), points)).toBe(billed)));
  });
});

it.each([
  [0, PLAUSIBLE_CHARGE_MICROS],
  [1_000_000, PLAUSIBLE_CHARGE_MICROS],
  [1_000_001, 100_000_100],
])('of a run that reserved %d micro-dollars a charge counts as it is told up to %d, and beyond it as an estimate', (reserved, most) => {
  const charge = { micros: most, provenance: 'reported' as const, pricesSha256: 'ab' };
  expect(plausibleCharge(charge, reserved)).toEqual(charge);
  expect(plausibleCharge({ ...charge, micros: most + 1 }, reserved)).toEqual({ ...charge, provenance: 'estimated' });
});
