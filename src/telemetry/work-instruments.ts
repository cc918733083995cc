import { Histogram, type Registry } from 'prom-client';
import { AGENDA_KINDS } from '@lib/domain/job/agenda';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { DELIVERY_ERRORS, DISABLED_REASONS } from '@lib/domain/webhook';
import type { Work } from '@lib/messaging/subjects';
import type { Dispatched } from '@lib/messaging/transport';
import { counterFromZero, membersOf } from './counter-from-zero';
import { WORK_SECONDS } from './work-seconds';

const WORK_KINDS = membersOf<Work['kind']>({ step: true, cancel: true, explore: true, synthesis: true });
const DISPATCHED = membersOf<Dispatched>({ queued: true, already_queued: true, not_dispatched: true });

/** Metrics of the work that this process did: calls of providers, wake-ups and webhooks. */
export const createWorkInstruments = (registers: Registry[]) => ({
  providerCalls: new Histogram({
    name: 'research_provider_call_seconds',
    help: 'Time of a run at a provider as its worker saw it: from the call, or from going on with a run, to its end.',
    labelNames: ['provider', 'outcome', 'failure'],
    buckets: WORK_SECONDS,
    registers,
  }),
  providerBilled: counterFromZero(
    {
      name: 'research_provider_billed_dollars_total',
      help: 'What providers said or were computed to take for their runs, before our markup and whether or not a customer pays it.',
      registers,
    },
    { provider: PROVIDERS, outcome: ['completed', 'failed'] },
  ),
  dispatches: counterFromZero(
    {
      name: 'research_work_dispatched_total',
      help: 'Wake-ups for workers and synthesizers that were put into the queue, were there already, or were not taken by the broker.',
      registers,
    },
    { kind: WORK_KINDS, outcome: DISPATCHED },
  ),
  deliveries: counterFromZero(
    {
      name: 'research_work_deliveries_total',
      help: 'Wake-ups that came out of the queue: for the first time, or again.',
      registers,
    },
    { kind: WORK_KINDS, again: ['false', 'true'] },
  ),
  sweeps: counterFromZero(
    {
      name: 'research_swept_total',
      help: 'Overdue rows of the agenda that a sweeper dispatched again, with what became of it.',
      registers,
    },
    { kind: AGENDA_KINDS, outcome: DISPATCHED },
  ),
  webhookAttempts: counterFromZero(
    {
      name: 'research_webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by what came of it.',
      registers,
    },
    { outcome: ['delivered', ...DELIVERY_ERRORS] },
  ),
  webhooksDisabled: counterFromZero(
    {
      name: 'research_webhooks_disabled_total',
      help: 'Webhooks to which nothing more is delivered: the endpoint said so, or failed for too long.',
      registers,
    },
    { reason: DISABLED_REASONS },
  ),
});
