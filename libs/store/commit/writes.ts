import type { AgendaEntry } from '@lib/domain/job/agenda';
import type { JobRow } from '../views/project';
import { boolArray, byteaArray, int4Array, int8Array, textArray } from '../postgres/array-parameter';
import type { EventRecord } from '../history/event-record';

/** An agenda entry of a job; `sealedRun` is the id of a run to be cancelled. */
export type AgendaRow = AgendaEntry & { jobId: string; lookInMs: number; sealedRun: Buffer | null };

/** Everything that one batch writes: at most one row per key, since one statement cannot touch a row twice. */
export interface Writes {
  events: EventRecord[];
  newKeys: { threadId: string; kekId: string; wrapped: Buffer }[];
  /** Threads whose key must still be there, because something is sealed under it. */
  heldThreads: string[];
  newThreads: { id: string; tenantId: string; createdAt: string; updatedAt: string }[];
  touchedThreads: { id: string; updatedAt: string }[];
  messages: { id: string; tenantId: string; threadId: string; version: number; role: string; createdAt: string }[];
  newJobs: (JobRow & { document: Buffer | null })[];
  changedJobs: (JobRow & { document: Buffer | null })[];
  agendaAdded: AgendaRow[];
  /** Those of a lease that must have run out say so: one that was renewed meanwhile refuses the whole batch. */
  agendaRemoved: { jobId: string; kind: string; ref: string; ended: boolean }[];
}

export const noWrites = (): Writes => ({
  events: [],
  newKeys: [],
  heldThreads: [],
  newThreads: [],
  touchedThreads: [],
  messages: [],
  newJobs: [],
  changedJobs: [],
  agendaAdded: [],
  agendaRemoved: [],
});

export interface Part<Row> {
  /** The statement over `rows`, whose columns are `columns` in their order. */
  sql: (rows: string) => string;
  /** In the order in which every process locks: by key. */
  key: (row: Row) => string;
  columns: Column<Row>[];
}

type Column<Row> = [type: string, encode: (rows: Row[]) => Buffer];

const text = <Row>(of: (row: Row) => string | null): Column<Row> => ['text', (rows) => textArray(rows.map(of))];
const bool = <Row>(of: (row: Row) => boolean): Column<Row> => ['bool', (rows) => boolArray(rows.map(of))];
const int4 = <Row>(of: (row: Row) => number | null): Column<Row> => ['int4', (rows) => int4Array(rows.map(of))];
const bytea = <Row>(of: (row: Row) => Buffer | null): Column<Row> => ['bytea', (rows) => byteaArray(rows.map(of))];
/** Milliseconds since 1970, made a timestamp by `at()`. */
const time = <Row>(of: (row: Row) => string | null): Column<Row> => {
  const milliseconds = (value: string | null) => (value === null ? null : Date.parse(value));
  return ['int8', (rows) => int8Array(rows.map((row) => milliseconds(of(row))))];
};
const at = (column: string): string => `timestamptz 'epoch' + ${column} * interval '1 millisecond'`;
const after = (column: string): string => `clock_timestamp() + ${column} * interval '1 millisecond'`;

const JOB_COLUMNS: Column<Writes['newJobs'][number]>[] = [
  text((row) => row.id),
  text((row) => row.tenantId),
  text((row) => row.threadId),
  text((row) => row.parentJobId),
  int4((row) => row.version),
  text((row) => row.status),
  text((row) => row.budgetTier),
  int4((row) => row.budgetCapCents),
  time((row) => row.createdAt),
  time((row) => row.completedAt),
  int4((row) => row.costCents),
  text((row) => JSON.stringify(row.steps)),
  bytea((row) => row.document),
];

