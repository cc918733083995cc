import type { Pool } from 'pg';
import { agendaKey, agendaOf } from '@lib/domain/job/agenda';
import { emptyStream, type Stream } from '../history/aggregates';
import { load, replay } from '../history/load';
import { jobRow } from './project';

const BATCH = 500;

export interface ViewDifferences {
  streams: number;
  /** One line for each row that is not what its history says: missing, left over, or with another value. */
  differences: string[];
}

/**
 * Replays every stream and compares what follows from it with the stored rows. The agenda is compared by its keys, not its times.
 * Run it while nobody writes; otherwise a row that moved meanwhile shows as a difference.
 */
export async function viewDifferences(pool: Pool, leaseMs: number): Promise<ViewDifferences> {
  const expected = new ExpectedRows(leaseMs);
  const differences: string[] = [];
  let streams = 0;
  for (let after = ''; ;) {
    const { rows } = await pool.query<{ stream_id: string }>(
      'select distinct stream_id from event where stream_id > $1 order by stream_id limit $2',
      [after, BATCH],
    );
    if (rows.length === 0) break;
    const ids = rows.map((row) => row.stream_id);
    after = ids.at(-1) ?? '';
    streams += ids.length;
    const replayed = await replay(pool, ids);
    for (const stream of replayed.values()) expected.add(stream);
    for (const message of await messagesOf(pool, ids)) expected.addMessage(message, replayed.get(message.threadId));
    differences.push(...(await loadDifferences(pool, replayed)));
  }
  differences.push(...compare(expected, await storedRows(pool)));
  return { streams, differences };
}

/** Whatever sums a thread up must leave it as its whole history does. Of a deleted one nobody asks more than that. */
async function loadDifferences(pool: Pool, replayed: ReadonlyMap<string, Stream>): Promise<string[]> {
  const threads = [...replayed.values()].filter((stream) => stream.kind === 'thread');
  const loaded = (
    await load(
      pool,
      threads.map(({ streamId }) => emptyStream(streamId)),
    )
  ).streams;
  const shown = (stream: Stream | undefined) =>
    stream?.kind !== 'thread' || stream.state.deleted ? 'deleted' : canonical({ ...stream, hash: stream.hash?.toString('hex') });
  return threads.flatMap((thread) => {
    const [whole, summedUp] = [shown(thread), shown(loaded.get(thread.streamId))];
    return whole === summedUp ? [] : [`${thread.streamId}: the history says ${whole}, summed up it is ${summedUp}`];
  });
}

interface Message {
  id: string;
  threadId: string;
  version: number;
  role: string;
  createdAt: string;
}

async function messagesOf(pool: Pool, streamIds: readonly string[]): Promise<Message[]> {
  const { rows } = await pool.query<Message>(
    `select facts ->> 'messageId' as id, stream_id as "threadId", version, facts ->> 'role' as role, meta ->> 'occurredAt' as "createdAt"
      from event where stream_id = any ($1) and type = 'MessageAdded'`,
    [streamIds],
  );
  return rows;
}

/** The rows that follow from the histories, each by its name. Streams come in the order of their ids: jobs before threads. */
class ExpectedRows {
  readonly rows = new Map<string, string>();
  /** When the last job of a thread ended: that moves the thread too. */
  /** Threads that are deleted: what is left of them is erased in pieces. */
  readonly erased = new Set<string>();
  private readonly lastEnds = new Map<string, string>();

  constructor(private readonly leaseMs: number) {}

