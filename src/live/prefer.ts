/** Waiting longer would be useless, since common proxies give up on an answer by then. */
const MAX_SECONDS = 30;

/**
 * How many seconds a client prefers to wait (RFC 7240), at most 30; null if it does not say or the value is unreadable, since a preference
 * that cannot be honoured is ignored.
 */
export function preferredWait(prefer: string | string[] | undefined): number | null {
  if (prefer === undefined) return null;
  const preferences = [prefer].flat().join(',').split(',');
  for (const preference of preferences) {
    const [name = '', value = ''] = (preference.split(';', 1)[0] ?? '').split('=', 2).map((part) => part.trim());
    if (name.toLowerCase() !== 'wait') continue;
    // If there are several, the first counts.
    const seconds = /^(?:(\d+)|"(\d+)")$/.exec(value);
    return seconds ? Math.min(Number(seconds[1] ?? seconds[2]), MAX_SECONDS) : null;
  }
  return null;
}
