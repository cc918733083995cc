import type { Pool } from 'pg';

import { HOUR_MS } from '@lib/domain/durations';

import { AdmissionTable } from './agenda/admission-table';
import { AgendaTable } from './agenda/agenda-table';
import { Cancellations } from './agenda/cancellations';
import { keepRuns } from './agenda/unkept-runs';
import type { StoreAlert } from './alert';
import { BalanceTable } from './balances/balance-table';
import { CorrectedClock } from './commit/clock';
import { erasedIn, type Commit } from './commit/commit';
import { CommitBatch } from './commit/commit-batch';
import type { Outcome, Unit } from './commit/unit';
import { Erasure } from './commit/erasure';
import { WritePath, type Again } from './commit/write-path';
import type { Times } from './commit/writes';
import { DeletionList } from './deletions/deletion-list';
import type { CorruptHistory } from './history/corrupt-history';
import { EVERY_OPEN_JOB, type RememberedJobs } from './history/remembered-jobs';
import { Streams } from './history/streams';
import { Jobs } from './jobs';
import { listeners, type Listeners } from './listeners';
import { ANSWER_WITHIN_MS } from './postgres/answer-within';
import { createPool } from './postgres/pool';
import { requireCommit } from './postgres/require-commit';
import { Contents } from './sealing/contents';
import { KeyedRequests } from './requests/keyed-requests';
import { KeyRing } from './sealing/key-ring';
import { enterMasterKeys } from './sealing/master-keys';
import { Rewrapping } from './sealing/rewrap';
import type { Unsealable } from './sealing/seal';
import { REMEMBER_MS, ThreadKeys } from './sealing/thread-keys';
import { Threads } from './threads';
import { ClaimReads } from './views/claim-reads';
import { FlatJobs } from './views/flat-jobs';
import { createFindChanged, type FindChanged } from './views/job-changes';
import { createJobPlaces } from './views/job-places';
import { PastJobs } from './views/past-jobs';
import { StoredViews } from './views/stored-views';
import { Deliveries } from './webhooks/deliveries';
import { Webhooks } from './webhooks/webhooks';
import { createUsageReads, type ReadUsage } from './views/usage-reads';
import { ViewRepair } from './repair/view-repair';

export interface StoreSettings extends Omit<Times, 'windowOf'> {
  /** How many steps of a provider may be dispatched and unclaimed; 0 lets every one wait for its turn. */
  windowOf?: Times['windowOf'] | undefined;
  databaseUrl: string;
  /** Connections of the write path and the hot reads. */
  connections: number;
  /** A statement that takes longer is given up: as long as clients wait, unless said otherwise. */
  statementMs?: number;
  /** Folder of the deletion list; without it deletions are recorded in the database alone. */
  deletionList?: string | undefined;
  /** How long opened content and thread keys are remembered after they were read or written. */
  rememberMs?: number;
  /** Which jobs are remembered at all; every open one unless said otherwise. */
  remembers?: RememberedJobs;
  /** Of 32 bytes each, newest first; without them no content can be read. */
  masterKeys: readonly Buffer[];
}

/** Everything in PostgreSQL that the roles work with. */
export interface Store {
  pool: Pool;
  jobs: Jobs;
  threads: Threads;
  /** Commands on several streams, all or none; see `jobs` and `threads` for one command on one of them. */
  execute: (unit: Unit) => Promise<Outcome>;
  /** Whoever dispatches, tells or logs what this process commits. */
  onCommit: Listeners<Commit>['add'];
  /** Whoever tells a person what only a person can mend. */
  onAlert: Listeners<StoreAlert>['add'];
  /** Has a person told that what a job asks cannot be opened, and nobody start a step of it for a while. */
  setStepsAside: (jobId: string, error: Unsealable) => void;
  /** Whoever counts what has to be decided again, and why. */
  onConflict: Listeners<Again>['add'];
  /** The process clock as corrected by the database's, once that was learned or anything committed. */
  now: () => Date;
  /** Asks the database for its time, unless it is known. */
  learnTime(): Promise<void>;
  views: StoredViews;
  /** Jobs by their id alone. */
  flatJobs: FlatJobs;
  /** Jobs as they stood. */
  pastJobs: PastJobs;
  findChanged: FindChanged;
  /** What completed jobs claim, and on what. */
  claims: ClaimReads;
  /** What tenants' jobs cost. */
  usageOf: ReadUsage;
  contents: Contents;
  /** Drops whatever of these threads and jobs this process remembers opened, and their keys. */
  forget(streamIds: readonly string[]): void;
  agenda: AgendaTable;
  cancellations: Cancellations;
  erasure: Erasure;
  admission: AdmissionTable;
  balances: BalanceTable;
  requests: KeyedRequests;
  webhooks: Webhooks;
  deliveries: Deliveries;
  /** @throws Error unless this process can commit within that time, whatever it has to commit */
  requireCommit(withinMs: number): Promise<void>;
  /** Moves everything under the newest master key. */
  rewrapping: Rewrapping;
  /** Compares the views with the histories, and repairs them. */
  viewRepair: ViewRepair;
  /**
   * Records that this process seals under the newest of its master keys.
   * @throws Unsealable if one that is in use is missing: better at the start than at the first read
   */
  enterMasterKeys(): Promise<void>;
  close(): Promise<void>;
}

