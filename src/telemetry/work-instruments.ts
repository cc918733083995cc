import { Counter, Histogram, type Registry } from 'prom-client';
import { WORK_SECONDS } from './work-seconds';

/** Metrics of the work that this process did: calls of providers, wake-ups and webhooks. */
export const createWorkInstruments = (registers: Registry[]) => ({
  providerCalls: new Histogram({
    name: 'research_provider_call_seconds',
    help: 'Time of a run at a provider as its worker saw it: from the call, or from going on with a run, to its end.',
    labelNames: ['provider', 'outcome', 'failure'],
    buckets: WORK_SECONDS,
    registers,
  }),
  providerBilled: new Counter({
    name: 'research_provider_billed_dollars_total',
    help: 'What providers said or were computed to take for their runs, before our markup and whether or not a customer pays it.',
    labelNames: ['provider', 'outcome'],
    registers,
  }),
  dispatches: new Counter({
    name: 'research_work_dispatched_total',
    help: 'Wake-ups for workers and synthesizers that were put into the queue, were there already, or were not taken by the broker.',
    labelNames: ['kind', 'outcome'],
    registers,
  }),
  deliveries: new Counter({
    name: 'research_work_deliveries_total',
    help: 'Wake-ups that came out of the queue: for the first time, or again.',
    labelNames: ['kind', 'again'],
    registers,
  }),
  sweeps: new Counter({
    name: 'research_swept_total',
    help: 'Overdue rows of the agenda that a sweeper dispatched again, with what became of it.',
    labelNames: ['kind', 'outcome'],
    registers,
  }),
  webhookAttempts: new Counter({
    name: 'research_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by what came of it.',
    labelNames: ['outcome'],
    registers,
  }),
  webhooksDisabled: new Counter({
    name: 'research_webhooks_disabled_total',
    help: 'Webhooks to which nothing more is delivered: the endpoint said so, or failed for too long.',
    labelNames: ['reason'],
    registers,
  }),
});
