import fc from '../support/properties';
import type { JobCommand } from '@lib/domain/job/commands';
import { availableMicros, reservedMicros } from '@lib/domain/job/reservations';
import { openSynthesis, synthesisReservation } from '@lib/domain/job/synthesis';
import { isFinal } from '@lib/domain/job/state';
import { ledgerOf } from '@lib/domain/ledger';
import { microsFromCents } from '@lib/domain/money';
import {
  A,
  candidate,
  claimSynthesis,
  complete,
  completePaid,
  given,
  loseSynthesis,
  report,
  request,
  start,
  success,
} from '../support/job-history';
import { charge, ENDINGS, plan, play, result, STEPS } from '../support/job-schedules';

const RESERVE = 200_000;
const claimed = (attempt: number, claimId = 'synthesis claim') => ({
  type: 'SynthesisClaimed',
  facts: { attempt, claimId, reservedMicros: RESERVE, model: 'model-1', priceDate: '2026-11-21', process: null },
});

/** 100 cents, of which one step took 30, and 20 are kept for the synthesis. */
const synthesizing = (...more: JobCommand[]) => synthesizingWith({}, ...more);
const synthesizingWith = (changes: object, ...more: JobCommand[]) =>
  given(
    request({ candidates: [candidate(A, 'provider-a', 0, 800_000)], synthesisReserveMicros: RESERVE, ...changes }),
    start(A),
    report(A, 1, success(300_000)),
    ...more,
  );

describe('a claim of the synthesis', () => {
  it('takes over what was kept back for it, and reserves nothing else', () => {
    synthesizing().when(claimSynthesis()).then(claimed(1));
    const before = synthesizing().state;
    const after = synthesizing(claimSynthesis()).state;
    expect([reservedMicros(before), reservedMicros(after), availableMicros(after)]).toEqual([RESERVE, RESERVE, 500_000]);
  });

  it('that is repeated decides nothing and is still the one that holds', () => {
    const { state, when } = synthesizing(claimSynthesis('c1'));
    when(claimSynthesis('c1')).thenNothing();
    expect(openSynthesis(state)).toMatchObject({ attempt: 1, claimId: 'c1' });
  });

  it('is refused to everybody else while it is held, to a used one ever after, and where nothing was kept back', () => {
    synthesizing(claimSynthesis('c1')).when(claimSynthesis('c2')).thenNothing();
    synthesizing(claimSynthesis('c1'), loseSynthesis(1)).when(claimSynthesis('c1')).thenNothing();
    synthesizingWith({ synthesisReserveMicros: 0 }).when(claimSynthesis()).thenNothing();
  });

  it('is refused before the steps have settled and after the end', () => {
    given(request({ synthesisReserveMicros: RESERVE }))
      .when(claimSynthesis())
      .thenNothing();
    synthesizing({ type: 'CancelJob' }).when(claimSynthesis()).thenNothing();
    synthesizing(complete).when(claimSynthesis()).thenNothing();
  });
});

describe('a synthesis whose holder vanished', () => {
  it('is lost once; its reservation stays counted, and another attempt needs as much again', () => {
    synthesizing(claimSynthesis('c1'))
      .when(loseSynthesis(1))
      .then({ type: 'SynthesisAttemptLost', facts: { attempt: 1 } });
    const lost = synthesizing(claimSynthesis('c1'), loseSynthesis(1));
    lost.when(loseSynthesis(1)).thenNothing();
    lost.when(claimSynthesis('c2')).then(claimed(2, 'c2'));
    const { state } = synthesizing(claimSynthesis('c1'), loseSynthesis(1), claimSynthesis('c2'));
    expect(reservedMicros(state)).toBe(2 * RESERVE);
  });

  it('is not claimed again where the cap has no room for that', () => {
    const tight = { candidates: [candidate(A, 'provider-a', 0, 800_000)], budgetCapCents: 60 };
    synthesizingWith(tight, claimSynthesis('c1'), loseSynthesis(1)).when(claimSynthesis('c2')).thenNothing();
  });

  it('is claimed again where the cap has room for exactly that, and not for a cent less', () => {
    const lostUnder = (budgetCapCents: number) => synthesizingWith({ budgetCapCents }, claimSynthesis('c1'), loseSynthesis(1));
    expect(availableMicros(lostUnder(70).state)).toBe(RESERVE);
    lostUnder(70).when(claimSynthesis('c2')).then(claimed(2, 'c2'));
    lostUnder(69).when(claimSynthesis('c2')).thenNothing();
  });

  it('twice is written without a model, at no cost; lost attempts are not charged', () => {
    const lost = synthesizing(claimSynthesis('c1'), loseSynthesis(1), claimSynthesis('c2'), loseSynthesis(2));
    expect(synthesisReservation(lost.state)).toBeNull();
    lost.when(claimSynthesis('c3')).thenNothing();
    const [completed] = lost.when(complete).events();
    expect(completed).toMatchObject({
      type: 'JobCompleted',
      facts: { chargedMicros: 300_000, lostMicros: 2 * RESERVE, overrunMicros: 0 },
    });
  });
});