/** Where nobody has said how many steps the workers of a provider take at a time. */
export const DEFAULT_WINDOW = 32;

/** How long nobody looks at a job whose history or question cannot be read; then it may have been restored. */
const SET_ASIDE_MS = HOUR_MS;

/** An idle process keeps one: its next request is quick, and `research status` sees that it is there. */
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
  const times = { ...given, windowOf };
  const pool = createPool(databaseUrl, connections, statementMs, STANDING_CONNECTIONS);
  const ring = new KeyRing(masterKeys);
  const keys = new ThreadKeys(pool, ring, rememberMs);
  const contents = new Contents(pool, keys, rememberMs);
  const agenda = new AgendaTable(pool);
  const commits = listeners<Commit>();
  const alerts = listeners<StoreAlert>();
  const conflicts = listeners<Again>();
  const tellCorrupt = (error: CorruptHistory) => {
    alerts.tell({ reason: 'corrupt_history', of: error.of, error });
    // Best effort: whoever looks at it next sets it aside.
    void agenda.setAside(error.of, SET_ASIDE_MS).catch(() => undefined);
  };
  const setStepsAside = (jobId: string, error: Unsealable) => {
    alerts.tell({ reason: 'corrupt_content', of: jobId, error });
    void agenda.setStepsAside(jobId, SET_ASIDE_MS).catch(() => undefined);
  };
  const streams = new Streams(pool, tellCorrupt, (streamId) => forget([streamId]), remembers.state);
  const clock = new CorrectedClock();
  const forget = (streamIds: readonly string[]) => {
    for (const streamId of streamIds) {
      keys.forget(streamId);
      contents.forget(streamId);
      views.forget(streamId);
    }
  };
  const tell = (commit: Commit) => {
    forget(erasedIn(commit));
    commits.tell(commit);
  };
  const batches = new CommitBatch({ pool, streams, keys, contents, clock, times, tell, remembers });
  const writePath = new WritePath(batches, conflicts.tell);
  const findJob = createJobPlaces(pool);
  const list = deletionList === undefined ? null : new DeletionList(deletionList, alerts.tell);
  const views = new StoredViews(pool, contents, keys, findJob, rememberMs);
  const erasure = new Erasure(pool, new WritePath(batches), alerts.tell);
  return {
    pool,
    jobs: new Jobs(writePath, streams),
    threads: new Threads(
      writePath,
      streams,
      (thread) => keepRuns(thread, { pool, contents, ring }),
      list,
      () => clock.now(),
    ),
    erasure,
    execute: (unit) => writePath.execute(unit),
    onCommit: commits.add,
    onAlert: alerts.add,
    setStepsAside,
    onConflict: conflicts.add,
    now: () => clock.now(),
    learnTime: async () => void (await batches.time()),
    views,
    flatJobs: new FlatJobs(pool, streams, contents, findJob),
    pastJobs: new PastJobs(pool, contents),
    findChanged: createFindChanged(pool),
    claims: new ClaimReads(pool, contents, findJob),
    usageOf: createUsageReads(pool),
    contents,
    forget,
    agenda,
    cancellations: new Cancellations(pool, ring),
    admission: new AdmissionTable(pool),
    balances: new BalanceTable(pool),
    requests: new KeyedRequests(pool, ring),
    webhooks: new Webhooks(pool, ring),
    deliveries: new Deliveries(pool, ring),
    requireCommit: (withinMs) => requireCommit(pool, withinMs),
    rewrapping: new Rewrapping(pool, ring),
    viewRepair: new ViewRepair({ pool, keys, contents, leaseMs: settings.leaseMs }),
    enterMasterKeys: () => enterMasterKeys(pool, ring),
    close: async () => {
      await erasure.stop();
      await list?.close();
      await pool.end();
    },
  };
}
