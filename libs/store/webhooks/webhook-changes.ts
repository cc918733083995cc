import { setTimeout as sleep } from 'node:timers/promises';
import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { namedTenants } from '@lib/batching/named-tenants';
import { DomainError } from '@lib/domain/errors';
import { TEST_EVENT_TYPE, type WebhookEventType } from '@lib/domain/webhook';
import { Tenant } from '../access/access-entities';
import { newId } from '../new-id';
import { ANSWER_WITHIN_MS, answeredInTime } from '../postgres/answer-within';
import { ormOver } from '../postgres/orm';
import { LOCK_NOT_AVAILABLE, sqlStateOf } from '../postgres/sql-states';
import { asStoreError, RowLocked } from '../postgres/store-unavailable';
import { RequestRepeated, RequestUnderWay, type IdempotentRequest, type RequestDigests } from '../requests/idempotent-requests';
import type { KeyRing } from '../sealing/key-ring';
import { deliveryNotFound, webhookNotFound } from './not-found';
import { firstSecret, openWebhook, rotated, sealWebhook, type SealedWebhook } from './sealed-webhook';
import { Webhook } from './webhook-entities';

/** Webhooks that a tenant may have. */
const MAX_WEBHOOKS = 20;

/** A webhook as requested by its owner. */
export interface WebhookInput {
  url: string;
  description: string;
  eventTypes: WebhookEventType[];
  enabled: boolean;
}

type Change = (em: EntityManager) => Promise<unknown>;

interface Own {
  tenantId: string;
  id: string;
}

/** Under each of its digests. */
const RECORD = `select cardinality(under_way) as under_way, cardinality(repeated) as repeated
  from (select array_agg(decode(digest, 'hex')) as digests, array_agg(decode(body_digest, 'hex')) as body_digests,
      array_agg(?::text) as stream_ids, array_agg(?::int) as versions, array_agg(0) as threads
    from jsonb_to_recordset(?::jsonb) as given (digest text, body_digest text)) as given,
  record_requests(digests, body_digests, stream_ids, versions, threads, array[]::int[])`;
/** Pause before another try, while another process is about to do the same request or keeps a row locked. */
const PAUSE_MS = 100;
/** How many changes of a process hold a connection at a time, and how long each may wait for a row, because other requests need connections too. */
const TOGETHER = 2;
const BEGUN = `select set_config('lock_timeout', '100', true), set_config('research_threads.tenants', ?, true)`;
/**
 * Sealed bytes do not say under which master key they are sealed, so each writer records it here. If its key is not recorded any more, that
 * was retired since this process started, and is older than the recorded ones.
 */
const SEALS_UNDER = `insert into master_key (kek_id, first_used_at)
  select ?, coalesce(min(first_used_at) - interval '1 second', now()) from master_key on conflict do nothing`;
/** Due by the database's clock, which the senders go by. */
const ADD_TEST = 'insert into webhook_delivery (webhook_id, event_id, type, occurred_at, due_at) values (?, ?, ?, now(), now())';
const DELETE_DELIVERIES = 'delete from webhook_delivery where webhook_id in (select id from webhook where id = ? and tenant_id = ?)';
const REDELIVER = `update webhook_delivery set status = 'pending', failures = 0, unseen = 0, due_at = now(), ended_at = null
  where webhook_id = ? and event_id = ? returning event_id`;

/**
 * Changes of webhooks, each in one transaction with the request that asked for it.
 * @throws DomainError webhook_not_found; RequestRepeated or RequestUnderWay if the same request was or is done
 */
export class WebhookChanges {
  private readonly inTurn: (change: Change) => Promise<unknown>;

  constructor(
    pool: Pool,
    private readonly ring: KeyRing,
  ) {
    const commit = async ([change]: Change[]) => [
      await ormOver(pool)
        .em.fork()
        .transactional(async (em) => {
          await em.execute(BEGUN, [namedTenants()?.join() ?? '']);
          await em.execute(SEALS_UNDER, [ring.kekId]);
          return (change as Change)(em);
        }),
    ];
    this.inTurn = batch(commit, { maxItems: 1, width: TOGETHER, name: 'changes of webhooks', ...answeredInTime });
  }

