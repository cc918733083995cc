import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { eventually } from '../messaging/eventually';
import { debianProgram } from '../servers/debian-program';
import { Prometheus } from '../servers/prometheus';
import { FAILING } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';
import { scrape } from '../telemetry/scrape';
import { dashboardQueries, dashboards, knownMetrics, ruleQueries, unknownIn } from './queries';

jest.setTimeout(240_000);

/** Of Grafana's units, those that are used. */
const UNITS = ['s', 'short', 'ops', 'reqps', 'percentunit', 'bytes', 'currencyUSD'] as const;
const whole = z.number().int().min(0);
const panel = {
  id: whole,
  title: z.string().min(1),
  gridPos: z.strictObject({ h: whole, w: whole.max(24), x: whole.max(23), y: whole }),
};
/** What we use of the dashboards that Grafana imports (schema version 39). */
const DASHBOARD = z.strictObject({
  uid: z.string().regex(/^[a-z-]{1,40}$/),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  schemaVersion: z.literal(39),
  version: z.literal(1),
  editable: z.boolean(),
  graphTooltip: z.literal(1),
  refresh: z.string(),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  timezone: z.string(),
  annotations: z.strictObject({ list: z.array(z.never()) }),
  links: z.array(z.never()),
  templating: z.object({
    list: z.tuple([z.looseObject({ name: z.literal('datasource'), type: z.literal('datasource'), query: z.literal('prometheus') })]),
  }),
  panels: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ ...panel, type: z.literal('row'), collapsed: z.literal(false), panels: z.array(z.never()) }),
      z.strictObject({
        ...panel,
        type: z.literal('timeseries'),
        description: z.string().min(1),
        datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') }),
        fieldConfig: z.strictObject({
          defaults: z.strictObject({ unit: z.enum(UNITS), min: z.literal(0).optional() }),
          overrides: z.array(z.never()),
        }),
        options: z.object({}).loose(),
        targets: z.array(z.strictObject({ refId: z.string().regex(/^[A-Z]$/), expr: z.string(), legendFormat: z.string().min(1) })).min(1),
      }),
    ]),
  ),
});

it.each(dashboards())('$file is what Grafana imports, no panel lies over another one, and each says what it is for', ({ dashboard }) => {
  expect(DASHBOARD.safeParse(dashboard).error?.issues).toBeUndefined();
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { targets = [] } of panels) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
  );
  expect(new Set(taken).size).toBe(taken.length);
  expect(taken.filter((cell) => Number(cell.split('/')[0]) > 23)).toEqual([]);
});

it('has every dashboard in the manifests', () => {
  const manifest = readFileSync('k8s/components/monitoring/kustomization.yaml', 'utf8');
  for (const { file } of dashboards()) expect(manifest).toContain(`dashboards/${file}`);
});

describe('dashboards and alerts ask', () => {
  it('only for metrics and labels that a process tells', async () => {
    const known = await knownMetrics();
    const queries = [...dashboardQueries(), ...ruleQueries()];
    expect(queries.length).toBeGreaterThan(70);
    expect(queries.flatMap(({ place, expr }) => unknownIn(expr, known).map((what) => `${place}: ${what}`))).toEqual([]);
    // It finds what is wrong.
    expect(
      unknownIn('sum by (tier, colour) (rate(research_jobs_created_total{tier="M", color="red"}[5m])) / research_nothing', known),
    ).toEqual(['research_jobs_created_total{color}', 'research_nothing', 'by (colour)']);
  });

  it('for all money that a process tells', async () => {
    const money = [...(await knownMetrics()).keys()].filter((name) => name.endsWith('_dollars_total'));
    expect(money).toContain('research_charged_dollars_total');
    expect(money.filter((name) => !dashboardQueries().some(({ expr }) => expr.includes(name)))).toEqual([]);
  });

  it('how many requests there were, and how many failed, without those of probes', () => {
    const counted = [...dashboardQueries(), ...ruleQueries()].flatMap(({ place, expr }) =>
      [...expr.matchAll(/research_http_request_duration_seconds_count(?:\{([^}]*)\})?/g)].map(([, selector = '']) => ({ place, selector })),
    );
    expect(counted.length).toBeGreaterThan(16);
    // A probe posts nothing.
    const probed = counted.filter(({ selector }) => !selector.includes('route!~"/health/.*"') && !selector.includes('method="POST"'));
    expect(probed).toEqual([]);
  });

  it('counters by their rates, and of histograms the buckets', async () => {
    const known = await knownMetrics();
    const counters = [...known].filter(([name, { type }]) => type === 'counter' && name.startsWith('research_')).map(([name]) => name);
    expect(counters.length).toBeGreaterThan(10);
    const raw = dashboardQueries().filter(({ expr }) =>
      [...expr.matchAll(/(\w+)(?:\{[^}]*\})?(\[)?/g)].some(([, name = '', range]) => counters.includes(name) && range === undefined),
    );
    expect(raw).toEqual([]);
  });
});

