import fc from '../support/properties';
import { chooseByPreference, refuseTier, reservationFor, reserve, type BudgetCaps } from '@lib/domain/budget';
import { DomainError } from '@lib/domain/errors';
import { centsFromMicros, microsFromCents } from '@lib/domain/money';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { candidate } from '../support/job-history';

const CAPS: BudgetCaps = { XXS: 100, XS: 200, S: 500, M: 1500, L: 3000, XL: 6000 };

describe('a reservation', () => {
  it.each([
    ['takes the most that the provider may need', 900, 400],
    ['is what is left, if that is enough for the provider', 250, 250],
    ['is the provider’s minimum at the least', 100, 100],
  ])('%s', (_, left, reserved) => {
    expect(reservationFor({ minReserveMicros: 100, maxReserveMicros: 400 }, left)).toBe(reserved);
  });

  it('is none where less than the minimum is left', () => {
    expect(reservationFor({ minReserveMicros: 100, maxReserveMicros: 400 }, 99)).toBeNull();
    expect(reservationFor({ minReserveMicros: 0, maxReserveMicros: 0 }, -1)).toBeNull();
  });

  it('of nothing always fits for a provider that charges nothing', () => {
    expect(reservationFor({ minReserveMicros: 0, maxReserveMicros: 0 }, 0)).toBe(0);
  });
});

const candidates = fc
  .array(fc.tuple(fc.nat({ max: 500_000 }), fc.nat({ max: 500_000 })), { maxLength: 8 })
  .map((reserves) =>
    reserves.map(([least, more], place) => candidate(`stp_${place}`, PROVIDERS[place] ?? 'provider-a', least, least + more)),
  );

describe('reserving in order', () => {
  it('never reserves more than there is, and skips only what would not have fitted', () => {
    fc.assert(
      fc.property(candidates, fc.nat({ max: 2_000_000 }), (wanted, budget) => {
        let left = budget;
        for (const { candidate: one, reservedMicros } of reserve(wanted, budget)) {
          if (reservedMicros === null) expect(left).toBeLessThan(one.minReserveMicros);
          else {
            expect(reservedMicros).toBeGreaterThanOrEqual(one.minReserveMicros);
            expect(reservedMicros).toBeLessThanOrEqual(one.maxReserveMicros);
            left -= reservedMicros;
          }
        }
        expect(left).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('lets a smaller provider in behind one that did not fit', () => {
    const wanted = [candidate('stp_1', 'provider-a', 900, 900), candidate('stp_2', 'provider-b', 200, 300)];
    expect(reserve(wanted, 500).map(({ reservedMicros }) => reservedMicros)).toEqual([null, 300]);
  });
});

describe('the default providers', () => {
  const preference = [
    candidate('stp_1', 'provider-d-premium', 600_000, 900_000),
    candidate('stp_2', 'provider-a', 100_000, 200_000),
    candidate('stp_3', 'provider-c', 100_000, 200_000),
  ];

  it('are the first of the list that fit, as many as the tier has', () => {
    expect(chooseByPreference(preference, 2, 1_500_000).map(({ provider }) => provider)).toEqual(['provider-d-premium', 'provider-a']);
    expect(chooseByPreference(preference, 2, 500_000).map(({ provider }) => provider)).toEqual(['provider-a', 'provider-c']);
    expect(chooseByPreference(preference, 2, 50_000)).toEqual([]);
  });

  it('that were chosen can all be reserved', () => {
    fc.assert(
      fc.property(candidates, fc.nat({ max: 8 }), fc.nat({ max: 2_000_000 }), (wanted, count, budget) => {
        const chosen = chooseByPreference(wanted, count, budget);
        expect(chosen.length).toBeLessThanOrEqual(count);
        expect(reserve(chosen, budget).filter(({ reservedMicros }) => reservedMicros === null)).toEqual([]);
      }),
    );
  });
});

describe('a tier that is too small', () => {
  const refusalOf = (minimum: number, reserveForSynthesis = 0): string => {
    try {
      return refuseTier(
        'XXS',
        [candidate('stp_1', 'provider-a', 2 * minimum, 2 * minimum), candidate('stp_2', 'provider-b', minimum)],
        reserveForSynthesis,
        CAPS,
      );
    } catch (error) {
      return error instanceof DomainError ? `${error.code}: ${error.detail}` : String(error);
    }
  };

  it('is refused with the smallest one under which one of the providers could run', () => {
    expect(refusalOf(microsFromCents(101))).toBe(
      'budget_too_small: The budget XXS covers none of the requested providers; the smallest budget that would do is XS.',
    );
    expect(refusalOf(microsFromCents(200), 1)).toContain('would do is S.');
    expect(refusalOf(microsFromCents(6000))).toContain('would do is XL.');
  });

  it('says so when none is large enough', () => {
    expect(refusalOf(microsFromCents(6000) + 1)).toContain('no budget tier is large enough');
  });
});

describe('money', () => {
  it('is rounded up to whole cents, and comes back from cents unchanged', () => {
    expect([0, 1, 10_000, 10_001].map(centsFromMicros)).toEqual([0, 1, 1, 2]);
    fc.assert(fc.property(fc.nat({ max: 10_000_000 }), (cents) => expect(centsFromMicros(microsFromCents(cents))).toBe(cents)));
  });
});
