import { Steadiness } from '../../src/saga/steadiness';

const LEASE_MS = 30_000;

let connectedForMs: number | null;
let steadiness: Steadiness;
beforeEach(() => {
  jest.useFakeTimers();
  connectedForMs = Infinity;
  steadiness = new Steadiness({ connectedForMs: () => connectedForMs }, LEASE_MS);
  steadiness.start();
});
afterEach(() => {
  steadiness.stop();
  jest.useRealTimers();
});

const pass = (milliseconds: number) => jest.advanceTimersByTime(milliseconds);
/** The database answers a question that was asked so long ago. */
const answered = (agoMs = 0) => steadiness.answered(performance.now() - agoMs);

it('begins with the first answer of the database, and lasts a lease later', () => {
  pass(2 * LEASE_MS);
  expect(steadiness.isSteady()).toBe(false);
  answered();
  pass(LEASE_MS - 1);
  expect(steadiness.isSteady()).toBe(false);
  pass(1);
  expect(steadiness.isSteady()).toBe(true);
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
    const short = new Steadiness({ connectedForMs: () => Infinity }, 2_000);
    short.start();
    short.answered(performance.now());
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
