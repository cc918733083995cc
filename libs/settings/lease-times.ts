/**
 * How the time of a lease is divided, counted from its last renewal. After one heartbeat interval the worker asks for the next renewal; a try without
 * an answer is repeated to every saga at once; a connection to the broker that has died in silence is noticed within two more tries, and then one is
 * left for the renewal. So `leaseMs = heartbeatMs + 4 * tryMs`, and each of these may go wrong once without an attempt being lost.
 */
export interface LeaseTimes {
  leaseMs: number;
  heartbeatMs: number;
  /** How long one try of a heartbeat waits; a saga whose commits take longer counts as unavailable. */
  tryMs: number;
  /** How often a saga that has nothing to commit checks that it can commit. */
  probeMs: number;
  /** A broker that is silent for this long is left for another one. */
  brokerSilenceMs: number;
  /** How long after an outage the last report that waited for its end arrives. At most a lease. */
  reportsMs: number;
}

/** A worker that has no answer to a report sends it again after this time at the latest. */
export const REPORT_AGAIN_MS = 5_000;
/** Workers of the previous release pause this much longer. */
const EARLIER_PAUSE_MS = 10_000;
/** The longest a NATS client needs to find a server: half a second until its next try, and two seconds until that try is given up. */
const DIAL_MS = 3_000;
/** A broker's silence is noticed by three pings, which two clients send at different moments. */
const PINGS = 3;

const TRIES = 4;
/** Enough for an answer that involves two processes and a database. */
export const MIN_TRY_MS = 50;

export function leaseTimes({ LEASE_MS: leaseMs, HEARTBEAT_MS: heartbeatMs }: { LEASE_MS: number; HEARTBEAT_MS: number }): LeaseTimes {
  const tryMs = Math.floor((leaseMs - heartbeatMs) / TRIES);
  const brokerSilenceMs = tryMs * 2;
  const backMs = Math.ceil(brokerSilenceMs / PINGS) + DIAL_MS;
  const reportsMs = Math.min(leaseMs, REPORT_AGAIN_MS + EARLIER_PAUSE_MS + backMs);
  return { leaseMs, heartbeatMs, tryMs, probeMs: Math.ceil(tryMs / 2), brokerSilenceMs, reportsMs };
}
