import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createJobInstruments } from './job-instruments';
import { createWorkInstruments } from './work-instruments';

/** Buckets of histograms. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const COMMIT_UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

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
    ...createJobInstruments(registers),
    ...createWorkInstruments(registers),
    requests: new Histogram({
      name: 'research_http_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by route and status. Event streams and long polls are not in it.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
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
