import type { Pool } from 'pg';

import { HOUR_MS } from '@lib/domain/durations';

import { AgendaTable } from './agenda/agenda-table';
import { keepRuns } from './agenda/unkept-runs';
import type { StoreAlert } from './alert';
import { CorrectedClock } from './commit/clock';
import { erasedIn, type Commit } from './commit/commit';
import { BatchCommitter } from './commit/batch-committer';
import type { Outcome, Unit } from './commit/unit';
import { Erasure } from './commit/erasure';
import type { WriteTools } from './commit/write-decided';
import { WritePath, type ConflictReason } from './commit/write-path';
import type { AgendaSettings } from './commit/writes';
import { DeletionList } from './deletions/deletion-list';
import type { CorruptHistory } from './history/corrupt-history';
import { EVERY_OPEN_JOB, type RememberedJobs } from './history/remembered-jobs';
import { Jobs } from './jobs';
import { listeners, type Listeners } from './listeners';
import { ANSWER_WITHIN_MS } from './postgres/answer-within';
import { databaseTime } from './postgres/database-time';
import { createPool } from './postgres/pool';
import { requireCommit } from './postgres/require-commit';
import { withStoreErrors } from './postgres/store-unavailable';
import type { Contents } from './sealing/contents';
import { KeyRing } from './sealing/key-ring';
import { enterMasterKeys } from './sealing/master-keys';
import { Unsealable } from './sealing/seal';
import { REMEMBER_MS } from './sealing/thread-keys';
import { cachingReads, tablesOf, type StoreReads, type StoreTables } from './store-parts';
import { Threads } from './threads';
import { ViewRepair } from './repair/view-repair';

export interface StoreSettings extends Omit<AgendaSettings, 'windowOf'> {
  /** How many steps of a provider may be dispatched and unclaimed. With 0 every step waits for its turn. */
  windowOf?: AgendaSettings['windowOf'] | undefined;
  databaseUrl: string;
  /** Connections of the write path and the hot reads. */
  connections: number;
  /** A statement that takes longer is given up. By default as long as clients wait. */
  statementMs?: number;
  /** Folder of the deletion list. Without it deletions are recorded only in the database. */
  deletionList?: string | undefined;
  /** How long opened content and thread keys are cached after they were read or written. */
  rememberMs?: number;
  /** Which jobs are cached; by default every open one. */
  remembers?: RememberedJobs;
  /** 32 bytes each, newest first. Without them no content can be read. */
  masterKeys: readonly Buffer[];
}

/** Everything in PostgreSQL that the roles work with. */
export interface Store extends StoreReads, StoreTables {
  pool: Pool;
  jobs: Jobs;
  threads: Threads;
  /** Commands on several streams, all or none; see `jobs` and `threads` for one command on one of them. */
  execute: (unit: Unit) => Promise<Outcome>;
  /** Adds a listener for each commit of this process. */
  onCommit: Listeners<Commit>['add'];
  /** Adds a listener for problems that only a person can fix. */
  onAlert: Listeners<StoreAlert>['add'];
  /** Tells a person that a job's question cannot be opened, and postpones its steps for a while. */
  postponeSteps: (jobId: string, error: Unsealable) => void;
  /** For `catch`: tells a person about content that cannot be opened, and goes on without it. @throws any other error as it is */
  tellUnsealable: (error: unknown) => null;
  /** Adds a listener for each unit that has to be decided again, with the reason. */
  onConflict: Listeners<ConflictReason>['add'];
  /** The time by the database's clock once that is known, before that by the process's clock. */
  now: () => Date;
  /** Asks the database for its time, unless it is known. */
  learnTime(): Promise<void>;
  contents: Contents;
  /** Drops this process's cache of these threads and jobs, and their keys. */
  forget(streamIds: readonly string[]): void;
  agenda: AgendaTable;
  erasure: Erasure;
  /** @throws Error unless this process can commit within that time */
  requireCommit(withinMs: number): Promise<void>;
  /** Compares the views with the histories, and repairs them. */
  viewRepair: ViewRepair;
  /**
   * Records that this process seals under the newest of its master keys.
   * @throws Unsealable if one that is in use is missing: better at the start than at the first read
   */
  enterMasterKeys(): Promise<void>;
  close(): Promise<void>;
}

