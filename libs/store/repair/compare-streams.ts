import type { ClientBase, Pool } from 'pg';
import type { Stream } from '../history/aggregates';
import { SUMMARY_SHAPE } from '../history/thread-summary';
import type { StepProgress } from '../views/job-row';
import { DOCUMENT, erasureRow, jobRows, tenantRows, threadRow } from './expected-rows';
import { foldStreams, type Folded } from './folded-streams';
import { differingMessages, lastEnds, storedRows, unerasedThreads, type DifferingMessage } from './stored-view-rows';
import { threadKeyRow, type ReadThreadKeyRows } from './thread-key-rows';
import { byName, rowDifferences, type ViewDifference, type ViewRow } from './view-row';

/** Limit for differing messages, from some hundred threads: further ones are found once these are repaired. */
const MAX_MESSAGES = 10_000;

/** The jobs whose stored document cannot be opened. */
export type FindUnreadable = (database: Pool | ClientBase, jobIds: readonly string[]) => Promise<ReadonlySet<string>>;

export interface Compared extends Folded {
  expected: Map<string, ViewRow>;
  stored: Map<string, ViewRow>;
  differences: ViewDifference[];
}

export interface ComparisonSettings {
  leaseMs: number;
  /** Absent if documents cannot be opened. */
  findUnreadable?: FindUnreadable | undefined;
  /** Absent if keys cannot be unwrapped: then they are not compared. */
  readThreadKeyRows?: ReadThreadKeyRows | undefined;
}

/** Compares the rows of these streams with the result of folding their histories. A stream that cannot be folded is left out and named. */
export async function compareStreams(
  database: Pool | ClientBase,
  streamIds: readonly string[],
  { leaseMs, findUnreadable, readThreadKeyRows }: ComparisonSettings,
): Promise<Compared> {
  const stored = await storedRows(database, streamIds);
  const threads = byName(stored.filter(({ view }) => view === 'thread'));
  const marks = new Map([...threads.values()].map(({ key, columns }) => [key, Number(columns.version ?? 0)]));
  const folded = await foldStreams(database, streamIds, marks);
  const streams = [...folded.streams.values()].filter(({ version }) => version > 0);
  const threadIds = streams.filter(({ kind }) => kind === 'thread').map(({ streamId }) => streamId);
  const ends = await lastEnds(database, threadIds);
  const expected = streams.flatMap((stream): ViewRow[] => {
    const { streamId } = stream;
    if (stream.kind === 'tenant') return tenantRows(streamId, stream.state);
    if (stream.kind === 'job') return jobRows(streamId, stream.state, leaseMs);
    const summed = summedUp(stream, threads.get(`thread ${streamId}`), folded.marked.get(streamId));
    const keys = stream.state.deleted || !readThreadKeyRows ? [] : [threadKeyRow(streamId, stream.state.tenantId)];
    return [...threadRow(streamId, stream.state, ends.get(streamId) ?? null, summed), ...keys];
  });
  const deleted = streams.filter((stream) => stream.kind === 'thread' && stream.state.deleted).map(({ streamId }) => streamId);
  expected.push(...(await erasures(database, deleted, stored)));
  stored.push(...((await readThreadKeyRows?.(database, threadIds)) ?? []));
  const unreadable = (await findUnreadable?.(database, jobsWithDocument(stored))) ?? new Set<string>();
  const known = stored.filter(({ streamId }) => !folded.failures.has(streamId)).map((row) => shownAs(row, unreadable, expected));
  const rows = { expected: byName(expected), stored: byName(known) };
  const messages = await differingMessages(database, threadIds, MAX_MESSAGES);
  const differences = [...rowDifferences(rows.expected, rows.stored), ...messages.flatMap((one) => ofMessage(one, rows.stored))];
  return { ...folded, ...rows, differences };
}

/** A summary of another shape comes from another build and is not used. One of this shape must match the history up to its version. */
function summedUp(stream: Stream, row: ViewRow | undefined, marked: Stream | undefined) {
  const { version = null, jobCount = null, shape } = (row?.columns ?? {}) as Record<string, number | null | undefined>;
  if (row && shape !== SUMMARY_SHAPE) return { version, jobCount };
  const summed = marked ?? stream;
  return { version: summed.version, jobCount: summed.kind === 'thread' ? summed.state.jobCount : null };
}

/** The entry exists as long as anything is left of the thread, and may exist a little longer. */
async function erasures(database: Pool | ClientBase, deleted: readonly string[], stored: readonly ViewRow[]): Promise<ViewRow[]> {
  const unerased = await unerasedThreads(database, deleted);
  const entries = new Map(deleted.map((streamId) => [erasureRow(streamId, null).key, streamId]));
  const standing = stored.filter(({ view, key }) => view === 'agenda' && entries.has(key));
  const missing = [...unerased].filter((streamId) => !standing.some((row) => row.streamId === streamId));
  return [...standing.map(({ streamId }) => erasureRow(streamId, null)), ...missing.map((streamId) => erasureRow(streamId, null))];
}

const jobsWithDocument = (stored: readonly ViewRow[]): string[] =>
  stored.filter(({ view, columns }) => view === 'job' && columns.document === DOCUMENT.sealed).map(({ key }) => key);

function shownAs(row: ViewRow, unreadable: ReadonlySet<string>, expected: readonly ViewRow[]): ViewRow {
  const { columns } = row;
  const wanted = () => expected.find(({ view, key }) => view === row.view && key === row.key)?.columns ?? columns;
  if (row.view === 'job') {
    const document = unreadable.has(row.key) ? DOCUMENT.unreadable : columns.document;
    return { ...row, columns: { ...columns, document, steps: withCharges(columns.steps, wanted().steps as StepProgress[]) } };
  }
  // Entries and keys of earlier builds have no tenant.
  const mayLackTenant = row.view === 'agenda' || row.view === 'thread key';
  return mayLackTenant && columns.tenantId === '' ? { ...row, columns: { ...columns, tenantId: wanted().tenantId } } : row;
}

/** Rows of earlier builds have no charges: then the events are asked. */
function withCharges(steps: unknown, expected: readonly StepProgress[]): unknown {
  if (!Array.isArray(steps) || steps.some((step: StepProgress | null) => step?.chargedMicros !== undefined)) return steps;
  const charges = new Map(expected.map(({ id, chargedMicros }) => [id, chargedMicros]));
  return steps.map((step: StepProgress | null) => step && { ...step, chargedMicros: charges.get(step.id) });
}

/** A remaining message of a thread being erased is removed with the rest of it. */
function ofMessage({ expected, stored }: DifferingMessage, rows: ReadonlyMap<string, ViewRow>): ViewDifference[] {
  const isBeingErased = !expected && stored && rows.has(`agenda ${stored.streamId} erase thread/`);
  if (isBeingErased) return [];
  return rowDifferences(byName(expected ? [expected] : []), byName(stored ? [stored] : []));
}
