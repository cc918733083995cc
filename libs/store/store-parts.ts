import type { Pool } from 'pg';

import { AdmissionTable } from './agenda/admission-table';
import { Cancellations } from './agenda/cancellations';
import { BalanceTable } from './balances/balance-table';
import type { CorruptHistory } from './history/corrupt-history';
import type { RememberedJobs } from './history/remembered-jobs';
import { Streams } from './history/streams';
import { IdempotentRequests } from './requests/idempotent-requests';
import { Contents } from './sealing/contents';
import type { KeyRing } from './sealing/key-ring';
import { Rewrapping } from './sealing/rewrap';
import { ThreadKeys } from './sealing/thread-keys';
import { ClaimReads } from './views/claim-reads';
import { FlatJobs } from './views/flat-jobs';
import { createFindChanged, type FindChanged } from './views/job-changes';
import { createJobPlaces } from './views/job-places';
import { PastJobs } from './views/past-jobs';
import { StoredViews } from './views/stored-views';
import { createUsageReads, type ReadUsage } from './views/usage-reads';
import { Deliveries } from './webhooks/deliveries';
import { Webhooks } from './webhooks/webhooks';

/** Reads of jobs and threads, beside their histories. */
export interface StoreReads {
  views: StoredViews;
  /** Jobs by their id alone. */
  flatJobs: FlatJobs;
  /** Jobs as they were after any of their events. */
  pastJobs: PastJobs;
  findChanged: FindChanged;
  /** What completed jobs claim, and on which sources. */
  claims: ClaimReads;
  /** What tenants' jobs cost. */
  usageOf: ReadUsage;
}

interface Remembering {
  ring: KeyRing;
  rememberMs: number;
  remembers: RememberedJobs;
  tellCorrupt: (error: CorruptHistory) => void;
}

/** What this process caches of threads and jobs, the reads that use it, and `forget`, which drops the cache of some of them and their keys. */
export function cachingReads(pool: Pool, { ring, rememberMs, remembers, tellCorrupt }: Remembering) {
  const keys = new ThreadKeys(pool, ring, rememberMs);
  const contents = new Contents(pool, keys, rememberMs);
  const streams = new Streams(pool, tellCorrupt, (streamId) => forget([streamId]), remembers.state);
  const findJob = createJobPlaces(pool);
  const reads: StoreReads = {
    views: new StoredViews(pool, contents, keys, findJob, rememberMs),
    flatJobs: new FlatJobs(pool, streams, contents, findJob),
    pastJobs: new PastJobs(pool, contents),
    findChanged: createFindChanged(pool),
    claims: new ClaimReads(pool, contents, findJob),
    usageOf: createUsageReads(pool),
  };
  const forget = (streamIds: readonly string[]): void => {
    for (const streamId of streamIds) {
      keys.forget(streamId);
      contents.forget(streamId);
      reads.views.forget(streamId);
    }
  };
  return { keys, contents, streams, reads, forget };
}

/** Tables that need nothing but connections and master keys. */
export interface StoreTables {
  cancellations: Cancellations;
  admission: AdmissionTable;
  balances: BalanceTable;
  requests: IdempotentRequests;
  webhooks: Webhooks;
  deliveries: Deliveries;
  /** Moves everything under the newest master key. */
  rewrapping: Rewrapping;
}

export const tablesOf = (pool: Pool, ring: KeyRing): StoreTables => ({
  cancellations: new Cancellations(pool, ring),
  admission: new AdmissionTable(pool),
  balances: new BalanceTable(pool),
  requests: new IdempotentRequests(pool, ring),
  webhooks: new Webhooks(pool, ring),
  deliveries: new Deliveries(pool, ring),
  rewrapping: new Rewrapping(pool, ring),
});
