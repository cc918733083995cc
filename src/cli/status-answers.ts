import { messageOfError } from '@lib/domain/message-of-error';
import { hearWorkers, type HeardWorker } from '@lib/messaging/nats-heard-workers';
import { failureOf } from '@lib/messaging/nats-failures';
import { inboxPrefix } from '@lib/messaging/subjects';
import type { Env } from '@lib/settings/env';
import { AdmissionTable, type Gate } from '@lib/store/agenda/admission-table';
import { pendingMigrations } from '@lib/store/postgres/migrations';
import type { Pool } from '@lib/store/postgres/pool';
import {
  recentEvents,
  seenProcesses,
  serverState,
  standbys,
  type DatabaseServerState,
  type RecentEvents,
  type SeenProcess,
  type Standby,
} from '@lib/store/views/status-reads';
import { checkpointAge, countWork, type WorkCount } from '@lib/store/views/work-counts';

/** The state of the service at one moment. What could not be asked is null, and `notAsked` says why. */
export interface Status {
  at: string;
  processes: SeenProcess[] | null;
  workers: HeardWorker[] | null;
  work: WorkCount[] | null;
  gates: Map<string, Gate> | null;
  recent: RecentEvents | null;
  server: DatabaseServerState | null;
  standbys: Standby[] | null;
  /** Of the log's newest checkpoint, in seconds; undefined where it could not be asked, null where there is none. */
  checkpointSeconds: number | null | undefined;
  /** Migrations of this build that the database lacks. */
  pending: string[] | null;
  notAsked: { what: string; why: string }[];
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
  const [workers, processes, work, gates, recent, server, copies, checkpoint, pending] = await Promise.all([
    env.NATS_URL === undefined ? null : ask('workers', heardWorkers(env, env.NATS_URL)),
    ask('processes', seenProcesses(pool)),
    ask('work', countWork(pool)),
    ask('circuits', new AdmissionTable(pool).gates()),
    ask('last hour', recentEvents(pool)),
    ask('server', serverState(pool)),
    ask('standbys', standbys(pool)),
    ask(
      'checkpoint',
      checkpointAge(pool).then((seconds) => ({ seconds })),
    ),
    ask('schema', pendingMigrations(pool)),
  ]);
  const checkpointSeconds = checkpoint === null ? undefined : checkpoint.seconds;
  const at = new Date().toISOString();
  return { at, processes, workers, work, gates, recent, server, standbys: copies, checkpointSeconds, pending, notAsked };
}

/** Whether the database answered none of these questions, as when it fell silent just before them. */
export function isDatabaseSilent({
  processes,
  work,
  gates,
  recent,
  server,
  standbys: copies,
  checkpointSeconds,
  pending,
}: Status): boolean {
  return checkpointSeconds === undefined && [processes, work, gates, recent, server, copies, pending].every((answer) => answer === null);
}

async function heardWorkers({ NATS_PREFIX, natsLogin: login }: Env, url: string): Promise<HeardWorker[]> {
  const prefix = NATS_PREFIX === '' ? '' : `${NATS_PREFIX}.`;
  try {
    return await hearWorkers({ url, login, name: 'status', inbox: inboxPrefix(prefix, 'status') }, prefix, LISTEN_MS);
  } catch (error) {
    throw new Error(failureOf(error).what, { cause: error });
  }
}
