/** Every migration, in the order they run. A process compares these names with the database without loading the migrations. */
export const MIGRATION_NAMES = [
  'Migration20261121000100_access',
  'Migration20261121000200_events',
  'Migration20261121000300_cancel_run',
  'Migration20261121000400_stale_threads',
  'Migration20261122005900_expiry_index',
  'Migration20261122010000_thread_summaries',
  'Migration20261122012500_admission',
  'Migration20261122012900_cancellations_index',
  'Migration20261122014800_set_aside',
  'Migration20261122021000_erasure_in_pieces',
  'Migration20261122041000_runs_of_ended_jobs',
  'Migration20261122044000_jobs_by_tenant',
  'Migration20261122050000_keyed_requests',
  'Migration20261122071500_webhooks',
  'Migration20261122073000_balances',
  'Migration20261122100500_plain_owner',
] as const;
