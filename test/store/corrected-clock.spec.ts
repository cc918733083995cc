import { CorrectedClock } from '@lib/store/commit/clock';

/** The database's time at moment 0 of the monotonic clock. */
const EPOCH = Date.UTC(2026, 10, 21);

let clock: CorrectedClock;
beforeEach(() => {
  clock = new CorrectedClock();
});

/** A statement of so long a round trip, of which the database says that its clock is so far ahead of ours. */
const observe = (aheadMs: number, roundTripMs: number, sentAt = 1_000) =>
  clock.observe(new Date(EPOCH + sentAt + aheadMs), sentAt, sentAt + roundTripMs);

/** How far ahead the clock believes the database to be. */
const believed = (): number | undefined => {
  const at = clock.at(5_000);
  return at ? at.getTime() - EPOCH - 5_000 : undefined;
};

it('tells the process’s time until the database has told its own, and dates nothing by it', () => {
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000);
  expect([clock.isKnown, clock.at(5_000)]).toEqual([false, null]);
});

it('tells the database’s time by the monotonic clock', () => {
  observe(300, 10);
  expect([clock.isKnown, believed()]).toEqual([true, 300]);
  const before = performance.now();
  const now = clock.now().getTime() - EPOCH - 300;
  expect(now).toBeGreaterThanOrEqual(Math.floor(before));
  expect(now).toBeLessThanOrEqual(performance.now());
});

it('believes the shorter round trip, and the later of two that are as short', () => {
  observe(300, 10);
  observe(302, 20);
  expect(believed()).toBe(300);
  observe(303, 9);
  expect(believed()).toBe(303);
  observe(304, 9);
  expect(believed()).toBe(304);
});

it('believes a longer round trip once the clocks may have drifted apart by the difference', () => {
  observe(300, 10);
  observe(302, 20, 10_000);
  expect(believed()).toBe(300);
  observe(302, 20, 11_000);
  expect(believed()).toBe(302);
});

it.each([
  ['behind by more than the round trip that is believed and a millisecond', 288, 288],
  ['behind by no more', 290, 300],
  ['ahead by more than its own round trip and a millisecond', 352, 352],
  ['ahead by no more', 350, 300],
])('takes the clock to be set where it is %s', (_, told, believes) => {
  observe(300, 10);
  observe(told, 50);
  expect(believed()).toBe(believes);
});

it('dates nothing once it is invalidated, and then believes whatever it is told next', () => {
  observe(300, 10);
  clock.invalidate();
  expect([clock.isKnown, believed()]).toEqual([false, undefined]);
  expect(Math.abs(clock.now().getTime() - EPOCH - 300 - performance.now())).toBeLessThan(1_000);
  observe(305, 900);
  expect([clock.isKnown, believed()]).toEqual([true, 305]);
});
