import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const MICROS_PER_DOLLAR = 1e6;
/** From a request of a few milliseconds to a research of a day. Seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WORK_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 3600, 14_400, 86_400];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const COMMIT_UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const SYNTHESIS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * What this process measures, each in a registry of its own. Labels are routes, statuses, tiers, providers and reasons: lists that this code
 * knows, never ids, tenants or content. Every process counts what it did itself; a sum over all of them is the service's.
 */
export function createMetrics(labels: { roles: string; build: string }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const info = new Gauge({
    name: 'research_info',
    help: 'Roles and build of the process; always 1.',
    labelNames: ['roles', 'build'],
    registers,
  });
  info.set(labels, 1);
  return {
    registry,
    requests: new Histogram({
      name: 'research_http_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by route and status. Event streams and long polls are not in it.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    jobsCreated: new Counter({
      name: 'research_jobs_created_total',
      help: 'Jobs that this process committed.',
      labelNames: ['tier', 'mode'],
      registers,
    }),
    jobsFinished: new Counter({
      name: 'research_jobs_finished_total',
      help: 'Jobs whose final event this process committed.',
      labelNames: ['tier', 'mode', 'status', 'reason'],
      registers,
    }),
    firstStep: new Histogram({
      name: 'research_job_first_step_seconds',
      help: 'Time from the creation of a job to the start of its first step.',
      labelNames: ['mode'],
      buckets: WORK_SECONDS,
      registers,
    }),
    jobDuration: new Histogram({
      name: 'research_job_duration_seconds',
      help: 'Time from the creation of a job to its final event.',
      labelNames: ['mode', 'status'],
      buckets: WORK_SECONDS,
      registers,
    }),
    deadlines: new Counter({
      name: 'research_job_deadlines_total',
      help: 'Jobs that reached the deadline of a phase.',
      labelNames: ['phase'],
      registers,
    }),
    attempts: new Counter({
      name: 'research_attempts_total',
      help: 'Attempts of steps that ended: completed, failed with its class, or lost with its lease.',
      labelNames: ['provider', 'outcome', 'failure'],
      registers,
    }),
    stepDuration: new Histogram({
      name: 'research_step_duration_seconds',
      help: "Time from the first start of a step to its end, further attempts included: nearly all of it is the provider's.",
      labelNames: ['provider', 'status'],
      buckets: WORK_SECONDS,
      registers,
    }),
    lateResults: new Counter({
      name: 'research_late_results_total',
      help: 'Results that came when their attempt had ended: paid, and not used.',
      labelNames: ['provider'],
      registers,
    }),
    charged: new Counter({
      name: 'research_charged_dollars_total',
      help: 'Charged to customers, by provider; what a model took for summaries is under synthesis.',
      labelNames: ['provider'],
      registers,
    }),
    overrun: new Counter({
      name: 'research_overrun_dollars_total',
      help: 'Taken by providers above what was reserved: the operator pays it.',
      labelNames: ['provider'],
      registers,
    }),
    skipped: new Counter({
      name: 'research_steps_skipped_total',
      help: 'Steps that were never started.',
      labelNames: ['provider', 'reason'],
      registers,
    }),
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
    commitsAgain: new Counter({
      name: 'research_commit_conflicts_total',
      help: 'Units that were decided again: somebody else had moved their stream on (stale), held its row (locked) or records the same request.',
      labelNames: ['reason'],
      registers,
    }),
    waitingClients: new Gauge({
      name: 'research_waiting_clients',
      help: 'Clients that wait for a job by long polls or follow it by event streams.',
      labelNames: ['kind'],
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
    tenantJobs: new Counter({
      name: 'research_tenant_jobs_finished_total',
      help: 'Finished jobs of the tenants that METRICS_TENANTS names; all the others are under "other". Not told without it.',
      labelNames: ['tenant', 'status'],
      registers,
    }),
    tenantCharged: new Counter({
      name: 'research_tenant_charged_dollars_total',
      help: 'Charged to the tenants that METRICS_TENANTS names; all the others are under "other". Not told without it.',
      labelNames: ['tenant'],
      registers,
    }),
    synthesisAttempts: new Counter({
      name: 'research_synthesis_attempts_total',
      help: 'Paid attempts at a summary: claimed, lost, settled.',
      labelNames: ['event'],
      registers,
    }),
    synthesisDuration: new Histogram({
      name: 'research_synthesis_duration_seconds',
      help: 'Time from the last step to the completed job.',
      buckets: SYNTHESIS_SECONDS,
      registers,
    }),
    spans: new Counter({
      name: 'research_trace_spans_total',
      help: 'Spans that were exported, dropped because too many waited, or lost because the collector did not take them.',
      labelNames: ['outcome'],
      registers,
    }),
    alerts: new Counter({
      name: 'research_alerts_total',
      help: 'What only a person can mend, as told in the log.',
      labelNames: ['reason'],
      registers,
    }),
    commitDuration: new Histogram({
      name: 'research_commit_duration_seconds',
      help: 'Time of a statement that commits a batch.',
      buckets: COMMIT_SECONDS,
      registers,
    }),
    commitUnits: new Histogram({
      name: 'research_commit_units',
      help: 'Units of a batch that were committed together.',
      buckets: COMMIT_UNITS,
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
