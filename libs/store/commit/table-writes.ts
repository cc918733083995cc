import { SUMMARY_SHAPE } from '../history/thread-summary';
import { AGENDA_ADDED, AGENDA_REMOVED } from './agenda-writes';
import { bytea, int4, int8, json, text, time, type Column } from './columns';
import { insertInto, type TableWrite, type Rows } from './table-write';
import type { Writes } from './writes';

const EVENT: Column<Rows['events']>[] = [
  text('stream_id', ({ record }) => record.streamId),
  int4('version', ({ record }) => record.version),
  text('event_id', ({ record }) => record.id),
  text('type', ({ record }) => record.type),
  int4('schema_version', ({ record }) => record.schemaVersion),
  json('facts', ({ record }) => record.canonicalFacts),
  json('meta', ({ record }) => record.canonicalMeta),
  bytea('sealed', ({ record }) => record.sealed),
  bytea('sealed_sha256', ({ record }) => record.sealedSha256),
  bytea('prev_hash', ({ record }) => record.prevHash),
  bytea('hash', ({ record }) => record.hash),
  text('tenant_id', ({ tenantId }) => tenantId),
];

const KEY: Column<Rows['newKeys']>[] = [
  text('thread_id', (row) => row.threadId),
  text('kek_id', (row) => row.kekId),
  bytea('wrapped', (row) => row.wrapped),
  text('tenant_id', (row) => row.tenantId),
];

const THREAD: Column<Rows['newThreads']>[] = [
  text('id', (row) => row.id),
  text('tenant_id', (row) => row.tenantId),
  time('created_at', (row) => row.createdAt),
  time('updated_at', (row) => row.updatedAt),
  int4('version', (row) => row.version),
  int4('job_count', (row) => row.jobCount),
  int4('shape', () => SUMMARY_SHAPE),
];

const MESSAGE: Column<Rows['messages']>[] = [
  text('id', (row) => row.id),
  text('tenant_id', (row) => row.tenantId),
  text('thread_id', (row) => row.threadId),
  int4('version', (row) => row.version),
  text('role', (row) => row.role),
  time('created_at', (row) => row.createdAt),
];

const JOB_PROGRESS: Column<Rows['changedJobs']>[] = [
  text('id', (row) => row.id),
  int4('version', (row) => row.version),
  text('status', (row) => row.status),
  time('completed_at', (row) => row.completedAt),
  int4('cost_cents', (row) => row.costCents),
  json('steps', (row) => JSON.stringify(row.steps)),
  bytea('document', (row) => row.document),
];

const JOB: Column<Rows['newJobs']>[] = [
  ...JOB_PROGRESS,
  text('tenant_id', (row) => row.tenantId),
  text('thread_id', (row) => row.threadId),
  text('parent_job_id', (row) => row.parentJobId),
  text('budget_tier', (row) => row.budgetTier),
  int4('budget_cap_cents', (row) => row.budgetCapCents),
  time('created_at', (row) => row.createdAt),
];

const SETTLEMENT: Column<Rows['settlements']>[] = [
  text('tenant_id', (row) => row.tenantId),
  text('id', (row) => row.id),
  text('job_id', (row) => row.jobId),
  int8('cents', (row) => row.cents),
  int8('reserved_cents', (row) => row.reservedCents),
  time('created_at', (row) => row.at),
];

const LIMITED: Column<Rows['limitedJobs']>[] = [
  text('tenant_id', (row) => row.tenantId),
  text('key_id', (row) => row.keyId ?? ''),
  text('job_id', (row) => row.jobId),
  int8('cents', (row) => row.cents),
];

/** The rest of `Writes` has been dealt with before these table writes run: see the steps of `appendStatement`. */
export const TABLE_WRITES: {
  [Name in Exclude<keyof Writes, 'streams' | 'heldThreads' | 'requests' | 'reservations'>]: TableWrite<Rows[Name]>;
} = {
  events: {
    key: ({ record }) => `${record.streamId}/${String(record.version).padStart(9, '0')}`,
    columns: EVENT,
    sql: insertInto('event', EVENT, 'returning 1'),
  },
  agendaRemoved: AGENDA_REMOVED,
  erasedThreads: {
    key: (row) => row.threadId,
    columns: [text('thread_id', (row) => row.threadId)],
    sql: (given) => `select bury_threads(array_agg(thread_id)) from ${given}`,
  },
  erasedJobs: {
    key: (row) => row.jobId,
    columns: [text('job_id', (row) => row.jobId)],
    sql: (given) => `select erase_jobs(array_agg(job_id)) from ${given}`,
  },
  newKeys: { key: (row) => row.threadId, columns: KEY, sql: insertInto('thread_key', KEY) },
  newThreads: { key: (row) => row.id, columns: THREAD, sql: insertInto('thread', THREAD) },
  touchedThreads: {
    key: (row) => row.id,
    columns: [
      text('id', (row) => row.id),
      time('updated_at', (row) => row.updatedAt),
      int4('version', (row) => row.summary && row.summary.version),
      int4('job_count', (row) => row.summary && row.summary.jobCount),
      int4('shape', (row) => row.summary && SUMMARY_SHAPE),
    ],
    sql: (
      given,
    ) => `update thread set updated_at = greatest(thread.updated_at, timestamptz 'epoch' + given.updated_at * interval '1 millisecond'),
        version = coalesce(given.version, thread.version), job_count = coalesce(given.job_count, thread.job_count),
        shape = coalesce(given.shape, thread.shape)
      from ${given} given where thread.id = given.id`,
  },
  messages: { key: (row) => row.id, columns: MESSAGE, sql: insertInto('message', MESSAGE) },
  newJobs: { key: (row) => row.id, columns: JOB, sql: insertInto('job', JOB) },
  changedJobs: {
    key: (row) => row.id,
    columns: JOB_PROGRESS,
    sql: (given) => `update job set version = given.version, status = given.status,
        completed_at = timestamptz 'epoch' + given.completed_at * interval '1 millisecond', cost_cents = given.cost_cents,
        steps = given.steps::jsonb, document = coalesce(given.document, job.document)
      from ${given} given where job.id = given.id`,
  },
  agendaAdded: AGENDA_ADDED,
  limitedJobs: {
    key: (row) => row.jobId,
    columns: LIMITED,
    sql: (given) =>
      `select record_limited_jobs(array_agg(tenant_id), array_agg(key_id), array_agg(job_id), array_agg(cents)) from ${given}`,
  },
  settlements: {
    key: (row) => `${row.tenantId}/${row.id}`,
    columns: SETTLEMENT,
    sql: (given) => `insert into balance_transaction (${SETTLEMENT.map(({ name }) => name).join(', ')}, kind, counted)
      select ${SETTLEMENT.map(({ value }) => value).join(', ')}, 'settlement', false from ${given}`,
  },
};
