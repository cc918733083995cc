import type { AilingWebhook, WebhookHealth } from '@lib/store/views/webhook-health';
import type { Attention } from './attention';

/** As in the alert rules of k8s/components/monitoring, which count attempts: of more than so many at least one in ten should have arrived. */
const MAX_TRIED = 10;
const DELIVERED_SHARE = 0.1;
const MAX_DISABLED = 1;
const HOUR_SECONDS = 3600;
/** The screen names so many. */
const NAMED = 5;
const RUNBOOK = 'WebhooksFailing';

/** One receiver that is broken is its owner's affair: `webhookLines` names it. */
export function toWebhooks(webhooks: WebhookHealth | null): Attention[] {
  if (webhooks === null) return [];
  const found: Attention[] = [];
  const { delivered, failed, errors } = summed(webhooks);
  const tried = delivered + failed;
  if (tried > MAX_TRIED && delivered < DELIVERED_SHARE * tried)
    found.push({ what: `${failed} of ${tried} deliveries to webhooks failed in the last hour (${errors})`, runbook: RUNBOOK });
  const { newlyDisabled } = webhooks;
  if (newlyDisabled > MAX_DISABLED)
    found.push({ what: `${newlyDisabled} webhooks were disabled in the last hour, since they had failed for a week`, runbook: RUNBOOK });
  return found;
}

export function webhookLines(webhooks: WebhookHealth | null): string[] {
  if (webhooks === null || webhooks.outcomes.length + webhooks.ailing.length === 0) return [];
  const { delivered, failed, errors } = summed(webhooks);
  const { ailing, ailingTotal } = webhooks;
  const more = ailingTotal > NAMED ? [`  and ${ailingTotal - NAMED} more (--json)`] : [];
  return [
    `Deliveries to webhooks in the last hour: arrived ${delivered}, failed ${failed}${errors === '' ? '' : ` (${errors})`}.`,
    ...ailing.slice(0, NAMED).map((one) => `  ${one.webhookId} of ${one.tenantId} ${stateOf(one)}`),
    ...more,
    '',
  ];
}

function summed({ outcomes }: WebhookHealth): { delivered: number; failed: number; errors: string } {
  const faults = outcomes.filter(({ outcome }) => outcome !== 'delivered');
  return {
    delivered: outcomes.find(({ outcome }) => outcome === 'delivered')?.count ?? 0,
    failed: faults.reduce((sum, { count }) => sum + count, 0),
    errors: faults.map(({ outcome, count }) => `${outcome} ${count}`).join(', '),
  };
}

function stateOf({ disabledFor, seconds }: AilingWebhook): string {
  const time = seconds < HOUR_SECONDS ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / HOUR_SECONDS)} hours`;
  if (disabledFor === null) return `has failed for ${time}`;
  return `was disabled ${time} ago: it ${disabledFor === 'gone' ? 'answered 410' : 'had failed for a week'}`;
}