  /** @throws DomainError too_many_webhooks */
  async create(tenantId: string, input: WebhookInput, request: IdempotentRequest | null): Promise<string> {
    const id = newId('whk');
    const { url, description, eventTypes, enabled } = input;
    const sealed = sealWebhook(this.ring, { id, tenantId }, { url, description, secrets: firstSecret() });
    await this.transaction(async (em) => {
      await record(em, request, { streamId: id, version: 1 });
      // One after the other: two at the same time could both find room for the last one.
      await em.findOneOrFail(Tenant, tenantId, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if ((await em.count(Webhook, { tenant: tenantId })) >= MAX_WEBHOOKS)
        throw new DomainError('too_many_webhooks', `The tenant has ${MAX_WEBHOOKS} webhooks, which is the most: delete one first.`);
      const disabled = enabled ? {} : { disabledReason: 'by_request', disabledAt: await clockOf(em) };
      em.persist(em.create(Webhook, { id, tenant: tenantId, eventTypes, enabled, sealed, ...disabled }));
    });
    return id;
  }

  async update(own: Own, input: Partial<WebhookInput>): Promise<void> {
    await this.transaction(async (em) => {
      const { webhook, opened } = await this.lock(em, own);
      const { url = opened.url, description = opened.description, eventTypes, enabled } = input;
      const now = await clockOf(em);
      webhook.sealed = sealWebhook(this.ring, own, { ...opened, url, description });
      webhook.updatedAt = now;
      if (url !== opened.url) webhook.failingSince = null;
      if (eventTypes) webhook.eventTypes = eventTypes;
      if (enabled === undefined || enabled === webhook.enabled) return;
      const disabled = { disabledReason: 'by_request', disabledAt: now };
      Object.assign(webhook, { enabled, failingSince: null, ...(enabled ? { disabledReason: null, disabledAt: null } : disabled) });
    });
  }

  /** Deletes it with its deliveries: without it, no row says whose they are, and a role that sees only its tenants' rows would see none of them. */
  async delete(own: Own, request: IdempotentRequest | null): Promise<void> {
    await this.transaction(async (em) => {
      await record(em, request, { streamId: own.id, version: 0 });
      await em.execute(DELETE_DELIVERIES, [own.id, own.tenantId], 'run');
      if ((await em.nativeDelete(Webhook, { id: own.id, tenant: own.tenantId })) === 0) throw webhookNotFound(own.id);
    });
  }

  /** @returns the number of the new secret */
  async rotateSecret(own: Own, request: IdempotentRequest | null): Promise<number> {
    return this.transaction(async (em) => {
      const { webhook, opened } = await this.lock(em, own);
      const now = await clockOf(em);
      const secrets = rotated(opened.secrets, now);
      const number = secrets[0]?.number ?? 0;
      await record(em, request, { streamId: own.id, version: number });
      webhook.sealed = sealWebhook(this.ring, own, { ...opened, secrets });
      webhook.updatedAt = now;
      return number;
    });
  }

  /**
   * Puts a test event on its way.
   * @returns its id
   * @throws DomainError webhook_disabled
   */
  async sendTest(own: Own, request: IdempotentRequest | null): Promise<string> {
    const eventId = newId('evt');
    await this.transaction(async (em) => {
      await record(em, request, { streamId: eventId, version: 0 });
      await this.lockEnabled(em, own);
      await em.execute(ADD_TEST, [own.id, eventId, TEST_EVENT_TYPE], 'run');
    });
    return eventId;
  }

  /**
   * Delivers an event again at once, with all of its attempts, whatever its outcome was.
   * @throws DomainError webhook_disabled or delivery_not_found
   */
  async redeliver(own: Own, eventId: string, request: IdempotentRequest | null): Promise<void> {
    await this.transaction(async (em) => {
      await record(em, request, { streamId: eventId, version: 0 });
      await this.lockEnabled(em, own);
      if ((await em.execute<object[]>(REDELIVER, [own.id, eventId])).length === 0) throw deliveryNotFound(own.id, eventId);
    });
  }

  private async lock(em: EntityManager, { tenantId, id }: Own) {
    const webhook = await em.findOne(Webhook, { id, tenant: tenantId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!webhook) throw webhookNotFound(id);
    const opened: SealedWebhook = openWebhook(this.ring, { id, tenantId }, Buffer.from(webhook.sealed));
    return { webhook, opened };
  }

  private async lockEnabled(em: EntityManager, own: Own): Promise<void> {
    const { webhook } = await this.lock(em, own);
    if (!webhook.enabled) throw new DomainError('webhook_disabled', `The webhook ${own.id} is disabled: enable it first.`);
  }

  /** Tries again while another process is about to do the same request or keeps a row locked, for as long as an answer may take. */
  private async transaction<Result>(change: (em: EntityManager) => Promise<Result>): Promise<Result> {
    const until = performance.now() + ANSWER_WITHIN_MS;
    for (;;) {
      try {
        return (await this.inTurn(change)) as Result;
      } catch (error) {
        const isLocked = sqlStateOf(error) === LOCK_NOT_AVAILABLE;
        if (!isLocked && !(error instanceof RequestUnderWay)) throw asStoreError(error);
        if (performance.now() > until) throw isLocked ? new RowLocked() : error;
        await sleep(PAUSE_MS);
      }
    }
  }
}

/** Those who sign go by it. */
async function clockOf(em: EntityManager): Promise<Date> {
  const [row] = await em.execute<[{ now: Date }]>('select clock_timestamp() as now');
  return new Date(row.now);
}

async function record(em: EntityManager, request: IdempotentRequest | null, effect: { streamId: string; version: number }): Promise<void> {
  if (!request) return;
  const hex = ({ digest, bodyDigest }: RequestDigests) => ({ digest: digest.toString('hex'), body_digest: bodyDigest.toString('hex') });
  const digests = JSON.stringify([request, ...(request.others ?? [])].map(hex));
  const [recorded] = await em.execute<{ under_way: number; repeated: number }[]>(RECORD, [effect.streamId, effect.version, digests]);
  if (recorded?.repeated) throw new RequestRepeated();
  if (recorded?.under_way) throw new RequestUnderWay();
}
