import { messageOfError } from '@lib/domain/message-of-error';
import type { CutOffProcess } from '@lib/messaging/cut-off-processes';
import { hearProcesses, type Heard, type HeardWorker } from '@lib/messaging/nats-heard-processes';
import { inspectNats, type NatsServer } from '@lib/messaging/nats-inspection';
import { failureOf } from '@lib/messaging/nats-failures';
import { inboxPrefix } from '@lib/messaging/subjects';
import type { Env } from '@lib/settings/env';
import { AdmissionTable, type Gate } from '@lib/store/agenda/admission-table';
import { pendingMigrations } from '@lib/store/postgres/migrations';
import type { Pool } from '@lib/store/postgres/pool';
import {
  firstEventAge,
  recentEvents,
  seenProcesses,
  serverState,
  standbys,
  type DatabaseServerState,
  type RecentEvents,
  type SeenProcess,
  type Standby,
} from '@lib/store/views/status-reads';
import { webhookHealth, type WebhookHealth } from '@lib/store/views/webhook-health';
import { countDeliveries, countWork, type DeliveryCount, type WorkCount } from '@lib/store/views/work-counts';
import { checkpointSettings } from '../audit/checkpoint-settings';
import { publishedAge } from '../audit/published-age';
import { requireAllTenants } from '../database';
import { readCheckpointKeys } from '../embedded/data-folder';
import { readRoles } from '../roles';

/** The state of the service at one moment. What could not be asked is null, and `notAsked` says why. */
export interface Status {
  at: string;
  processes: SeenProcess[] | null;
  workers: HeardWorker[] | null;
  /** Processes that cannot reach the database. */
  cutOff: CutOffProcess[] | null;
  /** Queues of which nothing is handed over. */
  paused: PausedQueues | null;
  work: WorkCount[] | null;
  /** To webhooks. */
  deliveries: DeliveryCount | null;
  webhooks: WebhookHealth | null;
  gates: Map<string, Gate> | null;
  recent: RecentEvents | null;
  server: DatabaseServerState | null;
  standbys: Standby[] | null;
  /**
   * Age of the log's newest checkpoint, in seconds; where CHECKPOINT_DIR is set, of the newest one that lies there, as in the metric. Undefined where it
   * could not be asked, null where there is none.
   */
  checkpointSeconds: number | null | undefined;
  /** Age of the oldest event, in seconds; null without one, or where it could not be asked. */
  firstEventSeconds: number | null;
  /** Migrations of this build that the database lacks. */
  pending: string[] | null;
  notAsked: { what: string; why: string }[];
}

/** Consumers that an operator has paused, and their stream. */
export interface PausedQueues {
  stream: string;
  consumers: NatsServer['pausedConsumers'];
}

/** Longer than the pause between two announcements of a worker. */
const LISTEN_MS = 5_500;

/** Asks everything that can be asked. What cannot be asked is named, and does not keep the rest from being shown. */
export async function askAll(pool: Pool, env: Env): Promise<Status> {
  const notAsked: Status['notAsked'] = [];
  const ask = <Answer>(what: string, answer: Promise<Answer>): Promise<Answer | null> =>
    answer.catch((error: unknown) => {
      notAsked.push({ what, why: messageOfError(error) });
      return null;
    });
  const all = requireAllTenants(pool);
  all.catch(() => undefined);
  // To a role that sees only some tenants the database shows nothing of others, as if there were nothing.
  const askOfAll = <Answer>(what: string, answer: () => Promise<Answer>): Promise<Answer | null> => ask(what, all.then(answer));
  const [heard, paused, processes, work, deliveries, webhooks, gates, recent, server, copies, checkpoint, pending] = await Promise.all([
    env.NATS_URL === undefined ? null : ask('workers', heardProcesses(env, env.NATS_URL)),
    env.NATS_URL === undefined ? null : pausedQueues(env, env.NATS_URL),
    ask('processes', seenProcesses(pool)),
    askOfAll('work', () => countWork(pool)),
    askOfAll('deliveries', () => countDeliveries(pool)),
    askOfAll('webhooks', () => webhookHealth(pool)),
    ask('circuits', new AdmissionTable(pool).gates()),
    askOfAll('last hour', () => recentEvents(pool)),
    ask('server', serverState(pool)),
    ask('standbys', standbys(pool)),
    askOfAll('checkpoint', () => askCheckpoint(pool, env)),
    ask('schema', pendingMigrations(pool)),
  ]);
  const log = { checkpointSeconds: checkpoint?.seconds, firstEventSeconds: checkpoint?.firstEventSeconds ?? null };
  const at = new Date().toISOString();
  const { workers, cutOff } = heard ?? { workers: null, cutOff: null };
  const said = { processes, workers, cutOff, paused };
  return { at, ...said, work, deliveries, webhooks, gates, recent, server, standbys: copies, ...log, pending, notAsked };
}

/** Whether the database answered none of these questions, as when it fell silent just before them. */
export function isDatabaseSilent({
  processes,
  work,
  deliveries,
  webhooks,
  gates,
  recent,
  server,
  standbys: copies,
  checkpointSeconds,
  pending,
}: Status): boolean {
  return (
    checkpointSeconds === undefined &&
    [processes, work, deliveries, webhooks, gates, recent, server, copies, pending].every((answer) => answer === null)
  );
}

async function askCheckpoint(pool: Pool, env: Env): Promise<{ seconds: number | null; firstEventSeconds: number | null }> {
  // Without a folder the keys are not needed.
  const settings = env.CHECKPOINT_DIR === undefined ? null : checkpointSettings(env, readCheckpointKeys(env, readRoles('all')));
  const [seconds, firstEventSeconds] = await Promise.all([publishedAge(pool, settings), firstEventAge(pool)]);
  return { seconds, firstEventSeconds };
}

const subjectPrefix = ({ NATS_PREFIX }: Env): string => (NATS_PREFIX === '' ? '' : `${NATS_PREFIX}.`);

async function heardProcesses(env: Env, url: string): Promise<Heard> {
  const prefix = subjectPrefix(env);
  try {
    return await hearProcesses({ url, login: env.natsLogin, name: 'status', inbox: inboxPrefix(prefix, 'status') }, prefix, LISTEN_MS);
  } catch (error) {
    throw new Error(failureOf(error).what, { cause: error });
  }
}

/** As the saga, whose NATS user alone may ask. Null where nobody answers; where NATS cannot be reached, the workers are named as not asked. */
async function pausedQueues(env: Env, url: string): Promise<PausedQueues | null> {
  const prefix = subjectPrefix(env);
  const address = { url, login: env.natsLogin, name: 'status', inbox: inboxPrefix(prefix, 'saga') };
  const server = await inspectNats(address, prefix).catch(() => null);
  return server?.workStream ? { stream: server.workStream.name, consumers: server.pausedConsumers } : null;
}
