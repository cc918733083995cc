import { IsInt, Max, Min } from 'class-validator';

/** Node fires a timer with a longer delay at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function milliseconds(target: object, key: string): void {
  IsInt({ message: `must be a whole number of milliseconds` })(target, key);
  Min(1, { message: 'must be at least 1 (milliseconds)' })(target, key);
  Max(MAX_TIMER_MS, { message: `must be at most ${MAX_TIMER_MS} (milliseconds)` })(target, key);
}
