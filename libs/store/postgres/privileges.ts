/**
 * What each database role may do with each table and function. A test compares this list with the catalogue, so every new table or function needs a
 * decision here on who may use it and whose rows they see.
 */

/**
 * `api` sees only the tenants that a statement names. `service`, for the saga, the synthesizer and the webhooks, sees all tenants. `audit` reads all
 * tenants and writes nothing.
 */
export const DATABASE_ROLES = ['api', 'service', 'audit'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** The privileges on a table, as in `grant ... on table`. Apart from the owner, nobody else has any. */
type Privileges = Partial<Record<DatabaseRole, string>>;

/** Which rows belong to a tenant that the statement names, as SQL over the row. */
interface Rows {
  seen: string;
  /** The condition for a new or changed row; the same as `seen` if it is not set. */
  written?: string;
}

interface Decision extends Privileges {
  /** Null if rows do not belong to tenants, or if the api has no privilege at all. */
  rows: Rows | null;
}

/** The tenants that the statement names; none if it names none. */
const NAMED = `(select string_to_array(current_setting('research_threads.tenants', true), ','))::text[]`;

const ofTenant = (column = 'tenant_id'): Rows => ({ seen: `${column} = any (${NAMED})` });

/** A row must not point to a row of another tenant, such as a job to its thread or an event to its stream. */
const ofOwnStream = (stream: string): Rows => ({
  seen: `tenant_id = any (${NAMED})`,
  written: `tenant_id = any (${NAMED}) and belongs_to(${stream}, array[tenant_id]) is not false`,
});

/** Rows of earlier releases have no tenant: their stream's first event names it. */
const ofStream = (stream: string): Rows => ({
  seen: `(tenant_id = any (${NAMED}) or tenant_id is null and belongs_to(${stream}, ${NAMED}))`,
  written: `tenant_id = any (${NAMED}) and belongs_to(${stream}, array[tenant_id]) is not false`,
});

export const TABLES: Readonly<Record<string, Decision>> = {
  agenda: {
    api: 'select, insert, update, delete',
    service: 'select, insert, update, delete',
    audit: 'select (job_id, kind, ref, step_id, attempt, provider, due_at, look_at, tries, run, tenant_id, waiting, gives_up_at, taken_at)',
    rows: ofOwnStream('job_id'),
  },
  // The application reads it only by `find_api_keys`, which is given the ids.
  api_key: { audit: 'select (key_id, tenant_id, scopes, created_at, expires_at, revoked_at, limits)', rows: null },
  // No rows of tenants, but the pepper's fingerprint, which an api may add if there is none. Only the owner writes the other columns.
  api_key_pepper: { api: 'select, insert (fingerprint)', service: 'select, insert (fingerprint)', rows: null },
  // Who read the auditors' routes. The saga removes old rows.
  audit_read: {
    api: 'select, insert (tenant_id, key_id, route, resource, request_id, address)',
    service: 'select, delete',
    audit: 'select',
    rows: ofTenant(),
  },
  balance: { api: 'select', service: 'select', audit: 'select', rows: ofTenant() },
  balance_transaction: { api: 'select, insert', service: 'select, insert', audit: 'select', rows: ofTenant() },
  // Rows of the log belong to no tenant: the api sees hashes, the places of a stream's events by `place_in_log`, and its tenant's entries by
  // `log_of_tenant`.
  checkpoint: { api: 'select', service: 'select, insert', audit: 'select', rows: null },
  checkpoint_cosignature: { api: 'select', service: 'select, insert', audit: 'select', rows: null },
  checkpoint_key: { api: 'select', service: 'select, insert', audit: 'select', rows: null },
  // Rows come by a trigger of the log.
  deletion_receipt: { api: 'select', service: 'select, insert, update (size, note, streams)', audit: 'select', rows: ofTenant() },
  event: { api: 'select, insert', service: 'select, insert', audit: 'select', rows: ofStream('stream_id') },
  job: { api: 'select, insert, update', service: 'select, insert, update', audit: 'select', rows: ofOwnStream('thread_id') },
  // Only by `record_requests` and `find_keyed_requests`: knowing the digest proves that the caller made the request.
  keyed_request: { service: 'select, insert, update, delete', rows: null },
  // Written only by `check_limits` and `record_limited_jobs`.
  limit_usage: { api: 'select', service: 'select', audit: 'select', rows: ofTenant() },
  limited_job: { api: 'select', service: 'select', audit: 'select', rows: ofTenant() },
  log_entry: { api: 'select (index, leaf_hash)', service: 'select, insert', audit: 'select', rows: null },
  log_head: { api: 'select', service: 'select, update', audit: 'select', rows: null },
  log_node: { api: 'select', service: 'select, insert', audit: 'select', rows: null },
  log_origin: { api: 'select', service: 'select, insert, update (cluster)', audit: 'select', rows: null },
  // No tenant's rows: ids of keys, to which an api may add its own.
  master_key: { api: 'select, insert', service: 'select, insert', audit: 'select', rows: null },
  message: { api: 'select, insert', service: 'select, insert', audit: 'select', rows: ofOwnStream('thread_id') },
  mikro_orm_migrations: { api: 'select', service: 'select', audit: 'select', rows: null },
  provider_gate: { api: 'select (provider, failures, down, held_from, held_ms)', service: 'select, insert, update, delete', rows: null },
  // Only `remove_skeleton` deletes rows of `event`, and it marks them here.
  removed_stream: { api: 'select', service: 'select, insert', audit: 'select', rows: ofTenant() },
  // A tenant's row is locked while its webhooks are counted and while its history is written, and a lock takes a privilege to update.
  tenant: { api: 'select, update (created_at)', service: 'select, insert, update (created_at)', audit: 'select', rows: ofTenant('id') },
  tenant_limit: { api: 'select', service: 'select', audit: 'select', rows: ofTenant() },
  thread: { api: 'select, insert, update', service: 'select, insert, update', audit: 'select', rows: ofOwnStream('id') },
  thread_key: {
    api: 'select, insert',
    service: 'select, insert',
    audit: 'select (thread_id, kek_id, tenant_id)',
    rows: ofStream('thread_id'),
  },
  webhook: { api: 'select, insert, update, delete', service: 'select, update', rows: ofTenant() },
  webhook_delivery: {
    api: 'select, insert, update, delete',
    service: 'select, insert, update, delete',
    rows: { seen: `exists (select from webhook where webhook.id = webhook_id and webhook.tenant_id = any (${NAMED}))` },
  },
};

interface FunctionDecision {
  roles: readonly DatabaseRole[];
  /**
   * `owner`: the function runs with the owner's privileges and a search path that nobody else can write to. It reads every row, and writes only rows
   * of the named tenants, unless the session sees all tenants.
   */
  runsAs: 'caller' | 'owner';
}

const BOTH = ['api', 'service'] as const;

/** By name, for all argument types. A trigger's functions need no privilege. */
export const FUNCTIONS: Readonly<Record<string, FunctionDecision>> = {
  add_webhook_deliveries: { roles: [], runsAs: 'caller' },
  admit_steps: { roles: ['service'], runsAs: 'caller' },
  admitted_to: { roles: ['service'], runsAs: 'caller' },
  // It does nothing; a role that may call it sees all tenants.
  all_tenants: { roles: ['service', 'audit'], runsAs: 'caller' },
  // The policies call it for every reader.
  belongs_to: { roles: [...BOTH, 'audit'], runsAs: 'owner' },
  bury_threads: { roles: BOTH, runsAs: 'owner' },
  change_balance: { roles: [], runsAs: 'caller' },
  check_limits: { roles: BOTH, runsAs: 'owner' },
  count_settlements: { roles: [], runsAs: 'caller' },
  erase_jobs: { roles: BOTH, runsAs: 'owner' },
  erase_piece_of_thread: { roles: BOTH, runsAs: 'owner' },
  // Of the release before.
  erase_thread: { roles: [], runsAs: 'owner' },
  expect_receipts: { roles: [], runsAs: 'caller' },
  find_api_keys: { roles: BOTH, runsAs: 'owner' },
  find_keyed_requests: { roles: BOTH, runsAs: 'owner' },
  find_threads: { roles: BOTH, runsAs: 'owner' },
  forget_runs_of_job: { roles: [], runsAs: 'caller' },
  left_of: { roles: BOTH, runsAs: 'caller' },
  lock_or_set_aside: { roles: BOTH, runsAs: 'owner' },
  // It only answers for the named tenants.
  log_of_tenant: { roles: BOTH, runsAs: 'owner' },
  // Used by the previous release.
  lock_streams: { roles: [], runsAs: 'caller' },
  mark_keys_used: { roles: BOTH, runsAs: 'owner' },
  master_keys_in_use: { roles: BOTH, runsAs: 'owner' },
  place_in_log: { roles: BOTH, runsAs: 'owner' },
  record_limited_jobs: { roles: BOTH, runsAs: 'owner' },
  record_requests: { roles: BOTH, runsAs: 'owner' },
  refuse_event_change: { roles: [], runsAs: 'caller' },
  refuse_more_than_erasure: { roles: [], runsAs: 'caller' },
  remove_skeleton: { roles: ['service'], runsAs: 'owner' },
  require_counts: { roles: BOTH, runsAs: 'caller' },
  reserve_balances: { roles: BOTH, runsAs: 'owner' },
  room_of: { roles: BOTH, runsAs: 'owner' },
  // Of the release before.
  settle_limited_jobs: { roles: [], runsAs: 'caller' },
  settle_limits: { roles: [], runsAs: 'caller' },
  tell_end_of_limited_job: { roles: [], runsAs: 'owner' },
  tell_tenant_of_entry: { roles: [], runsAs: 'caller' },
};
