/**
 * How the time of a lease is divided. Counted from its last renewal: a beat later the worker asks for the next one; a try that is not answered
 * is repeated to every saga at once; a connection to the broker that has died in silence is noticed within two more tries, and then one is
 * left for the renewal. So `leaseMs = heartbeatMs + 4 * tryMs`, and each of these may go wrong once without an attempt being lost.
 */
export interface LeaseTimes {
  leaseMs: number;
  heartbeatMs: number;
  /** How long one try of a heartbeat waits; a saga that needs longer for a commit is as good as none. */
  tryMs: number;
  /** How often a saga that commits nothing makes sure that it can. */
  probeMs: number;
  /** Within this time a broker that says nothing is left for another. */
  brokerSilenceMs: number;
}

const TRIES = 4;
/** Two processes and a database answer within it. */
export const MIN_TRY_MS = 50;

export function leaseTimes({ LEASE_MS: leaseMs, HEARTBEAT_MS: heartbeatMs }: { LEASE_MS: number; HEARTBEAT_MS: number }): LeaseTimes {
  const tryMs = Math.floor((leaseMs - heartbeatMs) / TRIES);
  return { leaseMs, heartbeatMs, tryMs, probeMs: Math.ceil(tryMs / 2), brokerSilenceMs: tryMs * 2 };
}
