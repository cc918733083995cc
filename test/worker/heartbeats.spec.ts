import { Heartbeats } from '../../src/worker/heartbeats';

const INTERVAL_MS = 10_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** An attempt that remembers when it beat. */
class Attempt {
  readonly beats: number[] = [];
  async beat(): Promise<void> {
    this.beats.push(performance.now());
  }
}

describe('the heartbeats of a worker', () => {
  it('come in time for each attempt, and for many of them together', () => {
    const heartbeats = new Heartbeats(INTERVAL_MS);
    const attempts = Array.from({ length: 500 }, () => {
      const attempt = new Attempt();
      heartbeats.begin(attempt);
      jest.advanceTimersByTime(INTERVAL_MS / 500);
      return { attempt, begunAt: performance.now() - INTERVAL_MS / 500 };
    });
    jest.advanceTimersByTime(5 * INTERVAL_MS);
    for (const { attempt, begunAt } of attempts) {
      const pauses = [begunAt, ...attempt.beats].slice(0, -1).map((at, place) => (attempt.beats[place] ?? 0) - at);
      expect(attempt.beats.length).toBeGreaterThanOrEqual(5);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(INTERVAL_MS);
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0.8 * INTERVAL_MS);
    }
    const moments = new Set(attempts.flatMap(({ attempt }) => attempt.beats));
    expect(moments.size).toBeLessThan(80);
  });

  it('end with the attempt, and leave no timer behind', () => {
    const heartbeats = new Heartbeats(INTERVAL_MS);
    const attempt = new Attempt();
    heartbeats.begin(attempt);
    jest.advanceTimersByTime(INTERVAL_MS);
    expect(attempt.beats).toHaveLength(1);
    heartbeats.end(attempt);
    expect(jest.getTimerCount()).toBe(0);
    heartbeats.begin(attempt);
    jest.advanceTimersByTime(INTERVAL_MS);
    expect(attempt.beats).toHaveLength(2);
    heartbeats.end(attempt);
  });

  it('of the others go on when one attempt ends, and the one timer of all ends with the last', () => {
    const heartbeats = new Heartbeats(INTERVAL_MS);
    const [first, second] = [new Attempt(), new Attempt()];
    for (const attempt of [first, second]) heartbeats.begin(attempt);
    expect(jest.getTimerCount()).toBe(1);
    heartbeats.end(first);
    jest.advanceTimersByTime(2 * INTERVAL_MS);
    expect([first.beats.length, second.beats.length]).toEqual([0, 2]);
    heartbeats.end(second);
    expect(jest.getTimerCount()).toBe(0);
  });
});
