import type { ClientBase, Pool } from 'pg';
import type { EventMeta } from '@lib/domain/event';
import { decideTenant, tenantStreamId, type TenantCommand, type TenantState } from '@lib/domain/tenant';
import { emptyStream, evolve, tenantStateIn, type Stream } from '../history/aggregates';
import { recordOf, type EventRecord } from '../history/event-record';
import { load } from '../history/load';
import { newId } from '../new-id';
import { withStoreErrors } from '../postgres/store-unavailable';
import { inTransaction } from '../postgres/transaction';

/** Who changes a tenant, and on whose behalf. */
export type ChangeMeta = Pick<EventMeta, 'actor' | 'correlationId'>;

/** The meta of a process's own actions at its start. */
export const AT_START: ChangeMeta = { actor: 'role:api', correlationId: 'start' };

export interface TenantChange {
  tenantId: string;
  /** Each is decided on the state left by the one before it. All are committed, or none. */
  commands: readonly TenantCommand[];
  meta: ChangeMeta;
  /** Writes the rows that follow from the new state, in the same transaction. */
  write?: (client: ClientBase, after: TenantState, before: TenantState) => Promise<void>;
}

/** Names the tenant for the policies of the tables. */
const NAME_TENANT = `select set_config('research_threads.tenants', $1, true)`;
const LOCK = 'select clock_timestamp() as now from tenant where id = $1 for no key update';
const APPEND = `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, sealed, sealed_sha256, prev_hash, hash, tenant_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/**
 * Tenants, each folded from its history. They change rarely and hold no content, so each change is a transaction of its own that locks the
 * tenant's row; the write path of threads and jobs is not involved.
 */
export class Tenants {
  constructor(private readonly pool: Pool) {}

  /** The tenant as it is stored now; one that does not exist has version 0. */
  async load(tenantId: string): Promise<TenantState> {
    return tenantStateIn(await withStoreErrors(() => loaded(this.pool, tenantId)));
  }

  /**
   * Commits the tenant's decision about the commands. A tenant begins to exist with the first one.
   * @returns the tenant afterwards
   * @throws DomainError if a command is refused, StoreUnavailable if the database cannot be reached
   */
  async execute(change: TenantChange): Promise<TenantState> {
    return withStoreErrors(() =>
      inTransaction(this.pool, async (client) => {
        await client.query(NAME_TENANT, [change.tenantId]);
        return apply(client, change);
      }),
    );
  }
}

async function apply(client: ClientBase, { tenantId, commands, meta, write }: TenantChange): Promise<TenantState> {
  const now = (await lockTenant(client, tenantId)).toISOString();
  const before = await loaded(client, tenantId);
  const at = before.at > now ? before.at : now;
  const records: EventRecord[] = [];
  let stream = before;
  for (const command of commands) {
    for (const event of decideTenant(command, tenantStateIn(stream), at)) {
      const { streamId, hash } = stream;
      const causationId = records[0]?.id ?? null;
      const skeleton = { id: newId('evt'), streamId, version: stream.version + 1, type: event.type, facts: event.facts };
      const record = recordOf(
        { ...skeleton, meta: { occurredAt: at, actor: meta.actor, correlationId: meta.correlationId, traceparent: null, causationId } },
        hash,
        null,
      );
      records.push(record);
      stream = evolve(stream, event, at, record.hash);
    }
  }
  for (const record of records) await append(client, tenantId, record);
  const after = tenantStateIn(stream);
  await write?.(client, after, tenantStateIn(before));
  return after;
}

/** @returns the database's time, once nobody else changes the tenant */
async function lockTenant(client: ClientBase, tenantId: string): Promise<Date> {
  const lock = async () => (await client.query<{ now: Date }>(LOCK, [tenantId])).rows[0];
  const known = await lock();
  if (known) return known.now;
  await client.query('insert into tenant (id) values ($1) on conflict do nothing', [tenantId]);
  return ((await lock()) as { now: Date }).now;
}

async function append(client: ClientBase, tenantId: string, record: EventRecord): Promise<void> {
  const { streamId, version, id, type, schemaVersion, canonicalFacts, canonicalMeta, sealed, sealedSha256, prevHash, hash } = record;
  const values = [streamId, version, id, type, schemaVersion, canonicalFacts, canonicalMeta, sealed, sealedSha256, prevHash, hash];
  await client.query(APPEND, [...values, tenantId]);
}

/** @throws Error if the history cannot be folded, or a newer build has written to it */
async function loaded(database: Pool | ClientBase, tenantId: string): Promise<Stream> {
  const streamId = tenantStreamId(tenantId);
  const { streams, failures } = await load(database, [emptyStream(streamId)]);
  const failure = failures.get(streamId);
  if (failure) throw failure;
  return streams.get(streamId) as Stream;
}
