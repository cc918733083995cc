import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type ClientBase, type Pool } from 'pg';
import { isFinal } from '@lib/domain/job/state';
import { ownLimits } from '@lib/domain/tenant';
import { sealRuns } from '../agenda/sealed-runs';
import { sealedDocuments } from '../views/sealed-documents';
import { emptyStream, type Stream } from '../history/aggregates';
import type { Contents } from '../sealing/contents';
import type { ThreadKeys } from '../sealing/thread-keys';
import { comparedPages, type ComparedPage } from '../views/view-differences';
import { compareStreams, type Compared, type ComparisonSettings } from './compare-streams';
import { DOCUMENT } from './expected-rows';
import { repairMessages } from './stored-view-rows';
import { createFindUnreadable } from './unreadable-documents';
import type { ViewDifference } from './view-row';
import { agendaRow, entriesOf, removeEntry, writeEntry, writeErasure, writeJob, writeThread } from './write-rows';

interface Parts {
  pool: Pool;
  keys: ThreadKeys;
  contents: Contents;
  leaseMs: number;
}

/** Where a process may die in a test. */
export type RepairStage = 'views.half-written' | 'views.before-commit' | 'views.after-commit';

/** Somebody else held a row for too long, or each waited for the other. */
const AGAIN = new Set(['55P03', '40P01', '40001']);
const MOST_TRIES = 10;
const PAUSE_MS = 50;

const BEGIN = `begin; set local lock_timeout = '2s'`;
/** In the order in which deletions lock: the row of the thread, then its key. Without the key's row nobody appends to the thread or its jobs. */
const LOCK_ROW = {
  thread: 'select from thread where id = $1 for no key update',
  job: 'select from job where id = $1 for no key update',
  tenant: 'select from tenant where id = substr($1, 5) for no key update',
};
const LOCK_KEY = 'select from thread_key where thread_id = $1 for no key update';
const LOCK_AGENDA = 'select from agenda where job_id = $1 order by kind, ref for update';
const THREAD_OF = `select facts ->> 'threadId' as id from event where stream_id = $1 and version = 1`;
/** The log knows events of the stream that are gone: what is left of it is all that is known. */
const IS_LOGGED = 'select exists (select from log_entry where stream_id = $1) as logged';
const ORPHANS = {
  thread: 'delete from thread where id = $1',
  job: 'delete from job where id = $1',
  message: 'delete from message where id = $1',
  agenda: `delete from agenda where job_id || ' ' || kind || '/' || ref = $1`,
  limits: `delete from tenant_limit where tenant_id || '/' || key_id = $1`,
};

/**
 * Compares the views with the histories, and makes them what these say: one stream at a time, in a transaction that holds whoever would write to
 * it off, looks again and writes the rows that differ. So the views are at every moment what they were or what they should be.
 */
export class ViewRepair {
  private readonly settings: ComparisonSettings;

  constructor(private readonly parts: Parts) {
    this.settings = { leaseMs: parts.leaseMs, findUnreadable: createFindUnreadable(parts.keys) };
  }

  compare(): AsyncGenerator<ComparedPage> {
    return comparedPages(this.parts.pool, this.settings);
  }

  /**
   * Repairs the rows of one stream.
   * @param found what a comparison has said of it, for rows that no history tells of
   * @returns what it could not repair, each with the reason
   */
  async repair(
    streamId: string,
    found: readonly ViewDifference[],
    reach: (stage: RepairStage) => void,
  ): Promise<[ViewDifference, string][]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.inTransaction((client) => this.repairIn(client, streamId, found, reach), reach);
      } catch (error) {
        const isHeld = error instanceof pg.DatabaseError && AGAIN.has(error.code ?? '');
        if (!isHeld || tries === MOST_TRIES) throw error;
        await sleep(PAUSE_MS * tries);
      }
    }
  }

  private async inTransaction<Result>(work: (client: ClientBase) => Promise<Result>, reach: (stage: RepairStage) => void): Promise<Result> {
    const client = await this.parts.pool.connect();
    let failure: Error | undefined;
    try {
      await client.query(BEGIN);
      const result = await work(client);
      reach('views.before-commit');
      await client.query('commit');
      reach('views.after-commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((broken: Error) => (failure = broken));
      throw error;
    } finally {
      client.release(failure);
    }
  }

  private async repairIn(
    client: ClientBase,
    streamId: string,
    found: readonly ViewDifference[],
    reach: (stage: RepairStage) => void,
  ): Promise<[ViewDifference, string][]> {
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
    else await this.repairJob(client, stream, compared, reach);
    const left = await compareStreams(client, [streamId], this.settings);
    return left.differences.map((difference) => [
      difference,
      'its content cannot be opened, or the row that names it is of another stream',
    ]);
  }

  private async repairJob(
    client: ClientBase,
    stream: Stream & { kind: 'job' },
    compared: Compared,
    reach: (stage: RepairStage) => void,
  ): Promise<void> {
    const { streamId, state } = stream;
    const { differences } = compared;
    const ofRow = differences.filter(({ view }) => view === 'job');
    if (ofRow.length > 0 && state.erased) await client.query(ORPHANS.job, [streamId]);
    else if (ofRow.length > 0) await writeJob(client, streamId, state, await this.documentFor(stream, compared));
    reach('views.half-written');
    const entries = entriesOf(streamId, state, this.parts.leaseMs);
    const keys = new Set(differences.filter(({ view }) => view === 'agenda').map(({ key }) => key));
    const sincePhaseMs = await timeSince(client, compared.phaseAt.get(streamId));
    const rows = [...keys].flatMap((key) => {
      const entry = entries.get(key);
      return entry ? [agendaRow(streamId, entry, state, sincePhaseMs)] : [];
    });
    const { pool, contents, keys: threadKeys } = this.parts;
    await sealRuns(rows, new Map([[streamId, stream]]), new Map(), { pool, contents, ring: threadKeys.ring });
    for (const key of keys) if (!entries.has(key)) await removeEntry(client, streamId, key);
    for (const row of rows) await writeEntry(client, row);
  }

  /** @returns undefined if the one that is there can stay, null if there is to be none */
  private async documentFor({ streamId, state }: Stream & { kind: 'job' }, { stored }: Compared): Promise<Buffer | null | undefined> {
    if (!isFinal(state)) return null;
    if (stored.get(`job ${streamId}`)?.columns.document === DOCUMENT.sealed) return undefined;
    const { keys, contents } = this.parts;
    const found = await keys.readEach([state.threadId]);
    const after = new Map([[streamId, { ...emptyStream(streamId), kind: 'job' as const, state }]]);
    return (await sealedDocuments(new Map(), after, new Map(), found.keys, contents)).get(streamId) ?? null;
  }
}

