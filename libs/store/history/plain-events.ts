import type { Pool } from 'pg';

/** How many events of earlier builds contain something about questions and answers that an erasure does not remove. */
export interface PlainEvents {
  /** A digest without a key: of a provider's raw response, or of its id of a run. */
  digests: number;
  /** The name that a provider gave to its model. */
  models: number;
  /** A request id or a trace context that may be the client's own. */
  requestIds: number;
}

/** Events with a `traceId` are of later schema versions, which record none of it. */
const COUNT = `select count(*) filter (where facts ?| array['rawSha256', 'externalIdSha256'])::int as digests,
    count(*) filter (where facts ->> 'model' is not null and type = 'StepCompleted')::int as models,
    count(*) filter (where starts_with(meta ->> 'actor', 'key:'))::int as "requestIds"
  from event where not facts ? 'traceId' and (stream_id like 'job\\_%' or stream_id like 'thr\\_%')`;

export async function countPlainEvents(pool: Pool): Promise<PlainEvents> {
  const { rows } = await pool.query<PlainEvents>(COUNT);
  return (rows as [PlainEvents])[0];
}
