import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { WIRE_VERSION } from './subjects';

/** The subject of workers of the release before, for all their providers together. */
export const WORKER_LIMITS_SUBJECT = 'worker.limits';
/** Broadcast by each worker every few seconds: how many steps of this provider it takes at a time, so that not too many are dispatched ahead. */
export const workerLimitsSubject = (provider: ProviderId | '*'): string => `${WORKER_LIMITS_SUBJECT}.${provider}`;

/** How many steps of one provider a worker takes. */
export interface WorkerLimits {
  /** Steps at a time. */
  slots: number;
  /** Submits; null for no limit. */
  requestsPerMinute: number | null;
}

export interface WorkerAnnouncement {
  /** Random for each worker process. */
  worker: string;
  /** The build that it runs; null if it does not tell. */
  build?: string | null;
  /** Empty once the worker takes no new steps. */
  limits: ReadonlyMap<ProviderId, WorkerLimits>;
  /** How many attempts it still finishes while it takes no new steps; null or absent while it takes some, or once it has ended. */
  drainsWith?: number | null;
}

const MAX_SLOTS = 10_000;
const MAX_REQUESTS = 60_000;
const MAX_HELD = 1_000_000;
const MAX_NAME_LENGTH = 100;

export const announcementPayload = ({ worker, build, limits, drainsWith = null }: WorkerAnnouncement): object => ({
  v: WIRE_VERSION,
  worker,
  ...(build ? { build } : {}),
  limits: Object.fromEntries(limits),
  ...(drainsWith === null ? {} : { drainsWith }),
});

/** @returns null for a payload that is no announcement; impossible limits are left out */
export function readAnnouncement(payload: unknown): WorkerAnnouncement | null {
  const { v, worker, build, limits, drainsWith } = asRecord(payload);
  if (v !== WIRE_VERSION || typeof worker !== 'string' || worker === '' || worker.length > MAX_NAME_LENGTH) return null;
  if (typeof limits !== 'object' || limits === null) return null;
  const read = PROVIDERS.flatMap((provider): [ProviderId, WorkerLimits][] => {
    const { slots, requestsPerMinute = null } = asRecord((limits as Record<string, unknown>)[provider]);
    if (!isCount(slots, MAX_SLOTS)) return [];
    return [[provider, { slots, requestsPerMinute: isCount(requestsPerMinute, MAX_REQUESTS) ? requestsPerMinute : null }]];
  });
  const drains = read.length === 0 && (drainsWith === 0 || isCount(drainsWith, MAX_HELD));
  return {
    worker,
    build: typeof build === 'string' && build.length <= MAX_NAME_LENGTH ? build : null,
    limits: new Map(read),
    drainsWith: drains ? drainsWith : null,
  };
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