/** On the database's clock, in milliseconds. */
async function timeSince(client: ClientBase, at: string | undefined): Promise<number> {
  if (at === undefined) return 0;
  const text = `select extract(epoch from clock_timestamp() - $1::timestamptz)::float8 * 1000 as ms`;
  return ((await client.query<{ ms: number }>(text, [at])).rows as [{ ms: number }])[0].ms;
}

async function threadOf(client: ClientBase, streamId: string): Promise<string> {
  if (streamId.startsWith('thr_')) return streamId;
  const { rows } = await client.query<{ id: string | null }>(THREAD_OF, [streamId]);
  return rows[0]?.id ?? '';
}

async function repairThread(client: ClientBase, { streamId, state }: Stream & { kind: 'thread' }, compared: Compared): Promise<void> {
  const { differences, expected } = compared;
  const differs = (view: ViewDifference['view']) => differences.some((one) => one.view === view);
  const row = expected.get(`thread ${streamId}`);
  if (differs('thread') && !row) await client.query(ORPHANS.thread, [streamId]);
  else if (row && differs('thread')) await writeThread(client, streamId, state, row.columns.updatedAt);
  if (differs('message')) await repairMessages(client, streamId);
  if (!differs('agenda')) return;
  const erasure = `agenda ${streamId} erase thread/`;
  for (const { view, key } of differences)
    if (view === 'agenda' && !expected.has(`agenda ${key}`)) await removeEntry(client, streamId, key);
  if (expected.has(erasure)) await writeErasure(client, streamId, await tenantOf(client, streamId));
}

/** A thread that is deleted does not say it any more. */
async function tenantOf(client: ClientBase, streamId: string): Promise<string> {
  const text = `select facts ->> 'tenantId' as id from event where stream_id = $1 and version = 1`;
  return ((await client.query<{ id: string }>(text, [streamId])).rows as [{ id: string }])[0].id;
}

const WRITE_LIMITS = `insert into tenant_limit (tenant_id, key_id, limits) values ($1, '', $2)
  on conflict (tenant_id, key_id) do update set limits = excluded.limits`;
const KEY_REMEDY = 'the rows of keys are sealed and not repaired: `research keys change` or `revoke` writes that of a key anew';

async function repairTenant(
  client: ClientBase,
  { state }: Stream & { kind: 'tenant' },
  differences: readonly ViewDifference[],
): Promise<[ViewDifference, string][]> {
  const own = ownLimits(state, null) ?? {};
  for (const { view, key } of differences) {
    if (view !== 'limits') continue;
    const isOfTenant = key === `${state.tenantId}/`;
    if (isOfTenant && Object.keys(own).length > 0) await client.query(WRITE_LIMITS, [state.tenantId, JSON.stringify(own)]);
    else await client.query(ORPHANS.limits, [key]);
  }
  return differences.filter(({ view }) => view === 'key').map((difference) => [difference, KEY_REMEDY]);
}

const LOST =
  'the log of all events knows this stream, and its events are gone: `research verify` names it, and the row is kept as what is left';

/** Rows of which no history tells. */
async function removeOrphans(client: ClientBase, streamId: string, found: readonly ViewDifference[]): Promise<[ViewDifference, string][]> {
  const { rows } = await client.query<{ logged: boolean }>(IS_LOGGED, [streamId]);
  if (rows[0]?.logged) return found.map((difference) => [difference, LOST]);
  const left: [ViewDifference, string][] = [];
  for (const difference of found) {
    if (difference.view === 'key') left.push([difference, KEY_REMEDY]);
    else await client.query(ORPHANS[difference.view], [difference.key]);
  }
  return left;
}
