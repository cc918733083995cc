/**
 * How the time of a lease is divided. `heartbeatMs` after the last renewal the worker asks for the next one. If that try gets no answer, it asks
 * all sagas at once. A broker connection that died silently is noticed within two more tries, which leaves one try for the renewal. So
 * `leaseMs = heartbeatMs + 4 * tryMs`, and each of these can fail once without an attempt being lost.
 */
export interface LeaseTimes {
  leaseMs: number;
  heartbeatMs: number;
  /** How long one try of a heartbeat waits. A saga that needs longer for a commit counts as not available. */
  tryMs: number;
  /** How often an idle saga checks that it can still commit. */
  probeMs: number;
  /** A broker that is silent for this long is left for another one. */
  brokerSilenceMs: number;
}

const TRIES = 4;
/** Enough for an answer that involves two processes and a database. */
export const MIN_TRY_MS = 50;

export function leaseTimes({ LEASE_MS: leaseMs, HEARTBEAT_MS: heartbeatMs }: { LEASE_MS: number; HEARTBEAT_MS: number }): LeaseTimes {
  const tryMs = Math.floor((leaseMs - heartbeatMs) / TRIES);
  return { leaseMs, heartbeatMs, tryMs, probeMs: Math.ceil(tryMs / 2), brokerSilenceMs: tryMs * 2 };
}