/** The window of a provider whose workers have not announced how many steps they take at a time. */
export const DEFAULT_WINDOW = 32;

/** How long a job with an unreadable history or question is left alone; by then it may have been restored. */
const POSTPONED_MS = HOUR_MS;

/** Connections that an idle process keeps: its next request is quick, and `research status` sees that the process is there. */
const STANDING_CONNECTIONS = 1;

export function openStore(settings: StoreSettings): Store {
  const {
    databaseUrl,
    connections,
    masterKeys,
    statementMs = ANSWER_WITHIN_MS,
    rememberMs = REMEMBER_MS,
    remembers = EVERY_OPEN_JOB,
    deletionList,
    windowOf = () => DEFAULT_WINDOW,
    ...given
  } = settings;
  const agendaSettings = { ...given, windowOf };
  const pool = createPool(databaseUrl, connections, statementMs, STANDING_CONNECTIONS);
  const ring = new KeyRing(masterKeys);
  const agenda = new AgendaTable(pool);
  const { alerts, tellCorrupt, tellUnsealable, postponeSteps } = troublesOf(agenda);
  const { keys, contents, streams, reads, forget } = cachingReads(pool, { ring, rememberMs, remembers, tellCorrupt });
  const writeTools = { pool, streams, keys, contents, agendaSettings, remembers };
  const { clock, batches, writePath, commits, conflicts } = openWritePath(writeTools, forget);
  const askTime = () => withStoreErrors(() => databaseTime(pool));
  const list = deletionList === undefined ? null : new DeletionList(deletionList, alerts.tell);
  const erasure = new Erasure(pool, new WritePath(batches, clock), alerts.tell);
  return {
    pool,
    jobs: new Jobs(writePath, streams),
    threads: new Threads(writePath, streams, (thread) => keepRuns(thread, { pool, contents, ring }), list, askTime),
    erasure,
    execute: (unit) => writePath.execute(unit),
    onCommit: commits.add,
    onAlert: alerts.add,
    postponeSteps,
    tellUnsealable,
    onConflict: conflicts.add,
    now: () => clock.now(),
    learnTime: async () => void (await batches.time()),
    ...reads,
    ...tablesOf(pool, ring),
    contents,
    forget,
    agenda,
    requireCommit: (withinMs) => requireCommit(pool, withinMs),
    viewRepair: new ViewRepair({ pool, keys, contents, leaseMs: settings.leaseMs }),
    enterMasterKeys: () => enterMasterKeys(pool, ring),
    close: async () => {
      await erasure.stop();
      await list?.close();
      await pool.end();
    },
  };
}

/** The write path, and whom it tells of its commits and conflicts. */
function openWritePath(tools: Omit<WriteTools, 'clock' | 'tell'>, forget: Store['forget']) {
  const commits = listeners<Commit>();
  const conflicts = listeners<ConflictReason>();
  const clock = new CorrectedClock();
  const tell = (commit: Commit) => {
    forget(erasedIn(commit));
    commits.tell(commit);
  };
  const batches = new BatchCommitter({ ...tools, clock, tell });
  return { clock, batches, writePath: new WritePath(batches, clock, conflicts.tell), commits, conflicts };
}

/** Tells a person about unreadable data, and postpones it for a while. Best effort: the next process that finds it does the same. */
function troublesOf(agenda: AgendaTable) {
  const alerts = listeners<StoreAlert>();
  return {
    alerts,
    tellCorrupt: (error: CorruptHistory) => {
      alerts.tell({ reason: 'corrupt_history', of: error.of, error });
      void agenda.postpone(error.of, POSTPONED_MS).catch(() => undefined);
    },
    tellUnsealable: (error: unknown): null => {
      if (!(error instanceof Unsealable)) throw error;
      alerts.tell({ reason: 'corrupt_content', of: error.of, error });
      return null;
    },
    postponeSteps: (jobId: string, error: Unsealable) => {
      alerts.tell({ reason: 'corrupt_content', of: jobId, error });
      void agenda.postponeSteps(jobId, POSTPONED_MS).catch(() => undefined);
    },
  };
}
