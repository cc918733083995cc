import type { Pool } from 'pg';
import type { DeliveryError, DisabledReason } from '@lib/domain/webhook';

/** How deliveries to webhooks go, over all tenants. */
export interface WebhookHealth {
  /** Deliveries that were attempted in the last hour, by how the last attempt ended. */
  outcomes: { outcome: 'delivered' | DeliveryError; count: number }[];
  /**
   * Webhooks that fail now, which have failed for longest first, and then those that were disabled in the last day but not by their owner, the last ones
   * first; at most `MOST_AILING`.
   */
  ailing: AilingWebhook[];
  /** How many there are of them. */
  ailingTotal: number;
  /** How many were disabled in the last hour, since they had failed for a week. */
  newlyDisabled: number;
}

const MOST_AILING = 200;

export interface AilingWebhook {
  webhookId: string;
  tenantId: string;
  /** Null if it still gets deliveries. */
  disabledFor: DisabledReason | null;
  /** How long ago it began to fail, or was disabled. */
  seconds: number;
}

/** An answer 410 wants no more, and what is left to a disabled webhook was not attempted: neither is a failure, as in the alert. */
const OUTCOMES = `
  with tried as (
    select status, error, attempted_at from webhook_delivery where ended_at > statement_timestamp() - interval '1 hour'
    union all select status, error, attempted_at from webhook_delivery where due_at is not null)
  select coalesce(error, status) as outcome, count(*)::int as count from tried
    where attempted_at > statement_timestamp() - interval '1 hour' and (error is not null or status = 'delivered')
      and error is distinct from 'gone' and error is distinct from 'webhook_disabled'
    group by 1 order by 2 desc, 1`;

const AILING = `
  select *, (count(*) over ())::int as total,
    (count(*) filter (where "disabledFor" = 'failing' and seconds < 3600) over ())::int as "newlyDisabled" from (
    select id as "webhookId", tenant_id as "tenantId", case when not enabled then disabled_reason end as "disabledFor",
        extract(epoch from statement_timestamp() - case when enabled then failing_since else disabled_at end)::float8 as seconds
      from webhook where enabled and failing_since is not null
        or not enabled and disabled_reason <> 'by_request' and disabled_at > statement_timestamp() - interval '1 day') as found
    order by "disabledFor" is not null, case when "disabledFor" is null then -seconds else seconds end, "webhookId" limit ${MOST_AILING}`;

export async function webhookHealth(pool: Pool): Promise<WebhookHealth> {
  const [outcomes, ailing] = await Promise.all([
    pool.query<WebhookHealth['outcomes'][number]>(OUTCOMES),
    pool.query<AilingWebhook & { total: number; newlyDisabled: number }>(AILING),
  ]);
  const { total = 0, newlyDisabled = 0 } = ailing.rows[0] ?? {};
  const named = ailing.rows.map(({ webhookId, tenantId, disabledFor, seconds }) => ({ webhookId, tenantId, disabledFor, seconds }));
  return { outcomes: outcomes.rows, ailing: named, ailingTotal: total, newlyDisabled };
}