/** Events first, since they are counted first; of the rest PostgreSQL chooses the order, the same one in every process that writes. */
export const PARTS: { [Name in keyof Writes]: Part<Writes[Name][number]> } = {
  events: {
    key: (row) => `${row.streamId}/${String(row.version).padStart(9, '0')}`,
    sql: (
      rows,
    ) => `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, sealed, sealed_sha256, prev_hash, hash)
      select c1, c2, c3, c4, c5, c6::jsonb, c7::jsonb, c8, c9, c10, c11 from ${rows} returning 1`,
    columns: [
      text((row) => row.streamId),
      int4((row) => row.version),
      text((row) => row.id),
      text((row) => row.type),
      int4((row) => row.schemaVersion),
      text((row) => JSON.stringify(row.facts)),
      text((row) => JSON.stringify(row.meta)),
      bytea((row) => row.sealed),
      bytea((row) => row.sealedSha256),
      bytea((row) => row.prevHash),
      bytea((row) => row.hash),
    ],
  },
  newKeys: {
    key: (row) => row.threadId,
    sql: (rows) => `insert into thread_key (thread_id, kek_id, wrapped) select c1, c2, c3 from ${rows}`,
    columns: [text((row) => row.threadId), text((row) => row.kekId), bytea((row) => row.wrapped)],
  },
  heldThreads: {
    key: (row) => row,
    sql: (rows) => `select 1 from ${rows} join thread_key on thread_key.thread_id = c1 order by c1 for share of thread_key`,
    columns: [text((row) => row)],
  },
  newThreads: {
    key: (row) => row.id,
    sql: (rows) => `insert into thread (id, tenant_id, created_at, updated_at) select c1, c2, ${at('c3')}, ${at('c4')} from ${rows}`,
    columns: [text((row) => row.id), text((row) => row.tenantId), time((row) => row.createdAt), time((row) => row.updatedAt)],
  },
  touchedThreads: {
    key: (row) => row.id,
    sql: (rows) => `update thread set updated_at = greatest(updated_at, ${at('c2')}) from ${rows} where id = c1`,
    columns: [text((row) => row.id), time((row) => row.updatedAt)],
  },
  messages: {
    key: (row) => row.id,
    sql: (rows) =>
      `insert into message (id, tenant_id, thread_id, version, role, created_at) select c1, c2, c3, c4, c5, ${at('c6')} from ${rows}`,
    columns: [
      text((row) => row.id),
      text((row) => row.tenantId),
      text((row) => row.threadId),
      int4((row) => row.version),
      text((row) => row.role),
      time((row) => row.createdAt),
    ],
  },
  newJobs: {
    key: (row) => row.id,
    sql: (rows) => `insert into job (id, tenant_id, thread_id, parent_job_id, version, status, budget_tier, budget_cap_cents,
        created_at, completed_at, cost_cents, steps, document)
      select c1, c2, c3, c4, c5, c6, c7, c8, ${at('c9')}, ${at('c10')}, c11, c12::jsonb, c13 from ${rows}`,
    columns: JOB_COLUMNS,
  },
  changedJobs: {
    key: (row) => row.id,
    sql: (rows) => `update job set version = c2, status = c3, completed_at = ${at('c4')}, cost_cents = c5, steps = c6::jsonb,
        document = coalesce(c7, document)
      from ${rows} where id = c1`,
    columns: [
      text((row) => row.id),
      int4((row) => row.version),
      text((row) => row.status),
      time((row) => row.completedAt),
      int4((row) => row.costCents),
      text((row) => JSON.stringify(row.steps)),
      bytea((row) => row.document),
    ],
  },
  // One part for all removals, so that a batch locks agenda rows in the order in which leases are renewed.
  agendaRemoved: {
    key: (row) => `${row.jobId}/${row.kind}/${row.ref}`,
    sql: (rows) => `delete from agenda using ${rows}
      where job_id = c1 and kind = c2 and ref = c3 and (not c4 or due_at <= clock_timestamp()) returning c4 as ended`,
    columns: [text((row) => row.jobId), text((row) => row.kind), text((row) => row.ref), bool((row) => row.ended)],
  },
  agendaAdded: {
    key: (row) => `${row.jobId}/${row.kind}/${row.ref}`,
    sql: (rows) => `insert into agenda (job_id, kind, ref, step_id, attempt, provider, due_at, look_at, run, sealed_run)
      select c1, c2, c3, c4, c5, c6, ${after('c7')}, ${after('c8')}, c9, c10 from ${rows}`,
    columns: [
      text((row) => row.jobId),
      text((row) => row.kind),
      text((row) => row.ref),
      text((row) => row.stepId),
      int4((row) => row.attempt),
      text((row) => row.provider),
      int4((row) => row.dueInMs),
      int4((row) => row.lookInMs),
      int4((row) => row.run),
      bytea((row) => row.sealedRun),
    ],
  },
};
