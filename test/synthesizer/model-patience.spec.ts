import { modelPatience, type ModelPatience } from '../../src/synthesizer/model-patience';

let patience: ModelPatience;
beforeEach(() => {
  jest.useFakeTimers();
  patience = modelPatience();
});
afterEach(() => jest.useRealTimers());

const timeouts = (count: number): void => Array.from({ length: count }).forEach(() => patience.learn('timeout'));
const isAsked = (): boolean => patience.obstacle() === null;

it('a model is asked until it was silent three times in a row, whatever else it answers', () => {
  timeouts(2);
  patience.learn('overloaded');
  timeouts(2);
  patience.learn(null);
  timeouts(2);
  expect(isAsked()).toBe(true);
  timeouts(1);
  expect(patience.obstacle()).toBe('it did not answer 3 times in a row, and is left alone for a while.');
});

it('a model that was silent is tried by one report in each half minute, and by all once it has answered', () => {
  timeouts(3);
  jest.advanceTimersByTime(29_999);
  expect(isAsked()).toBe(false);
  jest.advanceTimersByTime(1);
  expect([isAsked(), isAsked()]).toEqual([true, false]);
  timeouts(1);
  jest.advanceTimersByTime(29_999);
  expect(isAsked()).toBe(false);
  jest.advanceTimersByTime(1);
  expect(isAsked()).toBe(true);
  patience.learn(null);
  expect([isAsked(), isAsked()]).toEqual([true, true]);
});
