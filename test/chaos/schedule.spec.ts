import fc from '../support/properties';
import { FAULT_KINDS, schedule } from './schedule';

const options = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  durationMs: fc.integer({ min: 0, max: 600_000 }),
  kinds: fc.subarray(FAULT_KINDS, { minLength: 1 }),
});

describe('a schedule of faults', () => {
  it('is decided by its seed alone, and begins every fault in time and order', () => {
    fc.assert(
      fc.property(options, (given) => {
        const planned = schedule(given);
        expect(schedule(given)).toEqual(planned);
        const times = planned.map(({ atMs }) => atMs);
        expect(times).toEqual([...times].sort((one, other) => one - other));
        expect(times.every((atMs) => atMs < given.durationMs)).toBe(true);
      }),
    );
  });

  it('has every kind once before it has one twice', () => {
    fc.assert(
      fc.property(options, ({ seed, kinds }) => {
        const planned = schedule({ seed, kinds, durationMs: kinds.length * 2_600 * 2 });
        expect(new Set(planned.slice(0, kinds.length).map(({ kind }) => kind))).toEqual(new Set(kinds));
      }),
    );
  });

  it('differs with its seed', () => {
    const ofSeed = (seed: number) => JSON.stringify(schedule({ seed, durationMs: 60_000, kinds: FAULT_KINDS }));
    expect(new Set(Array.from({ length: 50 }, (_, seed) => ofSeed(seed))).size).toBe(50);
  });
});
