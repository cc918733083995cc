/** Longer than usual proxies wait for an answer would be no use. */
const MAX_SECONDS = 30;

/**
 * How many seconds a client prefers to wait (RFC 7240), at most 30; null if it does not say, or not so that it can be read: a preference
 * that cannot be honoured is ignored.
 */
export function preferredWait(prefer: string | string[] | undefined): number | null {
  if (prefer === undefined) return null;
  const preferences = [prefer].flat().join(',').split(',');
  for (const preference of preferences) {
    const [name = '', value = ''] = (preference.split(';', 1)[0] ?? '').split('=', 2).map((part) => part.trim());
    if (name.toLowerCase() !== 'wait') continue;
    // The first of several counts.
    const seconds = /^(?:(\d+)|"(\d+)")$/.exec(value);
    return seconds ? Math.min(Number(seconds[1] ?? seconds[2]), MAX_SECONDS) : null;
  }
  return null;
}
