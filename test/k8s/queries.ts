import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { createPool } from '@lib/store/postgres/pool';
import { Readiness } from '../../src/api/health';
import { createLogger } from '../../src/api/logging';
import { measureCheckpoints } from '../../src/telemetry/checkpoint-metrics';
import { measureDeliveries } from '../../src/telemetry/delivery-metrics';
import { createMetrics } from '../../src/telemetry/metrics';
import { measureQueues } from '../../src/telemetry/queue-metrics';
import { measureProcess } from '../../src/telemetry/process-metrics';
import { measureWork } from '../../src/telemetry/work-metrics';

const MONITORING = 'k8s/components/monitoring';
/** What a scrape adds. */
const OF_SCRAPES = ['instance', 'job', 'pod', 'namespace'];
/** What PromQL compares or names in braces and after `by`. */
const SELECTOR = /\b((?:research|nodejs|process)_[a-z0-9_]+)\s*(?:\{([^}]*)\})?/g;
const GROUPING = /\b(?:by|without)\s*\(([^)]*)\)/g;

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; legendFormat: string }[];
}

/** A query with the place where it stands. */
export interface PlacedQuery {
  place: string;
  expr: string;
}

export const dashboards = (): { file: string; dashboard: { uid: string; panels: Panel[] } }[] =>
  readdirSync(join(MONITORING, 'dashboards')).map((file) => ({
    file,
    dashboard: JSON.parse(readFileSync(join(MONITORING, 'dashboards', file), 'utf8')) as { uid: string; panels: Panel[] },
  }));

export const dashboardQueries = (): PlacedQuery[] =>
  dashboards().flatMap(({ file, dashboard }) =>
    dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ refId, expr }) => ({ place: `${file}: ${title} ${refId}`, expr })),
    ),
  );

export function ruleQueries(): PlacedQuery[] {
  const { spec } = parse(readFileSync(join(MONITORING, 'rules.yaml'), 'utf8')) as {
    spec: { groups: { rules: { alert?: string; record?: string; expr: string }[] }[] };
  };
  return spec.groups.flatMap(({ rules }) => rules.map(({ alert, record, expr }) => ({ place: `rules.yaml: ${alert ?? record}`, expr })));
}

/** Every metric that a process of any role can tell, with its labels. */
export async function knownMetrics(): Promise<Map<string, { type: string; labels: readonly string[] }>> {
  const { registry } = createMetrics({ roles: 'all', build: 'test' });
  const pool = createPool('postgresql://nobody@127.0.0.1:1/none', 1);
  const logger = createLogger('silent');
  measureProcess(registry, { transport: createMemoryTransport(), pool, health: new Readiness(logger) });
  measureQueues(registry, createMemoryTransport(), logger);
  measureWork(registry, pool, logger);
  measureCheckpoints(registry, pool, null, logger);
  measureDeliveries(registry, pool, logger);
  await pool.end();
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; type: unknown; labelNames?: string[] }[];
  return new Map(metrics.map(({ name, type, labelNames = [] }) => [name, { type: String(type), labels: labelNames }]));
}

/** What a query asks for that no process tells. */
export function unknownIn(expr: string, known: ReadonlyMap<string, { labels: readonly string[] }>): string[] {
  const found: string[] = [];
  const allowed = new Set(['le', ...OF_SCRAPES]);
  for (const [, name = '', braces = ''] of expr.matchAll(SELECTOR)) {
    const metric = known.get(name) ?? known.get(name.replace(/_(bucket|count|sum)$/, ''));
    if (!metric) {
      found.push(name);
      continue;
    }
    for (const label of metric.labels) allowed.add(label);
    const compared = [...braces.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    found.push(
      ...compared.filter((label) => !metric.labels.includes(label) && !OF_SCRAPES.includes(label)).map((label) => `${name}{${label}}`),
    );
  }
  for (const [, labels = ''] of expr.matchAll(GROUPING))
    found.push(
      ...labels
        .split(',')
        .map((label) => label.trim())
        .filter((label) => !allowed.has(label))
        .map((label) => `by (${label})`),
    );
  return found;
}