  add(stream: Stream): void {
    const { streamId } = stream;
    if (stream.kind === 'thread') {
      const { tenantId, createdAt, updatedAt, deleted } = stream.state;
      const moved = [updatedAt, this.lastEnds.get(streamId) ?? ''].sort().at(-1);
      if (deleted) this.erased.add(streamId);
      else this.rows.set(`thread ${streamId}`, canonical({ tenantId, createdAt, updatedAt: moved }));
      return;
    }
    if (stream.kind === 'tenant') {
      const { tenantId, keys, limits } = stream.state;
      for (const { keyId, ...key } of keys) this.rows.set(`key ${keyId}`, canonical({ ...key, tenantId }));
      for (const own of limits)
        if (Object.keys(own.limits).length > 0) this.rows.set(`limits ${tenantId}/${own.keyId ?? ''}`, canonical(own.limits));
      return;
    }
    const { threadId, completedAt, totals, erased } = stream.state;
    if ((completedAt ?? '') > (this.lastEnds.get(threadId) ?? '')) this.lastEnds.set(threadId, completedAt ?? '');
    if (!erased) this.rows.set(`job ${streamId}`, canonical({ ...jobRow(streamId, stream.state), hasDocument: totals !== null }));
    for (const entry of agendaOf(stream.state, this.leaseMs)) {
      const { stepId, attempt, provider } = entry;
      this.rows.set(`agenda ${streamId} ${agendaKey(entry)}`, canonical({ stepId, attempt, provider }));
    }
  }

  addMessage({ id, ...message }: Message, thread: Stream | undefined): void {
    if (thread?.kind !== 'thread' || thread.state.deleted) return;
    this.rows.set(`message ${id}`, canonical({ ...message, tenantId: thread.state.tenantId }));
  }
}

interface StoredRow {
  row: string;
  /** Of a message, and of the entry that erases a thread. */
  threadId: string | null;
}

async function storedRows(pool: Pool): Promise<Map<string, StoredRow>> {
  const { rows } = await pool.query<{ name: string; row: object; thread: string | null }>(`
    select 'thread ' || id as name,
      jsonb_build_object('tenantId', tenant_id, 'createdAt', ${iso('created_at')}, 'updatedAt', ${iso('updated_at')}) as row, null as thread from thread
    union all
    select 'message ' || id, jsonb_build_object('tenantId', tenant_id, 'threadId', thread_id, 'version', version, 'role', role,
      'createdAt', ${iso('created_at')}), thread_id from message
    union all
    select 'job ' || id, jsonb_build_object('id', id, 'tenantId', tenant_id, 'threadId', thread_id, 'parentJobId', parent_job_id,
      'version', version, 'status', status, 'budgetTier', budget_tier, 'budgetCapCents', budget_cap_cents,
      'createdAt', ${iso('created_at')}, 'completedAt', ${iso('completed_at')},
      'costCents', cost_cents, 'steps', steps, 'hasDocument', document is not null), null from job
    union all
    select 'agenda ' || job_id || ' ' || kind || '/' || ref,
      jsonb_build_object('stepId', step_id, 'attempt', attempt, 'provider', provider),
      case when kind = 'erase thread' then job_id end from agenda
    union all
    select 'key ' || key_id, jsonb_build_object('tenantId', tenant_id, 'scopes', scopes, 'createdAt', ${iso('created_at')},
      'expiresAt', ${iso('expires_at')}, 'revokedAt', ${iso('revoked_at')}), null from api_key
    union all
    select 'limits ' || tenant_id || '/' || key_id, limits, null from tenant_limit`);
  return new Map(rows.map(({ name, row, thread }) => [name, { row: canonical(row), threadId: thread }]));
}

function iso(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** JSON with sorted keys, so that equal rows are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

function compare({ rows: expected, erased }: ExpectedRows, stored: ReadonlyMap<string, StoredRow>): string[] {
  const lost = [...expected].filter(([name, row]) => stored.get(name)?.row !== row);
  // The entry stands for as long as anything is left of the thread: messages and jobs go before it.
  const isBeingErased = (threadId: string | null): boolean =>
    threadId !== null && erased.has(threadId) && stored.has(`agenda ${threadId} erase thread/`);
  const extra = [...stored].flatMap(([name, { threadId }]) => (expected.has(name) || isBeingErased(threadId) ? [] : [name]));
  return [
    ...lost.map(([name, row]) => `${name}: the history says ${row}, stored is ${stored.get(name)?.row ?? 'nothing'}`),
    ...extra.map((name) => `${name}: stored, but the history does not say so`),
  ];
}
