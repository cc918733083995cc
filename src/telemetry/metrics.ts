import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ALERTS } from '@lib/store/alert';
import type { ConflictReason } from '@lib/store/commit/write-path';
import { counterFromZero, membersOf } from './counter-from-zero';
import { createJobInstruments } from './job-instruments';
import type { SpanOutcome } from './span-queue';
import { createWorkInstruments } from './work-instruments';

/** Buckets of histograms. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const COMMIT_UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const CONFLICTS = membersOf<ConflictReason>({ stale: true, locked: true, 'under way': true });
const SPAN_OUTCOMES = membersOf<SpanOutcome>({ exported: true, dropped: true, failed: true });
/** Alerts that come from checking API keys. */
const OF_KEYS = ['key_changed', 'key_unsealed'];

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
    commitConflicts: counterFromZero(
      {
        name: 'research_commit_conflicts_total',
        help: 'Units that were decided again: somebody else had moved their stream on (stale), held its row (locked) or records the same request.',
        registers,
      },
      { reason: CONFLICTS },
    ),
    waitingClients: new Gauge({
      name: 'research_waiting_clients',
      help: 'Clients that wait for a job by long polls or follow it by event streams.',
      labelNames: ['kind'],
      registers,
    }),
    spans: counterFromZero(
      {
        name: 'research_trace_spans_total',
        help: 'Spans that were exported, dropped because too many waited, or lost because the collector did not take them.',
        registers,
      },
      { outcome: SPAN_OUTCOMES },
    ),
    alerts: counterFromZero(
      {
        name: 'research_alerts_total',
        help: 'What only a person can mend, as told in the log.',
        registers,
      },
      { reason: [...ALERTS, ...OF_KEYS] },
    ),
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
