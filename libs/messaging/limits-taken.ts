import { MAX_LIMITS } from '@lib/domain/limits';
import type { Rate } from '@lib/domain/token-bucket';
import { WIRE_VERSION } from './subjects';

/** How many tokens of a bucket a process has given out since its last message. */
export interface Taken {
  bucket: string;
  tokens: number;
  rate: Rate;
}

export interface LimitsTaken {
  /** The process that sends the message. */
  from: string;
  taken: Taken[];
}

/** Most entries in one message; more are split over several messages. */
export const MAX_TAKEN = 200;
const MAX_NAME_LENGTH = 200;

export const limitsTakenPayload = ({ from, taken }: LimitsTaken): object => ({
  v: WIRE_VERSION,
  from,
  taken: taken.map(({ bucket, tokens, rate }) => [bucket, tokens, rate.perSecond, rate.burst]),
});

/** @returns null for a payload that no process of this build sends; unreadable entries are left out */
export function readLimitsTaken(payload: unknown): LimitsTaken | null {
  const { v, from, taken } = (payload ?? {}) as Record<string, unknown>;
  if (v !== WIRE_VERSION || typeof from !== 'string' || from.length > MAX_NAME_LENGTH || !Array.isArray(taken)) return null;
  return { from, taken: taken.slice(0, MAX_TAKEN).flatMap((entry) => takenOf(entry) ?? []) };
}

function takenOf(entry: unknown): Taken | null {
  if (!Array.isArray(entry)) return null;
  const [bucket, tokens, perSecond, burst] = entry as unknown[];
  const isPositive = (value: unknown, most: number): value is number => typeof value === 'number' && value > 0 && value <= most;
  if (typeof bucket !== 'string' || bucket.length > MAX_NAME_LENGTH) return null;
  if (!isPositive(tokens, MAX_LIMITS.burst) || !isPositive(burst, MAX_LIMITS.burst)) return null;
  return isPositive(perSecond, MAX_LIMITS.requestsPerMinute) ? { bucket, tokens, rate: { perSecond, burst } } : null;
}
