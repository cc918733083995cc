import { DAY_MS } from './durations';

const SECONDS = /^\d+(\.\d+)?$/;
/** An HTTP date begins with the day of the week. */
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * How long the Retry-After header asks us to wait, at most a day; undefined if it cannot be read or the time has passed.
 * @param text seconds, or an HTTP date
 */
export function retryAfterMs(text: string, nowMs: number): number | undefined {
  const given = text.trim();
  const milliseconds = SECONDS.test(given) ? Number(given) * 1000 : DATE.test(given) ? Date.parse(given) - nowMs : Number.NaN;
  return milliseconds >= 0 ? Math.ceil(Math.min(milliseconds, DAY_MS)) : undefined;
}
