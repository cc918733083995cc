import type { ClientBase, Pool } from 'pg';
import { isFinal } from '@lib/domain/job/state';
import { ownLimits } from '@lib/domain/tenant';
import { sealRuns } from '../agenda/sealed-runs';
import { emptyStream, type Stream } from '../history/aggregates';
import { WRITE_LIMITS } from '../limits/write-limits';
import type { Contents } from '../sealing/contents';
import type { ThreadKeys } from '../sealing/thread-keys';
import { sealedDocuments } from '../views/sealed-documents';
import type { Compared } from './compare-streams';
import { DOCUMENT } from './expected-rows';
import { repairMessages } from './stored-view-rows';
import { THREAD_KEY_REMEDY, writeTenantOfKey } from './thread-key-rows';
import type { ViewDifference, ViewName } from './view-row';
import { agendaRow, entriesOf, removeEntry, writeEntry, writeErasure, writeJob, writeThread } from './write-rows';

export interface RepairTools {
  pool: Pool;
  keys: ThreadKeys;
  contents: Contents;
  leaseMs: number;
}

/** Points at which a test may kill a process. */
export type RepairStage = 'views.half-written' | 'views.before-commit' | 'views.after-commit';

/** If the log has events of a stream but the events are gone, its rows are all that is left of it. */
const IS_LOGGED = 'select exists (select from log_entry where stream_id = $1) as logged';
const ORPHANS = {
  thread: 'delete from thread where id = $1',
  job: 'delete from job where id = $1',
  message: 'delete from message where id = $1',
  agenda: `delete from agenda where job_id || ' ' || kind || '/' || ref = $1`,
  limits: `delete from tenant_limit where tenant_id || '/' || key_id = $1`,
};

const isRemovable = (view: ViewName): view is keyof typeof ORPHANS => view in ORPHANS;

export async function repairJob(
  client: ClientBase,
  stream: Stream & { kind: 'job' },
  compared: Compared,
  tools: RepairTools,
  reach: (stage: RepairStage) => void,
): Promise<void> {
  const { streamId, state } = stream;
  const { differences } = compared;
  const ofRow = differences.filter(({ view }) => view === 'job');
  if (ofRow.length > 0 && state.erased) await client.query(ORPHANS.job, [streamId]);
  else if (ofRow.length > 0) await writeJob(client, streamId, state, await documentFor(stream, compared, tools));
  reach('views.half-written');
  const entries = entriesOf(streamId, state, tools.leaseMs);
  const keys = new Set(differences.filter(({ view }) => view === 'agenda').map(({ key }) => key));
  const sincePhaseMs = await timeSince(client, state.phaseAt);
  const rows = [...keys].flatMap((key) => {
    const entry = entries.get(key);
    return entry ? [agendaRow(streamId, entry, state, sincePhaseMs)] : [];
  });
  const { pool, contents, keys: threadKeys } = tools;
  await sealRuns(rows, new Map([[streamId, stream]]), new Map(), { pool, contents, ring: threadKeys.ring });
  for (const key of keys) if (!entries.has(key)) await removeEntry(client, streamId, key);
  for (const row of rows) await writeEntry(client, row);
}

/** @returns undefined if the one that is there can stay, null if there is to be none */
async function documentFor(
  { streamId, state }: Stream & { kind: 'job' },
  { stored }: Compared,
  { keys, contents }: RepairTools,
): Promise<Buffer | null | undefined> {
  if (!isFinal(state)) return null;
  if (stored.get(`job ${streamId}`)?.columns.document === DOCUMENT.sealed) return undefined;
  const found = await keys.readEach([state.threadId]);
  const after = new Map([[streamId, { ...emptyStream(streamId), kind: 'job' as const, state }]]);
  return (await sealedDocuments(new Map(), after, new Map(), found.keys, contents)).get(streamId) ?? null;
}

/** By the database's clock, in milliseconds. */
async function timeSince(client: ClientBase, at: string): Promise<number> {
  const text = `select extract(epoch from clock_timestamp() - $1::timestamptz)::float8 * 1000 as ms`;
  return ((await client.query<{ ms: number }>(text, [at])).rows as [{ ms: number }])[0].ms;
}

export async function repairThread(
  client: ClientBase,
  { streamId, state }: Stream & { kind: 'thread' },
  compared: Compared,
): Promise<void> {
  const { differences, expected } = compared;
  const differs = (view: ViewDifference['view']) => differences.some((one) => one.view === view);
  const row = expected.get(`thread ${streamId}`);
  if (differs('thread') && !row) await client.query(ORPHANS.thread, [streamId]);
  else if (row && differs('thread')) await writeThread(client, streamId, state, row.columns.updatedAt);
  if (differences.some(({ view, column }) => view === 'thread key' && column === 'tenantId'))
    await writeTenantOfKey(client, streamId, state.tenantId);
  if (differs('message')) await repairMessages(client, streamId);
  if (!differs('agenda')) return;
  const erasure = `agenda ${streamId} erase thread/`;
  for (const { view, key } of differences)
    if (view === 'agenda' && !expected.has(`agenda ${key}`)) await removeEntry(client, streamId, key);
  if (expected.has(erasure)) await writeErasure(client, streamId, await tenantOf(client, streamId));
}

/** From the first event: a deleted thread's state has lost its tenant. */
async function tenantOf(client: ClientBase, streamId: string): Promise<string> {
  const text = `select facts ->> 'tenantId' as id from event where stream_id = $1 and version = 1`;
  return ((await client.query<{ id: string }>(text, [streamId])).rows as [{ id: string }])[0].id;
}

const KEY_REMEDY = 'the rows of keys are sealed and not repaired: `research keys change` or `revoke` writes that of a key anew';

export async function repairTenant(
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

/** Rows without a history. */
export async function removeOrphans(
  client: ClientBase,
  streamId: string,
  found: readonly ViewDifference[],
): Promise<[ViewDifference, string][]> {
  const { rows } = await client.query<{ logged: boolean }>(IS_LOGGED, [streamId]);
  if (rows[0]?.logged) return found.map((difference) => [difference, LOST]);
  const left: [ViewDifference, string][] = [];
  for (const difference of found) {
    const { view, key } = difference;
    if (isRemovable(view)) await client.query(ORPHANS[view], [key]);
    else left.push([difference, view === 'thread key' ? THREAD_KEY_REMEDY : KEY_REMEDY]);
  }
  return left;
}
