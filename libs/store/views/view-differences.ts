import type { Pool } from 'pg';
import { agendaKey, agendaOf } from '@lib/domain/agenda';
import type { Stream } from '../events/aggregates';
import { load } from '../events/load';
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
  const expected = new Map<string, string>();
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
    for (const stream of (await load(pool, ids)).streams.values()) expect(stream, leaseMs, expected);
  }
  return { streams, differences: compare(expected, await storedRows(pool)) };
}

function expect(stream: Stream, leaseMs: number, expected: Map<string, string>): void {
  const { streamId } = stream;
  if (stream.kind === 'thread') {
    const { tenantId, createdAt, deleted } = stream.state;
    if (!deleted) expected.set(`thread ${streamId}`, canonical({ tenantId, createdAt }));
    return;
  }
  if (!stream.state.erased)
    expected.set(`job ${streamId}`, canonical({ ...jobRow(streamId, stream.state), hasDocument: stream.state.totals !== null }));
  for (const entry of agendaOf(stream.state, leaseMs))
    expected.set(`agenda ${streamId} ${agendaKey(entry)}`, canonical({ provider: entry.provider }));
}

async function storedRows(pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; row: object }>(`
    select 'thread ' || id as name, jsonb_build_object('tenantId', tenant_id, 'createdAt', to_char(created_at at time zone 'utc', '${ISO}')) as row from thread
    union all
    select 'job ' || id, jsonb_build_object('id', id, 'tenantId', tenant_id, 'threadId', thread_id, 'parentJobId', parent_job_id,
      'version', version, 'status', status, 'budgetTier', budget_tier, 'budgetCapCents', budget_cap_cents,
      'createdAt', to_char(created_at at time zone 'utc', '${ISO}'), 'completedAt', to_char(completed_at at time zone 'utc', '${ISO}'),
      'costCents', cost_cents, 'steps', steps, 'hasDocument', document is not null) from job
    union all
    select 'agenda ' || job_id || ' ' || kind || '/' || ref, jsonb_build_object('provider', provider) from agenda`);
  return new Map(rows.map(({ name, row }) => [name, canonical(row)]));
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** JSON with sorted keys, so that equal rows are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

function compare(expected: ReadonlyMap<string, string>, stored: ReadonlyMap<string, string>): string[] {
  const lost = [...expected].filter(([name, row]) => stored.get(name) !== row);
  const extra = [...stored.keys()].filter((name) => !expected.has(name));
  return [
    ...lost.map(([name, row]) => `${name}: the history says ${row}, stored is ${stored.get(name) ?? 'nothing'}`),
    ...extra.map((name) => `${name}: stored, but the history does not say so`),
  ];
}
