import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection, Subscription } from 'nats';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { CUT_OFF_SUBJECT, readCutOff, type CutOffProcess } from './cut-off-processes';
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

/** Further ones are ignored, so that no sender can fill the memory. */
const MAX_PROCESSES = 1000;

/** What processes say of themselves. */
export interface Heard {
  workers: HeardWorker[];
  /** Null if this NATS user may not hear them. */
  cutOff: CutOffProcess[] | null;
}

/**
 * Connects, listens for the given time, and disconnects: each worker announces itself every five seconds, and so does whoever lost its database.
 * Nothing on the server changes.
 * @throws the client's error where the server does not answer, refuses the login, or does not permit to hear workers
 */
export async function hearProcesses(address: NatsAddress, subjectPrefix: string, listenMs: number): Promise<Heard> {
  const connection = await dialNats({ ...connectionOptions(address), reconnect: false });
  try {
    const workers = new Map<string, HeardWorker>();
    const over = new AbortController();
    const cutOff = new Map<string, CutOffProcess>();
    let mayHear = true;
    hearCutOff(connection, subjectPrefix, cutOff).catch(() => (mayHear = false));
    const refused = Promise.all(PROVIDERS.map((provider) => hear(connection, subjectPrefix, provider, workers)));
    await Promise.race([refused, sleep(listenMs, undefined, { signal: over.signal })]).finally(() => over.abort());
    return { workers: [...workers.values()], cutOff: mayHear ? [...cutOff.values()] : null };
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
    if (workers.has(worker) || workers.size < MAX_PROCESSES) workers.set(worker, known);
  }
}

async function hearCutOff(connection: NatsConnection, prefix: string, cutOff: Map<string, CutOffProcess>): Promise<void> {
  for await (const message of connection.subscribe(prefix + CUT_OFF_SUBJECT)) {
    const told = readCutOff(jsonOf(message.string()));
    if (told && cutOff.size < MAX_PROCESSES) cutOff.set(told.instance, told);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
