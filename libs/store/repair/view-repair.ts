import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { TENANT_STREAM } from '@lib/domain/tenant';
import { emptyStream, type Stream } from '../history/aggregates';
import { DEADLOCK, LOCK_NOT_AVAILABLE, SERIALIZATION_FAILURE, sqlStateOf } from '../postgres/sql-states';
import { inTransaction } from '../postgres/transaction';
import { comparedPages, type ComparedPage } from '../views/view-differences';
import { compareStreams, type ComparisonSettings } from './compare-streams';
import { isCount, repairLimitCounts } from './limit-counts';
import { removeOrphans, repairJob, repairTenant, repairThread, type RepairTools, type RepairStage } from './repair-stream';
import { createReadThreadKeyRows, THREAD_KEY_REMEDY } from './thread-key-rows';
import { createFindUnreadable } from './unreadable-documents';
import type { ViewDifference } from './view-row';

/** Another session held a row for too long, or the two deadlocked. */
const AGAIN = new Set<unknown>([LOCK_NOT_AVAILABLE, DEADLOCK, SERIALIZATION_FAILURE]);
const MAX_TRIES = 10;
const PAUSE_MS = 50;

const BEGIN = `begin; set local lock_timeout = '2s'`;
/** In the order in which deletions lock: the thread's row, then its key. Without the key's row nobody can append to the thread or its jobs. */
const LOCK_ROW = {
  thread: 'select from thread where id = $1 for no key update',
  job: 'select from job where id = $1 for no key update',
  tenant: 'select from tenant where id = substr($1, 5) for no key update',
};
const LOCK_KEY = 'select from thread_key where thread_id = $1 for no key update';
const LOCK_AGENDA = 'select from agenda where job_id = $1 order by kind, ref for update';
const UNREPAIRED = 'its content cannot be opened, or the row that names it is of another stream';
const THREAD_OF = `select facts ->> 'threadId' as id from event where stream_id = $1 and version = 1`;

/**
 * Compares the views with the histories and repairs them, one stream at a time: in one transaction it locks out writers of the stream,
 * compares again and writes the rows that differ. So at every moment the views are either as they were or as they should be.
 */
export class ViewRepair {
  private readonly settings: ComparisonSettings;

  constructor(private readonly tools: RepairTools) {
    const { leaseMs, keys } = tools;
    this.settings = { leaseMs, findUnreadable: createFindUnreadable(keys), readThreadKeyRows: createReadThreadKeyRows(keys.ring) };
  }

  compare(): AsyncGenerator<ComparedPage> {
    return comparedPages(this.tools.pool, this.settings);
  }

  /**
   * Repairs the rows of one stream.
   * @param found the result of a comparison, for rows without a history
   * @returns what it could not repair, each with the reason
   */
  async repair(
    streamId: string,
    found: readonly ViewDifference[],
    reach: (stage: RepairStage) => void,
  ): Promise<[ViewDifference, string][]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const repairIt = async (client: ClientBase) => {
          const left = await this.repairIn(client, streamId, found, reach);
          reach('views.before-commit');
          return left;
        };
        const left = await inTransaction(this.tools.pool, repairIt, BEGIN);
        reach('views.after-commit');
        return left;
      } catch (error) {
        if (!AGAIN.has(sqlStateOf(error)) || tries === MAX_TRIES) throw error;
        await sleep(PAUSE_MS * tries);
      }
    }
  }

  private async repairIn(
    client: ClientBase,
    streamId: string,
    found: readonly ViewDifference[],
    reach: (stage: RepairStage) => void,
  ): Promise<[ViewDifference, string][]> {
    // Counts for limits come in pages of their own, so nothing else of this tenant is to be repaired.
    if (found.some(isCount)) {
      await repairLimitCounts(client, streamId.slice(TENANT_STREAM.length));
      return [];
    }
    const kind = emptyStream(streamId).kind;
    await client.query(LOCK_ROW[kind], [streamId]);
    if (kind !== 'tenant') await client.query(LOCK_KEY, [await threadOf(client, streamId)]);
    await client.query(LOCK_AGENDA, [streamId]);
    const compared = await compareStreams(client, [streamId], this.settings);
    const [failure] = compared.failures.values();
    if (failure) return found.map((difference) => [difference, `its history cannot be folded: ${failure.message}`]);
    const stream = compared.streams.get(streamId) as Stream;
    if (stream.version === 0) return removeOrphans(client, streamId, found);
    if (compared.differences.length === 0) return [];
    if (stream.kind === 'tenant') return repairTenant(client, stream, compared.differences);
    if (stream.kind === 'thread') await repairThread(client, stream, compared);
    else await repairJob(client, stream, compared, this.tools, reach);
    const left = await compareStreams(client, [streamId], this.settings);
    return left.differences.map((difference) => [difference, difference.view === 'thread key' ? THREAD_KEY_REMEDY : UNREPAIRED]);
  }
}

async function threadOf(client: ClientBase, streamId: string): Promise<string> {
  if (streamId.startsWith('thr_')) return streamId;
  const { rows } = await client.query<{ id: string | null }>(THREAD_OF, [streamId]);
  return rows[0]?.id ?? '';
}