const binary = debianProgram('prometheus', 'prometheus');

(binary ? describe : describe.skip)(`a real Prometheus${binary ? '' : ' (skipped: Debian has none for this machine)'}`, () => {
  let system: System;
  let prometheus: Prometheus;
  let admin: string;
  /** Series of counters that were told before anything had happened. */
  let atFirst: string[];

  /** Of the counters whose increase the dashboards or the rules ask for. */
  const toldSeries = async (): Promise<string[]> => {
    const asked = [...dashboardQueries(), ...ruleQueries()].map(({ expr }) => expr).join();
    const counters = [...(await knownMetrics())].flatMap(([name, { type }]) => (type === 'counter' ? name : []));
    const increasing = counters.filter((name) => new RegExp(`\\b${name}(?:\\{[^}]*\\})?\\[`).test(asked));
    const told = (await scrape(admin)).filter(({ name }) => increasing.includes(name));
    return told.map(({ name, labels }) => `${name} ${Object.values(labels).join(' ')}`);
  };

  beforeAll(async () => {
    const environment = {
      ...{ ADMIN_PORT: '0', METRICS_TENANTS: 'default', WEBHOOK_LOOPBACK: 'allowed', WORKER_SLOTS: '1' },
      ...{ SWEEP_MS: '100', REDISPATCH_FIRST_MS: '200', REDISPATCH_MS: '400' },
      ...{ CHECKPOINT_KEY: randomBytes(32).toString('base64'), CHECKPOINT_MS: '500' },
    };
    const providers = {
      'provider-a': { reserveCents: 5, costCents: 3 },
      'provider-b': FAILING,
      'provider-c': { reserveCents: 5, overrunCents: 2 },
      'provider-d': { latencyMs: 1_500 },
    };
    system = await startSystem({ providers, environment });
    const lines = system.logged.map((line) => JSON.parse(line) as { reason?: string; address?: string });
    admin = String(lines.find(({ reason }) => reason === 'admin')?.address);
    atFirst = await toldSeries();
    prometheus = await Prometheus.start(binary ?? '', [admin]);
    // What is counted before it looks has no increase.
    await eventually<number | undefined>(1, async () => (await prometheus.query('sum(up)'))[0]?.value, 30_000);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await system?.stop();
  });

  /** As Grafana fills it in. */
  const asked = (expr: string): string => expr.replaceAll('$__rate_interval', '1m');

  it('answers every query of the dashboards with a series, after what they are about has happened', async () => {
    const { client } = system;
    const gone = createServer((_, response) => response.writeHead(410).end()).listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/`;
    await client.expect(201, 'POST', '/v1/webhooks', { url, eventTypes: ['job.completed'] });
    const slow = [1, 2, 3].map(() => client.createThread({ message: 'q', providers: ['provider-d'] }));
    const [thread] = await Promise.all(slow);
    const path = `${client.address}/v1/threads/${thread?.id}/jobs/${thread?.job.id}`;
    await fetch(path, { headers: { ...client.headers(), prefer: 'wait=20' } });
    for (const mode of ['fast', 'methodical'])
      await client.research({ message: 'q', mode, budget: 'L', providers: ['provider-a', 'provider-b', 'provider-c'] });
    const silent = async (): Promise<string> => {
      const answers = await Promise.all(
        dashboardQueries().map(async ({ place, expr }) => ({ place, series: await prometheus.query(asked(expr)) })),
      );
      return answers.flatMap(({ place, series }) => (series.length === 0 ? [place] : [])).join('\n');
    };
    await eventually('', silent, 90_000);
    gone.close();
    const charged = await prometheus.query('sum(research_charged_dollars_total)');
    expect(charged[0]?.value).toBeGreaterThan(0);
    // A series that begins with its first event shows no increase for it.
    const later = (await toldSeries()).filter((series) => !atFirst.includes(series));
    expect({ later, atFirst: atFirst.length > 100 }).toEqual({ later: [], atFirst: true });
  });

  it('understands every expression of the alerts', async () => {
    const failed = await Promise.all(ruleQueries().map(({ expr }) => prometheus.query(expr).then(() => null, String)));
    expect(failed.filter((error) => error !== null)).toEqual([]);
    await expect(prometheus.query('sum by (')).rejects.toThrow(/parse error/);
  });
});
