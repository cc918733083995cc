import { Steadiness } from '../../src/saga/steadiness';

const LEASE_MS = 30_000;
const REPORTS_MS = 20_000;

let connectedForMs: number | null;
let steadiness: Steadiness;
beforeEach(() => {
  jest.useFakeTimers();
  connectedForMs = Infinity;
  steadiness = new Steadiness({ connectedForMs: () => connectedForMs }, { leaseMs: LEASE_MS, reportsMs: REPORTS_MS });
  steadiness.start();
});
afterEach(() => {
  steadiness.stop();
  jest.useRealTimers();
});

const pass = (milliseconds: number) => jest.advanceTimersByTime(milliseconds);
/** The database answers a question that was asked so long ago, and that it read at once. Its clock is ahead by so much. */
const answered = (agoMs = 0, aheadMs = 0) => {
  const askedAt = performance.now() - agoMs;
  return steadiness.answered(askedAt, new Date(askedAt + aheadMs));
};

it('begins with the first answer of the database, and lasts a lease later', () => {
  pass(2 * LEASE_MS);
  expect(steadiness.isSteady()).toBe(false);
  answered();
  pass(LEASE_MS - 1);
  expect(steadiness.isSteady()).toBe(false);
  pass(1);
  expect(steadiness.isSteady()).toBe(true);
});

it('has heard the reports that waited for its end long before a lease is over, but not before reports had their time', () => {
  const heard = () => steadiness.hasHeardReports();
  pass(2 * LEASE_MS);
  answered();
  pass(REPORTS_MS - 1);
  expect(heard()).toBe(false);
  pass(1);
  expect([heard(), steadiness.isSteady()]).toEqual([true, false]);
  connectedForMs = REPORTS_MS - 1;
  expect(heard()).toBe(false);
});

it('lets no deadline end for a whole lease after a jump of the clock, in which they are put off', () => {
  answered();
  pass(LEASE_MS);
  answered(0, 60_000);
  pass(LEASE_MS - 1);
  expect(steadiness.hasHeardReports()).toBe(false);
  pass(1);
  expect(steadiness.hasHeardReports()).toBe(true);
});

it('is not interrupted by answers in time', () => {
  answered();
  pass(LEASE_MS);
  answered(3_000);
  expect(steadiness.isSteady()).toBe(true);
});

it.each([
  ['the database could not be reached', () => steadiness.failed()],
  ['the database took more than a tenth of the lease to answer', () => answered(3_001)],
])('begins anew after %s', (_, interrupt) => {
  answered();
  pass(LEASE_MS);
  interrupt();
  expect(steadiness.isSteady()).toBe(false);
  answered();
  pass(LEASE_MS - 1);
  expect(steadiness.isSteady()).toBe(false);
  pass(1);
  expect(steadiness.isSteady()).toBe(true);
});

it('is for no longer than the transport has been connected, and not at all while it is not', () => {
  answered();
  pass(LEASE_MS);
  connectedForMs = LEASE_MS - 1;
  expect(steadiness.isSteady()).toBe(false);
  connectedForMs = null;
  expect(steadiness.isSteady()).toBe(false);
  connectedForMs = LEASE_MS;
  expect(steadiness.isSteady()).toBe(true);
});

describe('a database’s clock that jumps', () => {
  beforeEach(() => {
    answered();
    pass(LEASE_MS);
  });

  it.each([[3_601_000], [-3_601_000]])('by %i ms begins it anew, and is told for a lease', (jumpMs) => {
    expect(answered(0, jumpMs)).toBe(true);
    const jump = { milliseconds: jumpMs, noticedAt: new Date(performance.now() + jumpMs) };
    expect([steadiness.isSteady(), steadiness.recentJump]).toEqual([false, jump]);
    pass(LEASE_MS - 1);
    expect([answered(0, jumpMs), steadiness.isSteady(), steadiness.recentJump]).toEqual([false, false, jump]);
    pass(1);
    expect([steadiness.isSteady(), steadiness.recentJump]).toEqual([true, null]);
  });

  it('while it could not be reached is noticed afterwards', () => {
    steadiness.failed();
    pass(60_000);
    expect([answered(0, -3_601_000), steadiness.recentJump]).toEqual([true, expect.objectContaining({ milliseconds: -3_601_000 })]);
  });

  it.each([[3_000], [-3_000]])('by %i ms, a tenth of the lease, does not count', (jumpMs) => {
    expect([answered(0, jumpMs), steadiness.isSteady()]).toEqual([false, true]);
  });

  it('by no more than an answer took is not told from a slow answer', () => {
    answered(2_000);
    expect([answered(0, -5_000), steadiness.isSteady()]).toEqual([false, true]);
  });
});

describe('an event loop that stood still', () => {
  const realNow = performance.now.bind(performance);
  afterEach(() => {
    performance.now = realNow;
  });
  /** The monotonic clock goes on while no timer fires. */
  const stopFor = (milliseconds: number) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + milliseconds;
  };

  it('for more than a tenth of the lease begins anew, though its timer has not noticed yet', () => {
    answered();
    pass(LEASE_MS);
    stopFor(3_001);
    expect(steadiness.isSteady()).toBe(false);
    pass(LEASE_MS - 1);
    expect(steadiness.isSteady()).toBe(false);
    pass(1);
    expect(steadiness.isSteady()).toBe(true);
  });

  it('for less is only busy', () => {
    answered();
    pass(LEASE_MS);
    stopFor(3_000);
    expect(steadiness.isSteady()).toBe(true);
  });

  it('for less than a second is only busy, however short the lease is', () => {
    const short = new Steadiness({ connectedForMs: () => Infinity }, { leaseMs: 2_000, reportsMs: 2_000 });
    short.start();
    short.answered(performance.now(), new Date());
    pass(2_000);
    stopFor(1_000);
    expect(short.isSteady()).toBe(true);
    stopFor(1_001);
    expect(short.isSteady()).toBe(false);
    short.stop();
  });

  it('is no answer of a database that has not been heard', () => {
    stopFor(5_000);
    pass(2 * LEASE_MS);
    expect(steadiness.isSteady()).toBe(false);
  });
});

it('leaves no timer behind', () => {
  steadiness.stop();
  expect(jest.getTimerCount()).toBe(0);
  steadiness.start();
});
