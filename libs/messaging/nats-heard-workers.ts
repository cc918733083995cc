import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection, Subscription } from 'nats';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { dialNats } from './nats-dial';
import { connectionOptions, type NatsAddress } from './nats-options';
import { readAnnouncement, workerLimitsSubject } from './worker-limits';

/** A worker process, as it describes itself. */
export interface HeardWorker {
  worker: string;
  build: string | null;
  /** How many steps of each provider it takes at a time. */
  slots: Partial<Record<ProviderId, number>>;
  /** How many attempts it still finishes while it takes no new steps; null while it takes some. */
  drainsWith: number | null;
}

/** Further workers are ignored, so that no sender can fill the memory. */
const MAX_WORKERS = 1000;

/**
 * Connects, listens for the given time, and disconnects: each worker announces itself every five seconds. Nothing on the server changes.
 * @throws the client's error where the server does not answer, refuses the login, or does not permit to listen
 */
export async function hearWorkers(address: NatsAddress, subjectPrefix: string, listenMs: number): Promise<HeardWorker[]> {
  const connection = await dialNats({ ...connectionOptions(address), reconnect: false });
  try {
    const workers = new Map<string, HeardWorker>();
    const over = new AbortController();
    const refused = Promise.all(PROVIDERS.map((provider) => hear(connection, subjectPrefix, provider, workers)));
    await Promise.race([refused, sleep(listenMs, undefined, { signal: over.signal })]).finally(() => over.abort());
    return [...workers.values()];
  } finally {
    await connection.close();
  }
}

/** Listens until the connection is closed. A message counts only for the provider in its subject. */
async function hear(connection: NatsConnection, prefix: string, provider: ProviderId, workers: Map<string, HeardWorker>): Promise<void> {
  const subscription: Subscription = connection.subscribe(prefix + workerLimitsSubject(provider));
  for await (const message of subscription) {
    const announced = readAnnouncement(jsonOf(message.string()));
    if (!announced) continue;
    const { worker, build = null, limits, drainsWith = null } = announced;
    const slots = limits.get(provider)?.slots;
    if (slots === undefined && drainsWith === null) continue;
    const known = workers.get(worker) ?? { worker, build, slots: {}, drainsWith };
    known.drainsWith = drainsWith;
    if (slots === undefined) known.slots = {};
    else known.slots[provider] = slots;
    if (workers.has(worker) || workers.size < MAX_WORKERS) workers.set(worker, known);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
