import { Standstill } from '../../src/runtime/standstill';

let standstill: Standstill;
const realNow = performance.now.bind(performance);
beforeEach(() => {
  jest.useFakeTimers();
  standstill = new Standstill();
  standstill.start();
});
afterEach(() => {
  standstill.stop();
  performance.now = realNow;
  jest.useRealTimers();
});

const pass = (milliseconds: number) => jest.advanceTimersByTime(milliseconds);
/** The monotonic clock goes on while no timer fires. */
const standStill = (milliseconds: number) => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + milliseconds;
};

it('a process whose timers fire has read every message at once, however long it has waited for one', () => {
  pass(60_000);
  expect(standstill.unreadMs()).toBe(0);
});

it('after a standstill a message may have waited for as long, though no timer has noticed yet', () => {
  standStill(5_000);
  expect(standstill.unreadMs()).toBe(5_000);
});

it('a pause of a second is only busy, and one that is longer is none', () => {
  standStill(1_000);
  expect(standstill.unreadMs()).toBe(0);
  standStill(1_001);
  expect(standstill.unreadMs()).toBe(1_001);
});

it('for a second after it messages are read that came during it', () => {
  standStill(5_000);
  pass(100);
  expect(standstill.unreadMs()).toBe(5_100);
  pass(999);
  expect(standstill.unreadMs()).toBe(5_100);
  pass(1);
  expect(standstill.unreadMs()).toBe(0);
});

it('the last of several standstills counts', () => {
  standStill(5_000);
  expect(standstill.unreadMs()).toBe(5_000);
  standStill(2_000);
  expect(standstill.unreadMs()).toBe(2_000);
});

it('leaves no timer behind, and may be stopped before it has begun', () => {
  expect(jest.getTimerCount()).toBe(1);
  standstill.stop();
  expect(jest.getTimerCount()).toBe(0);
  expect(() => new Standstill().stop()).not.toThrow();
});
