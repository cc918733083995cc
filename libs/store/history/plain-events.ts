import type { Pool } from 'pg';

/** How many events, written by earlier builds, say of what was asked and answered what an erasure does not take away. */
export interface PlainEvents {
  /** By a plain digest: of a provider's raw response, or of its id of a run. */
  digests: number;
  /** By the name that a provider told of its model. */
  models: number;
  /** By what a client may have sent as its id of the request, or as its trace context. */
  requestIds: number;
}

/** `traceId` came with the schema versions that record none of it. */
const COUNT = `select count(*) filter (where facts ?| array['rawSha256', 'externalIdSha256'])::int as digests,
    count(*) filter (where facts ->> 'model' is not null and type = 'StepCompleted')::int as models,
    count(*) filter (where starts_with(meta ->> 'actor', 'key:'))::int as "requestIds"
  from event where not facts ? 'traceId' and (stream_id like 'job\\_%' or stream_id like 'thr\\_%')`;

export async function countPlainEvents(pool: Pool): Promise<PlainEvents> {
  const { rows } = await pool.query<PlainEvents>(COUNT);
  return (rows as [PlainEvents])[0];
}