describe('the completion of a job whose synthesis is claimed', () => {
  const settled = (facts: object) => ({
    type: 'SynthesisSettled',
    facts: { attempt: 1, failure: null, overrunMicros: 0, calls: [], ...facts },
  });
  const completed = (facts: object) => ({
    type: 'JobCompleted',
    facts: expect.objectContaining(facts) as unknown,
    contentJson: expect.any(String) as unknown,
  });

  it('is accepted from the holder, whose charge comes out of the reservation', () => {
    const chargeOf = (micros: number) => ({ micros, provenance: 'computed' });
    synthesizing(claimSynthesis())
      .when(completePaid(150_000))
      .then(
        settled({ charge: chargeOf(150_000), committedMicros: 150_000 }),
        completed({ chargedMicros: 450_000, lostMicros: 0, overrunMicros: 0 }),
      );
  });

  it('charges the customer no more than the reservation', () => {
    synthesizing(claimSynthesis())
      .when(completePaid(900_000))
      .then(
        settled({ charge: { micros: 900_000, provenance: 'computed' }, committedMicros: RESERVE, overrunMicros: 700_000 }),
        completed({ chargedMicros: 500_000, overrunMicros: 700_000 }),
      );
  });

  it('keeps the reservation of one whose cost nobody knows, and does not charge it', () => {
    synthesizing(claimSynthesis())
      .when(completePaid(null, 'synthesis claim', 'timeout'))
      .then(settled({ failure: 'timeout', charge: null, committedMicros: 0 }), completed({ chargedMicros: 300_000, lostMicros: RESERVE }));
  });

  it('adds the markup', () => {
    synthesizingWith({ markupBasisPoints: 2_000 }, claimSynthesis())
      .when(completePaid(100_000))
      .then(
        settled({ charge: { micros: 100_000, provenance: 'computed' }, committedMicros: 120_000 }),
        completed({ chargedMicros: 480_000 }),
      );
  });

  it('is accepted from nobody else', () => {
    const held = synthesizing(claimSynthesis('c1'));
    held.when(complete).thenNothing();
    held.when(completePaid(5, 'c2')).thenNothing();
    expect(isFinal(held.state)).toBe(false);
  });

  it('by a holder that lost its claim counts its cost, once, and nothing else', () => {
    const lost = [claimSynthesis('c1'), loseSynthesis(1), claimSynthesis('c2')];
    synthesizing(...lost)
      .when(completePaid(50_000, 'c1'))
      .then(settled({ charge: { micros: 50_000, provenance: 'computed' }, committedMicros: 50_000 }));
    synthesizing(...lost, completePaid(50_000, 'c1'))
      .when(completePaid(60_000, 'c1'))
      .thenNothing();
    synthesizing(...lost, completePaid(50_000, 'c1'))
      .when(completePaid(70_000, 'c2'))
      .thenTypes('SynthesisSettled', 'JobCompleted');
  });

  it('after a cancellation counts its cost and changes nothing of what was charged', () => {
    const cancelled = synthesizing(claimSynthesis(), { type: 'CancelJob' });
    expect(cancelled.state.totals).toEqual({ chargedMicros: 300_000, lostMicros: RESERVE, overrunMicros: 0 });
    cancelled.when(completePaid(50_000)).thenTypes('SynthesisSettled');
    expect(synthesizing(claimSynthesis(), { type: 'CancelJob' }, completePaid(50_000)).state.totals).toEqual(cancelled.state.totals);
  });
});

describe('any schedule of claims, losses and completions of a synthesis', () => {
  const claim = fc.constantFrom('c1', 'c2', 'c3');
  const command: fc.Arbitrary<JobCommand> = fc.oneof(
    { weight: 4, arbitrary: claim.map(claimSynthesis) },
    { weight: 2, arbitrary: fc.constantFrom(1, 2, 3).map(loseSynthesis) },
    { weight: 3, arbitrary: fc.tuple(fc.option(charge), claim).map(([micros, id]) => completePaid(micros, id)) },
    { weight: 1, arbitrary: fc.constantFrom<JobCommand>(complete, { type: 'CancelJob' }, { type: 'FailSynthesis' }, ...ENDINGS) },
  );

  it('keeps the cap, pays at most two attempts and one at a time, and tells a ledger without a discrepancy', () => {
    fc.assert(
      fc.property(
        plan,
        fc.array(result, { minLength: 3, maxLength: 3 }),
        fc.array(command, { maxLength: 20 }),
        (terms, results, schedule) => {
          const steps = STEPS.flatMap((step, place) => [start(step), ...(results[place] ? [report(step, 1, results[place])] : [])]);
          const deadline: JobCommand = { type: 'ReachDeadline', phase: 'running' };
          const asked = request({ ...terms, researchMode: 'fast', synthesisReserveMicros: 50_000 });
          const { events, state } = play([asked, ...steps, deadline, ...schedule, ...ENDINGS], {
            event: (_, event, after) => {
              expect(availableMicros(after)).toBeGreaterThanOrEqual(0);
              expect(after.syntheses.filter(({ open }) => open).length).toBeLessThanOrEqual(1);
              expect(after.syntheses.length).toBeLessThanOrEqual(2);
              if (event.type === 'JobCompleted') expect(openSynthesis(after)).toBeUndefined();
            },
          });
          if (events.length === 0) return; // refused: nothing fitted under the cap
          expect(isFinal(state)).toBe(true);
          expect(state.totals?.chargedMicros).toBeLessThanOrEqual(microsFromCents(terms.budgetCapCents));
          expect(ledgerOf(events).discrepancies).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
